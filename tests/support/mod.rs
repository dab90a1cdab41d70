//! Private tmux servers for tests. All that a test starts lives in one temporary folder (the room), and is gone when the
//! [`Server`] is dropped: servers, clients, helpers, sockets, files.
//!
//! ```ignore
//! let server = Server::start();
//! server.source_plugin();                       // as tmux.conf does, with the helper under test
//! let terminal = server.attach();               // a real client, in a terminal that is a tmux of its own
//! terminal.press(&["C-b", "M-r"]);
//! terminal.wait_for("1 window, ");
//! assert_eq!(server.status()["sessions"][0]["name"], "work");
//! ```
//!
//! `TEST_TMUX=/path/to/tmux` runs the tests against that tmux instead of the one on PATH.
//!
//! Absent on purpose: a mock of tmux, and sleeping. Wait for what can be seen, with [`wait_for`].

#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use serde_json::Value;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{symlink, FileTypeExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a test waits for something that should happen at once; generous, for machines that are busy.
pub const DEADLINE: Duration = Duration::from_secs(15);

/// The helper under test.
pub const HELPER: &str = env!("CARGO_BIN_EXE_tmux-status");

/// Waits until `seen` says yes.
///
/// # Panics
/// After [`DEADLINE`], naming `what`.
#[track_caller]
pub fn wait_for(what: &str, mut seen: impl FnMut() -> bool) {
    let end = Instant::now() + DEADLINE;
    while !seen() {
        assert!(Instant::now() < end, "waited {DEADLINE:?} for {what}, in vain");
        thread::sleep(Duration::from_millis(20));
    }
}

/// Prints that a test is skipped, and why, past the test runner's capture.
pub fn skip(test: &str, why: &str) {
    // print! would be swallowed unless the test fails.
    let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("skipped: {test}: {why}\n").as_bytes());
}

/// The program `name` on PATH.
pub fn program(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())
}

/// How a server is to be started.
#[derive(Debug)]
pub struct Setup {
    env: BTreeMap<OsString, OsString>,
    config: String,
    plugin: String,
}

impl Setup {
    /// Sets an environment variable of the server, its panes and its helpers.
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.env.insert(name.into(), value.as_ref().to_owned());
        self
    }

    /// The lines of its tmux.conf; `{room}`, `{plugin}` and `{helper}` stand for those paths, as tmux strings.
    pub fn config(mut self, lines: &str) -> Self {
        self.config = lines.to_owned();
        self
    }

    /// The folder of the plugin, within the room.
    pub fn plugin_in(mut self, folder: &str) -> Self {
        self.plugin = folder.to_owned();
        self
    }

    /// Starts a server with the session `work`: one window, 100x30, with `sh`.
    pub fn start(self) -> Server {
        let server = self.prepare();
        server.tmux(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]);
        server
    }

    /// Makes the room without starting a server in it.
    pub fn prepare(self) -> Server {
        let room = tempfile::Builder::new().prefix("ts-").tempdir().unwrap();
        // tmux names its socket by the real path.
        let path = room.path().canonicalize().unwrap();
        for folder in ["bin", "home", "state", "config"] {
            fs::create_dir(path.join(folder)).unwrap();
        }
        let tmux = std::env::var_os("TEST_TMUX")
            .map(PathBuf::from)
            .or_else(|| program("tmux"))
            .expect("tmux is not installed");
        symlink(&tmux, path.join("bin/tmux")).unwrap();
        let plugin = path.join(&self.plugin);
        copy_plugin(&plugin);
        // tmux starts login shells, whose /etc/profile chooses a prompt; zsh without this file asks questions.
        fs::write(path.join("home/.profile"), "PS1='$ '\n").unwrap();
        fs::write(path.join("home/.zshrc"), "").unwrap();
        let mut server = Server {
            room,
            path,
            tmux,
            plugin,
            env: BTreeMap::new(),
            terminals: Cell::new(0),
        };
        server.env = server.environment(self.env);
        let config = self
            .config
            .replace("{room}", &tmux_string(&server.path))
            .replace("{plugin}", &tmux_string(&server.plugin))
            .replace("{helper}", &tmux_string(Path::new(HELPER)));
        fs::write(server.config_file(), config).unwrap();
        server
    }
}

/// A private tmux server.
#[derive(Debug)]
pub struct Server {
    room: TempDir,
    path: PathBuf,
    tmux: PathBuf,
    plugin: PathBuf,
    env: BTreeMap<OsString, OsString>,
    terminals: Cell<u32>,
}

