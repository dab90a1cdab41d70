//! A command as it is given to the shell in a pane: a script that the shell reads, so that little is typed, and marks in
//! its output that no terminal shows.
//!
//! The marks are operating system commands that tmux does not know and therefore swallows; a pipe gets them. Where there
//! is no pipe, the script leaves the same words in a file.

use crate::text;
use std::path::Path;

/// tmux ignores this number, and no terminal is known to use it.
const NUMBER: u32 = 7791;

/// Shells that can run the script, by tmux's word for them.
const SHELLS: [&str; 12] = [
    "sh", "bash", "dash", "zsh", "ksh", "ksh93", "mksh", "lksh", "oksh", "pdksh", "ash", "yash",
];

/// Whether tmux's word for the foreground program is that of a shell that is known to be one of POSIX's.
pub fn is_shell(command: &str) -> bool {
    // A login shell's name begins with a minus.
    SHELLS.contains(&command.strip_prefix('-').unwrap_or(command))
}

/// A command in its frame.
#[derive(Debug, Clone, Copy)]
pub struct Frame<'a> {
    /// The command.
    pub command: &'a str,
    /// What no other output holds.
    pub nonce: &'a str,
    /// Whether the shell is to forget it.
    pub suppress_history: bool,
    /// Where the script leaves its words, if not in the output.
    pub file: Option<&'a Path>,
    /// The column and the width at which the command is shown in place of what was typed, if there is room.
    pub shown_at: Option<(u32, u32)>,
}

impl Frame<'_> {
    fn say(&self, words: &str, arguments: &str) -> String {
        let nonce = self.nonce;
        match self.file.and_then(Path::to_str) {
            Some(path) => format!("\\printf '{words}\\n' {arguments} >>{}", text::for_shell(path)),
            None => format!("\\printf '\\033]{NUMBER};{nonce};{words}\\007' {arguments}"),
        }
    }

    /// What is seen in place of what was typed, where there is room.
    pub fn shown(&self) -> Option<String> {
        let (column, width) = self.shown_at?;
        let room = usize::try_from(width.saturating_sub(column + 1)).unwrap_or(0);
        Some(text::one_line(self.command, room))
    }

    /// The script. All but the history is done in a subshell, so that the shell stays as it is; the command has one of its
    /// own within, which is what a key such as C-c ends.
    pub fn script(&self) -> String {
        let quoted = text::for_shell(self.command);
        let history = match self.suppress_history {
            true => String::new(),
            // bash puts this in the place of the line that was typed.
            false => format!(
                "if [ -n \"${{BASH_VERSION-}}\" ]; then \\history -s -- {quoted}; elif [ -n \
                 \"${{ZSH_VERSION-}}${{KSH_VERSION-}}\" ]; then \\print -s -r -- {quoted}; fi 2>/dev/null\n"
            ),
        };
        let show = self
            .shown_at
            .zip(self.shown())
            .map_or_else(String::new, |((column, _), shown)| {
                let (column, shown) = (column + 1, text::for_shell(&shown));
                format!("\\printf '\\033[A\\033[%dG\\033[K%s\\n' {column} {shown}\n")
            });
        let begin = self.say("begin", "");
        let end = self.say("end;%s;", "\"$__ts_status\"");
        // Flags that would show the frame, or end it, are set again for the command alone, as the last thing before it.
        let flags =
            "case $__ts_flags in *e*) \\set -e;; esac; case $__ts_flags in *x*) \\unset __ts_flags __ts_signal; \\set \
                     -x;; *) \\unset __ts_flags __ts_signal;; esac";
        let evaluated = text::for_shell(&format!("{flags}\n{}", self.command));
        format!(
            "{history}(\n\
             {{ __ts_flags=$-; \\set +xve; }} 2>/dev/null\n\
             \\trap : INT QUIT TERM\n\
             {show}{begin}\n\
             (\n\\trap - INT QUIT TERM\n\\eval {evaluated}\n)\n\
             __ts_status=$?\n\
             {end}\n\
             \\exit \"$__ts_status\"\n\
             )\n"
        )
    }

    /// Finds the mark in `output` that begins with `word`: where it begins, what it says, and where it ends.
    fn find<'o>(&self, output: &'o [u8], word: &str) -> Option<(usize, &'o str, usize)> {
        let start = format!("\x1b]{NUMBER};{};{word}", self.nonce);
        let at = find(output, start.as_bytes())?;
        let rest = output.get(at + start.len()..)?;
        let length = rest.iter().position(|byte| *byte == 0x07)?;
        let says = std::str::from_utf8(rest.get(..length)?).ok()?;
        Some((at, says, at + start.len() + length + 1))
    }

    /// Where the command's output begins.
    pub fn begin(&self, output: &[u8]) -> Option<usize> {
        self.find(output, "begin").map(|(_, _, end)| end)
    }

    /// Where the command's output ends, and how it ended.
    pub fn end(&self, output: &[u8]) -> Option<(usize, Status)> {
        let (at, says, _) = self.find(output, "end;")?;
        Some((at, Status::read(says)?))
    }

    /// What a file says: whether the command has begun, and how it ended.
    pub fn read_file(text: &str) -> (bool, Option<Status>) {
        let end = text.lines().find_map(|line| line.strip_prefix("end;"));
        (text.starts_with("begin\n"), end.and_then(Status::read))
    }
}

/// How a command ended, as far as a shell can tell: it makes 128 and the signal's number of one that a signal has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Status {
    /// Its exit status; `None` when a signal has ended it.
    pub exit: Option<i32>,
    /// That signal.
    pub signal: Option<i32>,
}

impl Status {
    fn read(says: &str) -> Option<Self> {
        let status: i32 = says.split(';').next()?.parse().ok()?;
        // ksh makes it 256; a command that exits with such a status itself cannot be told apart.
        let signal = [128, 256]
            .into_iter()
            .map(|base| status - base)
            .find(|signal| (1..32).contains(signal));
        Some(Self {
            exit: signal.is_none().then_some(status),
            signal,
        })
    }
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|part| part == what)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame<'_> = Frame {
        command: "x",
        nonce: "n0",
        suppress_history: true,
        file: None,
        shown_at: None,
    };

    #[test]
    fn output_is_what_stands_between_the_marks() {
        let output = b"$ . /x\r\n\x1b]7791;n0;begin\x07out\x1b]7791;n1;end;0;\x07\r\n\x1b]7791;n0;end;3;\x07$ ";
        let (from, (to, status)) = (FRAME.begin(output).unwrap(), FRAME.end(output).unwrap());
        assert_eq!(&output[from..to], b"out\x1b]7791;n1;end;0;\x07\r\n");
        assert_eq!(
            status,
            Status {
                exit: Some(3),
                signal: None
            }
        );
        assert_eq!(FRAME.end(&output[..output.len() - 4]), None, "half a mark is none");
    }

    #[test]
    fn a_signal_that_ended_it_is_no_exit_status() {
        let of = |says: &str| Status::read(says).map(|status| (status.exit, status.signal));
        assert_eq!(of("130;"), Some((None, Some(2))));
        assert_eq!(of("265;"), Some((None, Some(9))));
        for exit in [0, 1, 127, 128, 160, 255] {
            assert_eq!(of(&format!("{exit};")), Some((Some(exit), None)));
        }
        assert_eq!(of("x;"), None);
    }

    #[test]
    fn shells_are_known_by_name() {
        assert!(is_shell("bash") && is_shell("-zsh"));
        assert!(!is_shell("fish") && !is_shell("vim") && !is_shell("--sh") && !is_shell(""));
    }
}
