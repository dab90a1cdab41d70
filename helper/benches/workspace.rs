//! What it costs to load six windows with eleven panes: tmux processes, and time; beside tmuxp, where that is installed.
//!
//! `scripts/bench --workspace` runs it. Each load is of a server of its own, in a home of its own. Time is wall time of the
//! command, whose own start is a part of it; the two are run in turn, so that what else the machine does hits both. The
//! slow shell sleeps in its profile, as one that asks the network does.

use std::fs;
use std::os::unix::fs::{symlink, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 15;
const SLOW_ROUNDS: usize = 5;
/// Seconds that the slow shell takes to its prompt.
const SLOW: f64 = 1.5;

const DOCUMENT: &str = r#"
session_name: bench
environment: {FOO: bar}
windows:
  - {window_name: one, layout: main-vertical, panes: [echo 1, echo 2, echo 3]}
  - {window_name: two, layout: even-horizontal, panes: [echo 1, echo 2]}
  - {window_name: three, layout: even-horizontal, panes: [echo 1, echo 2]}
  - {window_name: four, layout: tiled, focus: true, panes: [echo 1, echo 2]}
  - {window_name: five, panes: [echo 1]}
  - {window_name: six, options: {automatic-rename: false}, panes: [echo 1]}
"#;

/// A folder with a home, a document and a `tmux`.
struct Room {
    folder: tempfile::TempDir,
    tmux: PathBuf,
}

impl Room {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for name in ["home", "bin"] {
            fs::create_dir(folder.path().join(name)).expect("a folder");
        }
        fs::write(folder.path().join("bench.yaml"), DOCUMENT).expect("a document");
        let tmux = program("tmux").expect("tmux is installed");
        symlink(&tmux, folder.path().join("bin/tmux")).expect("a link");
        Self { folder, tmux }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Has shells take as long to their prompts.
    fn slow_down(&self) {
        fs::write(self.path("home/.profile"), format!("sleep {SLOW}\n")).expect("a profile");
    }

    /// Has each tmux process be counted.
    fn count_calls(&self) {
        let body = format!(
            "#!/bin/sh\necho x >>'{}'\nexec '{}' \"$@\"\n",
            self.path("calls").display(),
            self.tmux.display()
        );
        let script = self.path("bin/tmux");
        fs::remove_file(&script).expect("the link");
        fs::write(&script, body).expect("a script");
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("one that runs");
    }

    fn command(&self, program: &Path) -> Command {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::iter::once(self.path("bin")).chain(std::env::split_paths(&path));
        let mut command = Command::new(program);
        command
            .env_remove("TMUX")
            .env_remove("TMUX_PANE")
            .env("HOME", self.path("home"))
            .env("XDG_CONFIG_HOME", self.path("home"))
            .env("SHELL", "/bin/bash")
            .env("PATH", std::env::join_paths(path).expect("a path"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command
    }

    /// Loads the document into a new server, and ends that.
    fn load(&self, loader: &Loader) -> Duration {
        let (socket, document) = (self.path("socket"), self.path("bench.yaml"));
        let mut command = self.command(&loader.program);
        command
            .args(loader.words)
            .arg("-d")
            .arg("-S")
            .arg(&socket)
            .arg(&document);
        let start = Instant::now();
        let status = command.status().expect("it runs");
        let taken = start.elapsed();
        assert!(status.success(), "{} failed", loader.name);
        let panes = Command::new(&self.tmux)
            .arg("-S")
            .arg(&socket)
            .args(["list-panes", "-a", ";", "kill-server"])
            .output()
            .expect("tmux runs");
        assert_eq!(
            String::from_utf8_lossy(&panes.stdout).lines().count(),
            11,
            "{}",
            loader.name
        );
        while std::os::unix::net::UnixStream::connect(&socket).is_ok() {
            std::thread::sleep(Duration::from_millis(5));
        }
        taken
    }
}

struct Loader {
    name: &'static str,
    program: PathBuf,
    words: &'static [&'static str],
}

fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

fn median(mut values: Vec<Duration>) -> f64 {
    values.sort();
    values[values.len() / 2].as_secs_f64()
}

fn calls(loader: &Loader) -> usize {
    let room = Room::new();
    room.count_calls();
    room.load(loader);
    fs::read_to_string(room.path("calls")).expect("calls").lines().count()
}

fn times(room: &Room, loaders: &[Loader], rounds: usize) -> Vec<f64> {
    let mut all = vec![Vec::new(); loaders.len()];
    for _ in 0..rounds {
        for (loader, times) in loaders.iter().zip(&mut all) {
            times.push(room.load(loader));
        }
    }
    all.into_iter().map(median).collect()
}

fn main() {
    let mut loaders = vec![Loader {
        name: "tmux-status",
        program: env!("CARGO_BIN_EXE_tmux-status").into(),
        words: &["workspace", "load"],
    }];
    match program("tmuxp") {
        Some(program) => loaders.push(Loader {
            name: "tmuxp",
            program,
            words: &["load"],
        }),
        None => println!("tmuxp is not on PATH: nothing to compare with"),
    }
    let fast = Room::new();
    let slow = Room::new();
    slow.slow_down();
    let fast = times(&fast, &loaders, ROUNDS);
    let slow = times(&slow, &loaders, SLOW_ROUNDS);
    println!("6 windows, 11 panes       tmux processes   load   with a shell that takes {SLOW} s");
    for ((loader, fast), slow) in loaders.iter().zip(&fast).zip(&slow) {
        println!("{:<25} {:>14} {fast:>5.2} s {slow:>9.2} s", loader.name, calls(loader));
    }
    if let [ours, theirs] = fast[..] {
        println!("tmuxp takes {:.1} times as long", theirs / ours);
    }
}