impl Server {
    /// Starts one with no configuration.
    pub fn start() -> Self {
        Self::setup().start()
    }

    /// Starts one whose windows, of which the first is called `quiet`, run `cat`: light, silent, and gone with its terminal.
    pub fn quiet() -> Self {
        let config = "set -g automatic-rename off\nset -g default-command 'exec cat'\n";
        let server = Self::setup().config(config).start();
        server.run("rename-window -t work:0 quiet");
        server
    }

    /// For one that is not as usual.
    pub fn setup() -> Setup {
        Setup {
            env: BTreeMap::new(),
            config: String::new(),
            plugin: "plugin".to_owned(),
        }
    }

    fn environment(&self, own: BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
        // A helper that the developer has installed must not be found.
        let inherited = std::env::var_os("PATH").unwrap_or_default();
        let folders = std::env::split_paths(&inherited).filter(|folder| !folder.join("tmux-status").exists());
        let path = std::env::join_paths(std::iter::once(self.path.join("bin")).chain(folders)).unwrap();
        let mut env: BTreeMap<OsString, OsString> = [
            ("PATH", path),
            ("HOME", self.path.join("home").into()),
            ("XDG_STATE_HOME", self.path.join("state").into()),
            ("XDG_CONFIG_HOME", self.path.join("config").into()),
            ("TMUX_TMPDIR", self.path.clone().into()),
            ("SHELL", "/bin/sh".into()),
            ("TERM", "xterm-256color".into()),
            ("LANG", "C.UTF-8".into()),
        ]
        .map(|(name, value)| (name.into(), value))
        .into();
        env.extend(own);
        env
    }

    /// The temporary folder that all of it lives in.
    pub fn room(&self) -> &Path {
        &self.path
    }

    /// The copy of the plugin that it loads: `tmux-status.tmux` and `scripts`, but nothing that was built.
    pub fn plugin(&self) -> &Path {
        &self.plugin
    }

    /// Its tmux.conf. `tmux kill-server` and another call read it again.
    pub fn config_file(&self) -> PathBuf {
        self.path.join("home/.tmux.conf")
    }

