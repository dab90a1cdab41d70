//! Files that cannot be written: the old ones stay, one line says why, and a hook's refresh says it to `doctor` alone.

mod support;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;
use support::{runs, shell_word, skip, wait_for, words, Server, Stamp, HELPER};

/// Checks for the words and the exit code of a failed write: one line on standard output, as the status file's contract
/// asks for.
#[track_caller]
fn is_unwritten(out: &Output, parts: &[&str]) {
    let (stdout, stderr) = words(out);
    assert_eq!((out.status.code(), stderr.as_str()), (Some(1), ""), "{stdout}");
    assert_eq!(stdout.lines().count(), 1, "{stdout}");
    assert!(stdout.starts_with("tmux-status: cannot "), "{stdout}");
    for part in parts.iter().chain(&["the old file stays"]) {
        assert!(stdout.contains(part), "{part:?} is not in {stdout}");
    }
}

#[track_caller]
fn is_silent(out: &Output) {
    assert_eq!(
        (out.status.code(), words(out)),
        (Some(0), (String::new(), String::new()))
    );
}

#[track_caller]
fn no_half_written_file(server: &Server) {
    let names = server.files();
    assert!(!names.iter().any(|name| name.ends_with(".tmp")), "{names:?}");
}

#[test]
fn a_file_in_place_of_the_folder_stays_as_it_is() {
    let server = Server::quiet();
    let folder = server.status_file().parent().unwrap().to_owned();
    fs::write(&folder, "mine").unwrap();
    let before = Stamp::of(&folder);
    is_unwritten(&server.helper(&["refresh"]), &["cannot make the folder ", "/thegrid: "]);
    is_silent(&server.helper(&["refresh", "--hook", "x"]));
    assert_eq!(Stamp::of(&folder), before);
    let told = words(&server.helper(&["doctor"])).0;
    assert!(told.contains("BAD  cannot make the folder "), "{told}");
}

#[test]
fn a_folder_in_place_of_the_file_stays_as_it_is_and_hooks_complain_to_doctor() {
    let server = Server::quiet();
    server.refresh();
    let state = Stamp::of(&server.state_file());
    fs::remove_file(server.status_file()).unwrap();
    fs::create_dir(server.status_file()).unwrap();
    server.run("rename-window -t work:0 renamed");
    is_unwritten(&server.helper(&["refresh"]), &["tmux-status.json: Is a directory"]);
    is_silent(&server.helper(&["refresh", "--hook", "x"]));
    no_half_written_file(&server);
    assert_eq!(fs::read_dir(server.status_file()).unwrap().count(), 0);
    // What was not told must not count as told.
    assert_eq!(Stamp::of(&server.state_file()), state);
    let told = words(&server.helper(&["doctor"])).0;
    assert!(
        told.contains("ago a hook's refresh failed: cannot write ") && told.contains("Is a directory"),
        "{told}"
    );
    fs::remove_dir(server.status_file()).unwrap();
    server.refresh();
    assert_eq!(server.names(), ["renamed"]);
}

#[test]
fn a_place_of_the_users_own_that_cannot_be_written_is_named() {
    let server = Server::quiet();
    fs::write(server.room().join("file"), "mine").unwrap();
    let wanted = server.room().join("file/status.json");
    server.tmux(&["set-option", "-g", "@tmux-status-file", wanted.to_str().unwrap()]);
    is_unwritten(&server.helper(&["refresh"]), &["/file: "]);
    is_silent(&server.helper(&["refresh", "--hook", "x"]));
    let told = words(&server.helper(&["doctor"])).0;
    assert!(
        told.contains("a hook's refresh failed: cannot make the folder "),
        "{told}"
    );
    server.run("set-option -gu @tmux-status-file");
    server.refresh();
    assert_eq!(server.names().len(), 1);
}

#[test]
fn a_folder_that_its_user_may_not_write_keeps_the_old_file() {
    if rustix::process::getuid().is_root() {
        skip("a_folder_that_its_user_may_not_write", "permissions do not bind root");
        return;
    }
    let server = Server::quiet();
    server.refresh();
    let before = Stamp::of(&server.status_file());
    let folder = server.status_file().parent().unwrap().to_owned();
    server.run("rename-window -t work:0 renamed");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o500)).unwrap();
    is_unwritten(&server.helper(&["refresh"]), &["Permission denied"]);
    is_silent(&server.helper(&["refresh", "--hook", "x"]));
    assert_eq!(Stamp::of(&server.status_file()), before);
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o700)).unwrap();
    server.refresh();
    assert_eq!(server.names(), ["renamed"]);
}

/// Runs an sh script with a small file system of its own mounted over the folder of the files. The mount is seen by the
/// script alone, and ends with it.
fn on_a_small_disk(server: &Server, name: &str, script: &str) -> bool {
    let folder = server.status_file().parent().unwrap().to_owned();
    fs::create_dir_all(&folder).unwrap();
    let body = format!(
        "set -u\nfolder={}\nhelper={}\nroom={}\nfail() {{ echo \"$*\" >&2; exit 1; }}\n\
         mount -t tmpfs -o size=64k none \"$folder\" || exit 77\n{script}",
        shell_word(&folder),
        shell_word(HELPER.as_ref()),
        shell_word(server.room()),
    );
    let script = server.write_script("on-a-small-disk", &body);
    let options: &[&str] = if rustix::process::getuid().is_root() {
        &["-m"]
    } else {
        &["-m", "--map-current-user", "--keep-caps"]
    };
    let Ok(out) = server.command("unshare").args(options).arg(&script).output() else {
        skip(name, "unshare is not installed");
        return false;
    };
    let (stdout, stderr) = words(&out);
    // util-linux says 1 when it may not unshare.
    if out.status.code() == Some(77) || stderr.starts_with("unshare: ") {
        skip(name, &format!("no file system can be mounted here: {}", stderr.trim()));
        return false;
    }
    assert!(out.status.success(), "{stdout}{stderr}");
    true
}

