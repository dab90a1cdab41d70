//! Whether the foreground program waits for input from its terminal, and for what kind: a fact the kernel knows.

use super::format::Input;
use crate::model::{Process, Terminal};

/// Kernel functions in which a process sleeps that reads a terminal.
const TERMINAL_READS: &[&str] = &["n_tty_read", "wait_woken", "tty_read", "ttyin", "ttread"];

/// The processes of the terminal's foreground group.
pub fn foreground(processes: &[Process]) -> impl Iterator<Item = &Process> {
    processes.iter().filter(|p| p.on_terminal && p.tpgid == Some(p.pgid))
}

/// How the foreground program reads its terminal; `None` when the evidence does not tell.
///
/// Which process reads does not matter: `git` asks through `git-remote-http`. A terminal without echo that collects lines
/// is a password whatever the processes show, since nothing else sets it so.
///
/// `asked` is whether text stands before the cursor: a program that holds a socket as well as the terminal could be reading
/// either, and one that asks says what.
pub fn input(processes: Option<&[Process]>, terminal: Option<Terminal>, asked: bool) -> Option<Input> {
    let terminal = terminal?;
    if !terminal.canonical {
        return Some(Input::Raw);
    }
    if !terminal.echo {
        return Some(Input::Password);
    }
    let (mut seen, mut unsure) = (false, false);
    for process in foreground(processes?) {
        match reads_terminal(process, asked) {
            Some(true) => return Some(Input::Line),
            Some(false) => seen = true,
            None => {}
        }
        // The first thread of a Go or Java program waits for the others, of which one may read. Where those were not looked
        // at, a program that shows text before the cursor could be asking.
        let waits = process.wchan.as_deref().is_some_and(|wchan| wchan.starts_with("futex"));
        unsure |= waits && asked && process.open.is_none();
    }
    (seen && !unsure).then_some(Input::Nothing)
}

/// Whether a process is blocked in a read of its terminal.
fn reads_terminal(process: &Process, asked: bool) -> Option<bool> {
    if process.state == 'R' || process.state == 'T' || process.state == 'Z' {
        return Some(false);
    }
    // `wait_woken` is also a blocking read of a socket. What the process has open tells them apart, mostly.
    if process.open.is_some_and(|open| !open.terminal || open.socket && !asked) {
        return Some(false);
    }
    // The system call does for sure, where it may be seen: a socket is read by other calls than read (0 on x86-64, 63 on
    // arm64) and readv.
    if let Some((number, _)) = process.syscall {
        if !matches!(number, 0 | 19 | 63 | 65) {
            return Some(false);
        }
    }
    let wchan = process.wchan.as_deref().filter(|w| !w.is_empty() && *w != "0")?;
    Some(TERMINAL_READS.iter().any(|name| wchan.starts_with(name)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Open;

    fn process(args: &str, wchan: Option<&str>, syscall: Option<u64>) -> Process {
        Process {
            pid: 9,
            pgid: 9,
            tpgid: Some(9),
            state: 'S',
            args: vec![args.into()],
            on_terminal: true,
            wchan: wchan.map(Into::into),
            syscall: syscall.map(|n| (n, 0)),
            ..Process::default()
        }
    }

    const COOKED: Option<Terminal> = Some(Terminal {
        canonical: true,
        echo: true,
        signals: true,
    });
    const SECRET: Option<Terminal> = Some(Terminal {
        canonical: true,
        echo: false,
        signals: true,
    });
    const RAW: Option<Terminal> = Some(Terminal {
        canonical: false,
        echo: false,
        signals: true,
    });

    #[test]
    fn recorded_waits_are_told_apart() {
        let recorded = [
            (
                process("python3", Some("wait_woken"), Some(0)),
                COOKED,
                Some(Input::Line),
            ),
            (process("cat", Some("n_tty_read"), None), COOKED, Some(Input::Line)),
            (
                process("ssh", Some("wait_woken"), Some(0)),
                SECRET,
                Some(Input::Password),
            ),
            (process("sudo", None, None), SECRET, Some(Input::Password)),
            (
                process("bash", Some("poll_schedule_timeout.constprop.0"), Some(270)),
                RAW,
                Some(Input::Raw),
            ),
            (
                process("tail", Some("poll_schedule_timeout.constprop.0"), Some(7)),
                COOKED,
                Some(Input::Nothing),
            ),
            (
                process("nc", Some("wait_woken"), Some(45)),
                COOKED,
                Some(Input::Nothing),
            ),
            (process("python3", Some("0"), None), COOKED, None),
        ];
        for (process, terminal, expected) in recorded {
            assert_eq!(
                input(Some(std::slice::from_ref(&process)), terminal, true),
                expected,
                "{process:?}"
            );
        }
        assert_eq!(input(None, None, true), None);
    }

    #[test]
    fn a_socket_is_told_from_the_terminal_without_the_system_call() {
        let with = |terminal, socket, asked| {
            let open = Some(Open { terminal, socket });
            let process = Process {
                open,
                ..process("x", Some("wait_woken"), None)
            };
            input(Some(&[process]), COOKED, asked)
        };
        assert_eq!(with(true, false, false), Some(Input::Line));
        assert_eq!(with(true, true, true), Some(Input::Line));
        assert_eq!(with(true, true, false), Some(Input::Nothing));
        assert_eq!(with(false, true, true), Some(Input::Nothing));
    }

    #[test]
    fn a_program_of_several_threads_may_ask_where_they_were_not_looked_at() {
        let with = |open, asked| {
            let process = Process {
                open,
                ..process("go", Some("futex_do_wait"), None)
            };
            input(Some(&[process]), COOKED, asked)
        };
        assert_eq!(with(None, true), None);
        assert_eq!(with(None, false), Some(Input::Nothing));
        assert_eq!(with(Some(Open::default()), true), Some(Input::Nothing));
    }

    #[test]
    fn any_process_of_the_foreground_group_may_be_the_one_that_asks() {
        let git = process("git", Some("anon_pipe_read"), Some(0));
        let helper = process("git-remote-http", Some("wait_woken"), Some(0));
        assert_eq!(input(Some(&[git.clone(), helper]), COOKED, true), Some(Input::Line));
        let background = Process {
            pgid: 3,
            ..process("cat", Some("n_tty_read"), None)
        };
        assert_eq!(input(Some(&[git, background]), COOKED, true), Some(Input::Nothing));
    }
}