    /// `program` in this server's environment, outside of it.
    pub fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(&self.env)
            .current_dir(&self.path)
            .stdin(Stdio::null());
        command
    }

    /// Runs tmux and returns its answer, whatever it is.
    pub fn try_tmux(&self, args: &[&str]) -> Output {
        let mut command = self.command(&self.tmux);
        command.arg("-f").arg(self.config_file()).arg("-u").args(args);
        command.output().unwrap()
    }

    /// Runs tmux and returns what it printed, without the last newline.
    #[track_caller]
    pub fn tmux(&self, args: &[&str]) -> String {
        let out = self.try_tmux(args);
        let errors = String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "tmux {args:?}: {errors}");
        String::from_utf8_lossy(&out.stdout).trim_end_matches('\n').to_owned()
    }

    /// [`Server::tmux`] with the words of `line`; for what needs no quoting.
    #[track_caller]
    pub fn run(&self, line: &str) -> String {
        self.tmux(&line.split_whitespace().collect::<Vec<_>>())
    }

    /// Runs the helper with `args`, outside of tmux.
    pub fn helper(&self, args: &[&str]) -> Output {
        self.command(HELPER).args(args).output().unwrap()
    }

    /// Refreshes by hand, which prints nothing and succeeds.
    #[track_caller]
    pub fn refresh(&self) {
        self.refresh_with(&[]);
    }

    /// The same with more arguments.
    #[track_caller]
    pub fn refresh_with(&self, args: &[&str]) {
        let out = self.helper(&[&["refresh"], args].concat());
        assert!(
            out.status.success() && out.stdout.is_empty() && out.stderr.is_empty(),
            "{out:?}"
        );
    }

    /// Opens as many windows in the session `work`, in one tmux call.
    #[track_caller]
    pub fn open_windows(&self, count: usize) {
        let script = self.path.join("open-windows");
        fs::write(&script, "new-window -d -t work:\n".repeat(count)).unwrap();
        self.tmux(&["source-file", script.to_str().unwrap()]);
    }

    /// The server's process id.
    #[track_caller]
    pub fn pid(&self) -> u32 {
        self.run("display-message -p #{pid}").parse().unwrap()
    }

    /// Runs a file of the plugin from a shell, as in a pane of this server.
    pub fn script(&self, name: &str, args: &[&str]) -> Output {
        let socket = self.tmux(&["display-message", "-p", "#{socket_path},#{pid},0"]);
        let mut command = self.command(self.plugin.join(name));
        command.args(args).env("TMUX", socket).output().unwrap()
    }

    /// Where the status file of the default socket is.
    pub fn status_file(&self) -> PathBuf {
        self.path.join("state/thegrid/tmux-status.json")
    }

    /// Where the state beside it is.
    pub fn state_file(&self) -> PathBuf {
        self.status_file().with_file_name("tmux-status.state.json")
    }

    /// The names of all files in the folder of the state, sorted.
    pub fn files(&self) -> Vec<String> {
        let folder = self.path.join("state/thegrid");
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut names: Vec<_> = entries
            .map(|entry| entry.file_name().to_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    }

    /// What the state file says.
    #[track_caller]
    pub fn state(&self) -> Value {
        serde_json::from_slice(&fs::read(self.state_file()).unwrap()).expect("the state is whole")
    }

    /// Changes the state file by hand.
    pub fn edit_state(&self, edit: impl FnOnce(&mut Value)) {
        let mut state = self.state();
        edit(&mut state);
        fs::write(self.state_file(), serde_json::to_vec(&state).unwrap()).unwrap();
    }

    /// What the status file says, if there is one.
    #[track_caller]
    pub fn try_status(&self) -> Option<Value> {
        let bytes = fs::read(self.status_file()).ok()?;
        let file = serde_json::from_slice(&bytes).expect("the status file is whole at every moment");
        check_schema(&file);
        Some(file)
    }

    /// What the status file says.
    #[track_caller]
    pub fn status(&self) -> Value {
        self.try_status().expect("there is no status file yet")
    }

    /// The names of all windows in the status file.
    pub fn names(&self) -> Vec<String> {
        let status = self.try_status().unwrap_or_default();
        let sessions = status["sessions"].as_array().cloned().unwrap_or_default();
        let windows = sessions
            .iter()
            .flat_map(|s| s["windows"].as_array().cloned().unwrap_or_default());
        windows
            .map(|w| w["name"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Loads the plugin with the helper under test and without a driver, and waits for the first status file.
    #[track_caller]
    pub fn source_plugin(&self) {
        self.run("set-option -g @tmux-status-watch off");
        self.source_with_driver();
    }

    /// The same with a driver, unless an option says otherwise.
    #[track_caller]
    pub fn source_with_driver(&self) {
        self.use_helper(Path::new(HELPER));
        self.source();
        wait_for("the first status file", || self.try_status().is_some());
    }

    /// Has the plugin find this helper.
    #[track_caller]
    pub fn use_helper(&self, helper: &Path) {
        self.tmux(&["set-option", "-g", "@tmux-status-bin", helper.to_str().unwrap()]);
    }

    /// Runs `tmux-status.tmux` as tmux.conf and TPM do; it prints nothing.
    #[track_caller]
    pub fn source(&self) {
        let before = self.panes_in_a_mode();
        self.run_shell(&shell_word(&self.plugin.join("tmux-status.tmux")));
        assert_eq!(self.panes_in_a_mode(), before, "the plugin printed something");
    }

    /// Opens a window of `work` that nobody looks at, with `command` in it; its pane's id.
    #[track_caller]
    pub fn open(&self, command: &str) -> String {
        self.tmux(&["new-window", "-d", "-P", "-F", "#{pane_id}", "-t", "work:", command])
    }

    /// Runs `command` with sh inside the server, and waits for its end. What it prints opens view-mode, as ever.
    #[track_caller]
    pub fn run_shell(&self, command: &str) {
        self.tmux(&["run-shell", &command.replace('#', "##")]);
    }

    /// Writes an executable sh script into the room.
    pub fn write_script(&self, name: &str, body: &str) -> PathBuf {
        let file = self.path.join(name);
        fs::write(&file, format!("#!/bin/sh\n{body}\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        file
    }

    /// Puts a `tmux` on the PATH of this server's jobs that logs each call, a line each, in the file returned.
    pub fn log_tmux_calls(&self) -> PathBuf {
        let log = self.path.join("tmux.log");
        fs::remove_file(self.path.join("bin/tmux")).unwrap();
        let (log_word, tmux) = (shell_word(&log), shell_word(&self.tmux));
        // Newlines within arguments must not look like calls.
        let body = format!("printf '%s ' \"$@\" | tr '\\n' ' ' >>{log_word}; echo >>{log_word}; exec {tmux} \"$@\"");
        self.write_script("bin/tmux", &body);
        log
    }

    /// How many panes are in a mode, as view-mode, which tmux opens over a user's pane when a job prints or fails.
    pub fn panes_in_a_mode(&self) -> usize {
        let modes = self.tmux(&["list-panes", "-a", "-F", "#{pane_in_mode}"]);
        modes.lines().filter(|mode| *mode != "0").count()
    }

    /// Attaches a real client to the session `work`, in a terminal of 100x30.
    #[track_caller]
    pub fn attach(&self) -> Terminal<'_> {
        let before = self.tmux(&["list-clients"]).lines().count();
        let terminal = self.terminal("exec tmux attach-session -t =work");
        wait_for("an attached client", || {
            self.tmux(&["list-clients"]).lines().count() > before
        });
        // It has drawn its first screen.
        wait_for("a prompt in the terminal", || !terminal.screen().trim().is_empty());
        terminal
    }

    /// Opens a terminal of 100x30 that runs `command` with sh. The terminal is a tmux of its own.
    pub fn terminal(&self, command: &str) -> Terminal<'_> {
        self.terminals.set(self.terminals.get() + 1);
        let terminal = Terminal {
            server: self,
            socket: format!("terminal-{}", self.terminals.get()),
        };
        let inner = format!("unset TMUX TMUX_PANE; {command}");
        terminal.outer(&["new-session", "-d", "-x", "100", "-y", "30", &inner]);
        terminal
    }

    /// Those of this room's processes with `words` in their command line.
    pub fn processes_with(&self, words: &str) -> Vec<u32> {
        let has_words = |pid: &u32| {
            let line = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).replace('\0', " ").contains(words)
        };
        self.processes().into_iter().filter(has_words).collect()
    }

    /// Ids of the processes whose environment says that they belong to this room.
    fn processes(&self) -> Vec<u32> {
        // Some tests give their servers a folder within the room.
        let mark = [b"TMUX_TMPDIR=", self.path.as_os_str().as_bytes()].concat();
        let ours = |pid: &u32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.windows(mark.len()).any(|part| part == mark)
        };
        let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(ours).collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A stopped server would not answer.
        for pid in self.processes() {
            signal(pid, "CONT");
        }
        for socket in sockets(&self.path) {
            let mut command = self.command(&self.tmux);
            let _ = command.arg("-S").arg(socket).arg("kill-server").output();
        }
        // Helpers that the last hooks have started may still write into the room.
        let end = Instant::now() + DEADLINE;
        while !self.processes().is_empty() && Instant::now() < end {
            thread::sleep(Duration::from_millis(10));
        }
        for pid in self.processes() {
            eprintln!("process {pid} outlived its test; it is killed now");
            signal(pid, "KILL");
        }
    }
}

/// Sends a signal, named as in `kill -s`; a process that has ended is no error.
pub fn signal(pid: u32, name: &str) {
    let mut kill = Command::new("kill");
    let _ = kill.args(["-s", name, &pid.to_string()]).stderr(Stdio::null()).status();
}

/// Whether a process with this id runs; one that has ended and waits to be collected does not.
pub fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with(['Z', 'X']))
}