/// Checks, in the script, that refreshes fail as they should and keep the file.
const FAILS: &str = r#"
words=$("$helper" refresh 2>"$room/errors") && fail "a refresh succeeded"
case $words in "tmux-status: cannot "*"$why"*"; the old file stays") ;; *) fail "it said: $words" ;; esac
[ -s "$room/errors" ] && fail "it said on stderr: $(cat "$room/errors")"
words=$("$helper" refresh --hook x 2>&1) || fail "a hook's refresh failed"
[ -z "$words" ] || fail "a hook's refresh said: $words"
cmp "$folder/tmux-status.json" "$room/before" || fail "the old file has changed"
for left in "$folder"/*.tmp; do [ ! -e "$left" ] || fail "$left is left"; done
"#;

#[test]
fn a_full_disk_keeps_the_old_file_and_the_next_look_after_it_heals() {
    let server = Server::quiet();
    let script = format!(
        "{}{FAILS}{}",
        r#"
"$helper" refresh || fail "the first refresh failed"
cp "$folder/tmux-status.json" "$room/before"
tmux rename-window -t work:0 renamed
dd if=/dev/zero of="$folder/fill" bs=1k 2>/dev/null
why="No space left on device"
"#,
        r#"
rm "$folder/fill"
"$helper" refresh || fail "it did not heal"
grep -q '"name": "renamed"' "$folder/tmux-status.json" || fail "the file is not true"
"#
    );
    on_a_small_disk(&server, "a_full_disk_keeps_the_old_file", &script);
}

#[test]
fn a_driver_lives_through_a_full_disk() {
    let server = Server::quiet();
    let script = r#"
until_true() { tries=0; until "$@" 2>/dev/null; do tries=$((tries + 1)); [ $tries -lt 300 ] || fail "in vain: $*"; sleep 0.05; done; }
"$helper" watch 2>"$room/errors" &
driver=$!
trap 'kill "$driver"; wait "$driver"' EXIT
until_true grep -q '"name": "quiet"' "$folder/tmux-status.json"
cp "$folder/tmux-status.json" "$room/before"
dd if=/dev/zero of="$folder/fill" bs=1k 2>/dev/null
tmux rename-window -t work:0 renamed
until_true grep -q 'No space left on device' "$room/errors"
cmp "$folder/tmux-status.json" "$room/before" || fail "the old file has changed"
rm "$folder/fill"
until_true grep -q '"name": "renamed"' "$folder/tmux-status.json"
[ "$(grep -c 'No space left' "$room/errors")" = 1 ] || fail "it was told more than once"
"#;
    on_a_small_disk(&server, "a_driver_lives_through_a_full_disk", script);
}

#[test]
fn a_read_only_disk_keeps_the_old_file() {
    let server = Server::quiet();
    let script = format!(
        "{}{FAILS}",
        r#"
"$helper" refresh || fail "the first refresh failed"
cp "$folder/tmux-status.json" "$room/before"
tmux rename-window -t work:0 renamed
mount -o remount,ro "$folder" || exit 77
why="Read-only file system"
"#
    );
    on_a_small_disk(&server, "a_read_only_disk_keeps_the_old_file", &script);
}

#[test]
fn the_end_of_a_server_whose_file_cannot_be_written_is_told_as_well() {
    let server = Server::quiet();
    server.refresh();
    fs::remove_file(server.status_file()).unwrap();
    fs::create_dir(server.status_file()).unwrap();
    let pid = server.pid();
    server.run("kill-server");
    wait_for("the end of the server", || !runs(pid));
    is_unwritten(&server.helper(&["refresh"]), &["Is a directory"]);
    no_half_written_file(&server);
}

#[test]
fn a_pipe_in_place_of_the_status_file_is_refused_and_never_waited_on() {
    let server = Server::quiet();
    let pipe = server.room().join("pipe");
    assert!(server.command("mkfifo").arg(&pipe).status().unwrap().success());
    server.tmux(&["set-option", "-g", "@tmux-status-file", pipe.to_str().unwrap()]);
    for _ in 0..2 {
        let out = server.helper(&["refresh"]);
        let (stdout, _) = support::words(&out);
        assert_eq!(out.status.code(), Some(1));
        assert!(
            stdout.contains("not a regular file") && stdout.contains("pipe"),
            "{stdout}"
        );
    }
}

#[test]
fn a_folder_whose_name_is_no_text_holds_both_files() {
    use std::os::unix::ffi::OsStrExt;
    let server = Server::quiet();
    let folder = server.room().join(std::ffi::OsStr::from_bytes(b"st\xffate"));
    for full in [false, true] {
        let mut command = server.command(support::HELPER);
        command.arg("refresh").env("XDG_STATE_HOME", &folder);
        let out = if full {
            command.arg("--full").output()
        } else {
            command.output()
        }
        .unwrap();
        assert!(out.status.success(), "{out:?}");
    }
    assert!(folder.join("thegrid/tmux-status.json").exists());
    assert!(folder.join("thegrid/tmux-status.state.json").exists());
}
