//! What the benches of whole servers share.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A tmux server with a socket and a state folder of its own.
pub struct Server {
    folder: tempfile::TempDir,
}

impl Server {
    /// A server of its own with `windows` windows, each a shell at its prompt with some output above it.
    pub fn start(windows: usize) -> Self {
        let server = Self {
            folder: tempfile::tempdir().expect("a temporary folder"),
        };
        let shell = "PS1='dev@box:~$ ' exec bash --norc --noprofile -i";
        server.tmux(&["new-session", "-d", "-s", "bench", "-x", "120", "-y", "40", shell]);
        for _ in 1..windows {
            server.tmux(&["new-window", "-d", "-t", "bench:", shell]);
        }
        let text = "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo line $i of some output in this window; done";
        let panes = server.tmux(&["list-panes", "-a", "-F", "#{pane_id}"]);
        for pane in panes.lines() {
            server.tmux(&["send-keys", "-t", pane, text, "Enter"]);
        }
        // Windows count as moved until the second of their last output is over.
        std::thread::sleep(Duration::from_secs(3));
        server
    }

    /// Its socket.
    pub fn socket(&self) -> PathBuf {
        self.folder.path().join("socket")
    }

    /// A program that is given the socket.
    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .arg("-S")
            .arg(self.socket())
            .env_remove("TMUX")
            .env_remove("TMUX_PANE");
        command.env("XDG_STATE_HOME", self.folder.path()).stdin(Stdio::null());
        command
    }

    /// What tmux prints.
    pub fn tmux(&self, args: &[&str]) -> String {
        let mut command = self.command(Path::new("tmux"));
        let out = command
            .args(["-u", "-f", "/dev/null"])
            .args(args)
            .output()
            .expect("tmux is installed");
        assert!(
            out.status.success(),
            "tmux {args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// What the status file holds.
    #[allow(dead_code, reason = "not every bench has one")]
    pub fn status_file(&self) -> Vec<u8> {
        let folder = self.folder.path().join("thegrid");
        let entries = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path());
        let file = entries
            .into_iter()
            .find(|p| p.to_string_lossy().ends_with("socket.json"));
        file.map(|file| fs::read(file).expect("the status file"))
            .unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.command(Path::new("tmux")).arg("kill-server").output();
    }
}

/// Does `work`, and notes how many milliseconds it took.
#[allow(dead_code, reason = "not every bench times what it does itself")]
pub fn timed<T>(times: &mut Vec<f64>, work: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = work();
    times.push(start.elapsed().as_secs_f64() * 1000.0);
    result
}

/// The middle one.
#[allow(dead_code, reason = "as above")]
pub fn median<T: Copy + PartialOrd>(values: &mut [T]) -> T {
    values.sort_by(|a, b| a.partial_cmp(b).expect("comparable"));
    values[values.len() / 2]
}