/// The sockets in `folder` and below.
fn sockets(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let below = |entry: fs::DirEntry| match entry.file_type() {
        Ok(kind) if kind.is_socket() => vec![entry.path()],
        Ok(kind) if kind.is_dir() => sockets(&entry.path()),
        _ => Vec::new(),
    };
    entries.flat_map(below).collect()
}

/// What tells whether a file was written: its inode, the time of its last change, and its bytes.
#[derive(Debug, PartialEq, Eq)]
pub struct Stamp(u64, i64, i64, Vec<u8>);

impl Stamp {
    /// Of the file at `path`.
    #[track_caller]
    pub fn of(path: &Path) -> Self {
        let meta = fs::metadata(path).unwrap();
        Self(meta.ino(), meta.mtime(), meta.mtime_nsec(), fs::read(path).unwrap())
    }
}

/// Epoch seconds.
pub fn now() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_secs()
}

/// Standard output and standard error as text.
pub fn words(out: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr))
}

/// A terminal with a client in it.
#[derive(Debug)]
pub struct Terminal<'a> {
    server: &'a Server,
    socket: String,
}

impl Terminal<'_> {
    /// Presses keys, named as in `tmux send-keys`.
    pub fn press(&self, keys: &[&str]) {
        self.outer(&[&["send-keys", "--"], keys].concat());
    }

    /// What is on the screen, a line each.
    pub fn screen(&self) -> String {
        self.outer(&["capture-pane", "-p"])
    }

    /// The same with the escape sequences of its colours and other attributes.
    pub fn screen_with_colours(&self) -> String {
        self.outer(&["capture-pane", "-p", "-e"])
    }

    /// Waits until `text` is on the screen.
    ///
    /// # Panics
    /// After [`DEADLINE`], with the screen.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        let end = Instant::now() + DEADLINE;
        while !self.screen().contains(text) {
            assert!(
                Instant::now() < end,
                "waited for {text:?}, in vain, on\n{}",
                self.screen()
            );
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// What tmux says of the terminal: the value of a format.
    pub fn ask(&self, format: &str) -> String {
        self.outer(&["display-message", "-p", format])
    }

    /// Gives the terminal another size.
    pub fn resize(&self, columns: u32, rows: u32) {
        let (columns, rows) = (columns.to_string(), rows.to_string());
        self.outer(&["resize-window", "-x", &columns, "-y", &rows]);
    }

    /// Waits until `text` is no longer on the screen.
    ///
    /// # Panics
    /// After [`DEADLINE`], with the screen.
    #[track_caller]
    pub fn wait_until_gone(&self, text: &str) {
        let end = Instant::now() + DEADLINE;
        while self.screen().contains(text) {
            assert!(Instant::now() < end, "{text:?} stays on\n{}", self.screen());
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Closes the terminal under what runs in it.
    pub fn close(&self) {
        self.outer(&["kill-server"]);
    }

    /// The last line of the screen, where the status line is.
    pub fn last_line(&self) -> String {
        self.screen().lines().last().unwrap_or_default().to_owned()
    }

    /// Runs tmux for the terminal itself.
    #[track_caller]
    fn outer(&self, args: &[&str]) -> String {
        let mut command = self.server.command(&self.server.tmux);
        let out = command
            .args(["-L", &self.socket, "-f", "/dev/null", "-u"])
            .args(args)
            .output()
            .unwrap();
        assert!(
            out.status.success(),
            "{args:?}: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        // Only the newline of the last line: the rows below the text are part of the screen.
        let screen = String::from_utf8_lossy(&out.stdout).into_owned();
        screen.strip_suffix('\n').unwrap_or(&screen).to_owned()
    }
}

/// Checks a status file against the contract's schema.
///
/// # Panics
/// When it does not hold, naming where.
#[track_caller]
pub fn check_schema(file: &Value) {
    let schema = serde_json::from_str(include_str!("../golden/status.schema.json")).unwrap();
    if let Err(error) = jsonschema::draft202012::validate(&schema, file) {
        panic!(
            "the status file breaks its contract at {}: {error}",
            error.instance_path()
        );
    }
}

/// `path` as a word for sh.
pub fn shell_word(path: &Path) -> String {
    format!("'{}'", path.to_str().unwrap().replace('\'', r"'\''"))
}

/// `text` as an argument that tmux takes as it is: names and folders are formats to it, and a `;` at the end of an
/// argument ends the command.
pub fn tmux_data(text: &str) -> String {
    let text = text.replace('#', "##");
    text.strip_suffix(';')
        .map_or_else(|| text.clone(), |rest| format!("{rest}\\;"))
}

/// `path` as it stands within double quotes in tmux.conf.
fn tmux_string(path: &Path) -> String {
    let path = path.to_str().unwrap();
    path.chars()
        .flat_map(|c| matches!(c, '"' | '\\' | '$').then_some('\\').into_iter().chain([c]))
        .collect()
}

/// The folder of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn copy_plugin(to: &Path) {
    fs::create_dir_all(to.join("scripts")).unwrap();
    let from = repository();
    for file in ["tmux-status.tmux", "Cargo.toml"] {
        fs::copy(from.join(file), to.join(file)).unwrap();
    }
    for script in fs::read_dir(from.join("scripts")).unwrap() {
        let script = script.unwrap();
        fs::copy(script.path(), to.join("scripts").join(script.file_name())).unwrap();
    }
}

fn user_id() -> u32 {
    rustix::process::getuid().as_raw()
}
