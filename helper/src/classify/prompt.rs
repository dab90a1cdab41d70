//! Finds a shell's prompt at the cursor, whatever it looks like, and the last command above it with its output.
//!
//! Nothing is known of the user's prompt. Two things give it away: the same text stands before earlier commands on the
//! screen, or it ends in one of the signs that prompts end in. Which shell it is, and whether it is one at all, is not
//! decided here.

use super::view::View;
use std::ops::Range;

/// Signs that end a prompt, when a blank or the end of the line follows.
const SIGNS: &[char] = &[
    '$', '#', '%', '>', '❯', '➜', 'λ', '»', '›', '▶', '⟩', '❱', '\u{e0b0}', '\u{e0b1}', '⇒', '→', '❭', '⟫', '✗', '∴',
    '⚡', '〉', '➤',
];

/// Signs behind which a shell's words begin; the others also part the segments of one prompt.
const STRONG: [char; 4] = ['$', '#', '%', '❯'];

/// A prompt at the cursor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What is typed behind it and not sent; empty at rest.
    pub typed: String,
    /// The command before it, when it is still visible.
    pub command: Option<String>,
    /// The lines that command printed, in the view.
    pub output: Range<usize>,
    /// The exit status that the prompt itself shows, when it is not zero.
    pub status: Option<u32>,
    /// Whether nothing but prompts stands above it.
    pub fresh: bool,
    /// Whether it is a continuation of an unfinished command (`> `, `dquote>`).
    pub continued: bool,
    /// Whether a sign or a repetition shows where the prompt ends; else the whole line is taken for it.
    pub sure: bool,
}

impl Prompt {
    /// The prompt at the cursor of `view`; `None` when the cursor's line is blank or the cursor is away.
    pub fn find(view: &View<'_>) -> Option<Prompt> {
        let cursor = view.cursor?;
        let (line, left) = view.cursor_line()?;
        // In vi's command mode the cursor stands on the last character, not behind it.
        let rest = line.get(left.len()..).unwrap_or_default();
        let left = if rest.chars().count() == 1 { line } else { left };
        // A long command wraps: the prompt is then some full lines above the cursor.
        let mut first = cursor;
        while first > 0
            && cursor - first < 6
            && is_full(view, first - 1)
            && split(left_part(view, first, cursor)).is_none()
        {
            first -= 1;
        }
        let whole = (first..cursor)
            .filter_map(|at| view.lines.get(at))
            .map(|line| line.text)
            .collect::<String>()
            + left;
        let whole = whole.trim_end();
        if whole.is_empty() {
            return None;
        }
        let found = known_before(view, first, whole)
            .map(|prompt| (prompt, whole.get(prompt.len()..).unwrap_or_default()))
            .or_else(|| segments(whole).map(|prompt| (prompt, "")))
            .or_else(|| split(whole));
        let (prompt, typed) = found.unwrap_or((whole, ""));
        let shape = Shape::of(prompt);
        let continued = matches!(
            prompt.trim(),
            ">" | "quote>" | "dquote>" | "bquote>" | "pipe>" | "for>" | "while>" | "then>"
        ) && view
            .lines
            .get(first.wrapping_sub(1))
            .is_some_and(|l| split(l.text).is_some_and(|(p, _)| p.trim() != prompt.trim()));
        let earlier = (0..first).rev().find_map(|at| {
            let line = view.lines.get(at)?;
            let all = shape.command_of(line.text)?;
            let command = without_right_prompt(all, line.text, view.width).trim();
            // A line that was given up with Ctrl-C was no command.
            (!command.is_empty() && command != "^C")
                .then(|| (at, command.to_owned(), all.trim().len() == command.len()))
        });
        let header = usize::from(shape.is_sign_only() && has_header(view, first, &shape));
        let output_end = first.saturating_sub(header);
        let (command, output) = match earlier {
            Some((at, mut command, open)) => {
                let mut after = at + 1;
                while open && after < first && is_full(view, after - 1) {
                    let Some(line) = view.lines.get(after) else { break };
                    // A break inside a word shows as a full line, one at a blank leaves that blank off its end.
                    if crate::text::width(view.lines.get(after - 1).map_or("", |l| l.text)) < view.width {
                        command.push(' ');
                    }
                    command.push_str(line.text);
                    after += 1;
                }
                (Some(command), after..output_end.max(after))
            }
            None => (None, 0..output_end),
        };
        let command_on = |at: usize| view.lines.get(at).and_then(|line| shape.command_of(line.text));
        let bare = |at: usize| {
            let line = view.lines.get(at).map_or("", |line| line.text);
            command_on(at).is_some_and(|c| without_right_prompt(c, line, view.width).trim().is_empty())
        };
        let empty = |at: usize| view.lines.get(at).is_none_or(|line| line.text.is_empty());
        // The header of a two-line prompt stands right above its bare sign.
        let fresh =
            command.is_none() && (0..output_end).all(|at| empty(at) || bare(at) || (header > 0 && bare(at + 1)));
        Some(Prompt {
            typed: typed.trim().to_owned(),
            command,
            output,
            status: status_in(prompt),
            fresh,
            continued,
            sure: found.is_some(),
        })
    }
}

/// The start of a line by which a prompt is known again, when the directory in it has changed meanwhile.
struct Shape<'a> {
    prompt: &'a str,
    sign: Option<char>,
    start: &'a str,
}

impl<'a> Shape<'a> {
    fn of(prompt: &'a str) -> Self {
        let trimmed = prompt.trim_end();
        let sign = trimmed.chars().next_back().filter(|c| SIGNS.contains(c));
        let word = trimmed
            .trim_start()
            .split([' ', ':', '/', '~', '='])
            .next()
            .unwrap_or_default();
        // `DB<2>` counts what was typed.
        let word = word
            .trim_end_matches(['>', ')'])
            .trim_end_matches(|c: char| c.is_ascii_digit());
        Shape {
            prompt: trimmed,
            sign,
            start: word,
        }
    }

    fn is_sign_only(&self) -> bool {
        // `╰─❯` is a sign, too; `/ #` names a folder.
        self.sign.is_some()
            && !self
                .prompt
                .contains(|c: char| c.is_alphanumeric() || matches!(c, '~' | '/'))
    }

    /// The command behind such a prompt on `line`.
    fn command_of<'l>(&self, line: &'l str) -> Option<&'l str> {
        if let Some(rest) = line.strip_prefix(self.prompt) {
            return (rest.is_empty() || rest.starts_with([' ', '\u{a0}']) || self.sign == Some('〉')).then_some(rest);
        }
        let sign = self.sign?;
        if self.is_sign_only() || self.start.is_empty() {
            return None;
        }
        let (prompt, command) = split(line)?;
        let same_sign = prompt.trim_end().ends_with(sign) || prompt.trim_end().ends_with(['$', '#', '✗']);
        (same_sign && prompt.trim_start().starts_with(self.start)).then_some(command)
    }
}

/// Splits a line behind the first sign that a blank or the end follows, and behind any signs that follow it alone: `✗ $`.
pub fn split(line: &str) -> Option<(&str, &str)> {
    if let Some(end) = arrow_first(line) {
        return line.split_at_checked(end);
    }
    let (prompt, rest) = split_once(line)?;
    let (mut end, mut at, mut weak) = (prompt.len(), prompt.len(), !prompt.ends_with(STRONG));
    for word in rest.split_inclusive([' ', '\u{a0}']) {
        at += word.len();
        let sign = word.trim();
        // `$ #` begins a comment, and a typed `>` redirects: only signs that are no words of a shell go on.
        if weak && sign.chars().count() == 1 && sign.ends_with(SIGNS) {
            end = at - (word.len() - word.trim_end().len());
            weak = !sign.ends_with(STRONG);
        } else if !sign.is_empty() {
            break;
        }
    }
    line.split_at_checked(end)
}

/// The end of a prompt that begins with its sign and names folder and branch behind it: `➜  site git:(main) ✗`.
fn arrow_first(line: &str) -> Option<usize> {
    let rest = line.strip_prefix("➜  ")?;
    let from = line.len() - rest.len();
    let folder = rest.find(' ').unwrap_or(rest.len());
    let mut end = from + folder;
    let after = rest.get(folder..).unwrap_or_default();
    let branch = after.trim_start();
    if let Some(inside) = branch.strip_prefix("git:(") {
        end = line.len() - inside.len() + inside.find(')')? + 1;
        let mark = line.get(end..).unwrap_or_default();
        if let Some(behind) = mark.trim_start().strip_prefix('✗') {
            end = line.len() - behind.len();
        }
    }
    (folder > 0).then_some(end)
}

fn split_once(line: &str) -> Option<(&str, &str)> {
    let mut previous = ' ';
    for (at, c) in line.char_indices() {
        if c.is_ascii_alphanumeric() || c == ' ' || !SIGNS.contains(&c) {
            previous = c;
            continue;
        }
        let end = at + c.len_utf8();
        let rest = line.get(end..).unwrap_or_default();
        let ends_here = rest.is_empty() || rest.starts_with([' ', '\u{a0}']) || c == '〉';
        // `85%` is a number; `->` and `=>` are arrows in output.
        let number_or_arrow = (c == '%' && previous.is_ascii_digit()) || (c == '>' && matches!(previous, '-' | '='));
        if ends_here && !number_or_arrow && crate::text::width(line.get(..end).unwrap_or_default()) <= 100 {
            return line.split_at_checked(end);
        }
        previous = c;
    }
    None
}

/// What `whole` and an earlier line both begin with: the prompt, proven by repetition. Only asked where no strong sign shows
/// where the prompt ends.
fn known_before<'w>(view: &View<'_>, first: usize, whole: &'w str) -> Option<&'w str> {
    let found = split(whole);
    if found.is_some_and(|(prompt, _)| prompt.ends_with(STRONG)) || arrow_first(whole).is_some() {
        return None;
    }
    let above = view.lines.get(..first)?;
    above.iter().rev().find_map(|line| {
        let same = common(line.text, whole);
        let rest = line.text.get(same.len()..).unwrap_or_default();
        match found {
            None if same == whole => (rest.is_empty() || rest.starts_with([' ', '\u{a0}'])).then_some(whole),
            None => {
                let prompt = same.get(..same.rfind(' ')?)?.trim_end();
                let telling = |c: char| !c.is_ascii() || matches!(c, '~' | '/' | ':' | '@' | ']' | ')');
                prompt.contains(telling).then_some(prompt)
            }
            Some((sure, _)) => {
                let mut ends = same.char_indices().filter(|(at, c)| {
                    let after = whole.get(at + c.len_utf8()..).unwrap_or_default();
                    SIGNS.contains(c) && (after.is_empty() || after.starts_with(' '))
                });
                let end = ends.next_back().map(|(at, c)| at + c.len_utf8())?;
                (end > sure.len()).then(|| whole.get(..end)).flatten()
            }
        }
    })
}

/// The text that both begin with.
fn common<'w>(line: &str, whole: &'w str) -> &'w str {
    let differ = whole.char_indices().zip(line.chars()).find(|((_, a), b)| a != b);
    let end = differ.map_or(whole.len().min(line.len()), |((at, _), _)| at);
    whole.get(..end).unwrap_or(whole)
}

/// A prompt of several segments parted by its own sign (`dev > api > main >`) at rest: it is all of the line.
fn segments(whole: &str) -> Option<&str> {
    let sign = whole
        .chars()
        .next_back()
        .filter(|c| SIGNS.contains(c) && !STRONG.contains(c))?;
    let (prompt, rest) = split_once(whole)?;
    if rest.trim().is_empty() || prompt.ends_with(STRONG) {
        return None;
    }
    // Powerline glyphs are typed by nobody; a `>` may be, and is only known by repetition.
    (!sign.is_ascii()).then_some(whole)
}

/// Whether the line above a prompt's bare sign belongs to the prompt. It does when the same kind of line stands above an
/// earlier sign; without one, signs of two-line prompts and lines that name a folder are taken for it.
fn has_header(view: &View<'_>, first: usize, shape: &Shape<'_>) -> bool {
    let text = |at: usize| view.lines.get(at).map_or("", |line| line.text);
    let Some(above) = first.checked_sub(1).map(text).filter(|above| !above.is_empty()) else {
        return false;
    };
    if shape.command_of(above).is_some() {
        return false;
    }
    let earlier = (0..first).rev().find(|&at| shape.command_of(text(at)).is_some());
    match earlier.map(|at| at.checked_sub(1).map(text)) {
        Some(Some(known)) => alike(known, above) || names_folder(above) && names_folder(known),
        // What stood above it has left the screen, if anything did.
        Some(None) => names_folder(above) || !above.is_ascii(),
        None => names_folder(above) || !shape.prompt.is_ascii(),
    }
}

/// Whether two lines begin or end with the same word.
fn alike(one: &str, other: &str) -> bool {
    let ends = |line: &str| {
        let mut words = line.split_whitespace();
        (words.next().map(str::to_owned), words.next_back().map(str::to_owned))
    };
    let ((first, last), (other_first, other_last)) = (ends(one), ends(other));
    first.is_some() && first == other_first || last.is_some() && last == other_last
}

/// Whether a line names a folder as prompts do: at its start, below home, or behind `user@host`.
fn names_folder(line: &str) -> bool {
    let line = line.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '~' | '/'));
    let word = line.split_whitespace().next().unwrap_or_default();
    line.starts_with(['~', '/']) || word.contains('@') && !word.contains("://") || line.contains(" ~")
}

/// A line that fills the pane's width, so that the next one continues it.
fn is_full(view: &View<'_>, at: usize) -> bool {
    view.width >= 20
        && view
            .lines
            .get(at)
            .is_some_and(|line| crate::text::width(line.text) + 1 >= view.width)
}

fn left_part<'v>(view: &View<'v>, first: usize, cursor: usize) -> &'v str {
    match view.lines.get(first) {
        Some(_) if first == cursor => view.cursor_line().map_or("", |(_, left)| left),
        Some(line) => line.text,
        None => "",
    }
}

/// A command without the prompt that zsh or fish draws at the right edge of its line.
fn without_right_prompt<'c>(command: &'c str, line: &str, width: usize) -> &'c str {
    let reaches_edge = crate::text::width(line) + 2 >= width;
    match command.find("     ") {
        Some(at) if reaches_edge && !command.trim_start_matches(' ').is_empty() => {
            let command = command.strip_prefix(' ').unwrap_or(command);
            command.get(..at.saturating_sub(1)).unwrap_or(command)
        }
        _ => command,
    }
}

/// A failure's status that the prompt shows: `[1]>`, `✘ 127`, `(exit 2) $`.
fn status_in(prompt: &str) -> Option<u32> {
    let digits_after = |text: &str| -> Option<u32> {
        let digits: String = text.trim_start().chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok().filter(|&n| n > 0 && n < 256)
    };
    for mark in ["✘", "✗", "↵", "exit "] {
        if let Some((_, rest)) = prompt.split_once(mark) {
            if let Some(status) = digits_after(rest) {
                return Some(status);
            }
        }
    }
    let inner = prompt.trim_end().trim_end_matches(SIGNS).trim_end().strip_suffix(']')?;
    let (_, inside) = inner.rsplit_once('[')?;
    inside
        .chars()
        .all(|c| c.is_ascii_digit())
        .then(|| digits_after(inside))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(rows: &[&str], width: u32) -> Prompt {
        let rows: Vec<String> = rows.iter().map(|r| r.to_string()).collect();
        let last = rows.len() - 1;
        let x = crate::text::width(rows[last].trim_end_matches('|')) as u32;
        let rows: Vec<String> = rows.iter().map(|r| r.trim_end_matches('|').to_string()).collect();
        Prompt::find(&View::new(&rows, (x, last as u32), width, "", "")).unwrap()
    }

    #[test]
    fn a_plain_prompt_gives_command_and_output() {
        let p = find(
            &[
                "dev@box:~$ cd code",
                "dev@box:~/code$ make x",
                "make: *** No rule",
                "dev@box:~/code$ |",
            ],
            80,
        );
        assert_eq!(p.command.as_deref(), Some("make x"));
        assert_eq!(p.output, 2..3);
        assert_eq!(p.typed, "");
    }

    #[test]
    fn a_two_line_prompt_keeps_its_header_out_of_the_output() {
        let p = find(
            &["api on main via v20", "❯ ls", "a  b", "", "api on main via v20", "❯ |"],
            80,
        );
        assert_eq!(p.command.as_deref(), Some("ls"));
        assert_eq!(p.output, 2..4);
    }

    #[test]
    fn a_prompt_without_any_sign_is_known_by_repetition() {
        let p = find(&["🐧 ~/site 🚀 git tag | cat", "v1", "🐧 ~/site 🚀 |"], 80);
        assert_eq!(p.command.as_deref(), Some("git tag | cat"));
    }

    #[test]
    fn what_is_typed_is_told_from_the_prompt() {
        assert_eq!(find(&["dev@box:~$ rm -rf build|"], 80).typed, "rm -rf build");
        assert_eq!(find(&["dev@box:~$ |"], 80).typed, "");
        assert!(find(&["dev@box:~$", "dev@box:~$ |"], 80).fresh);
    }

    #[test]
    fn wrapped_commands_are_joined() {
        let p = find(
            &[
                "dev@box:~/code$ touch lib.rs; cargo",
                "build",
                "   Compiling x",
                "dev@box:~/code$ |",
            ],
            36,
        );
        assert_eq!(p.command.as_deref(), Some("touch lib.rs; cargo build"));
        let p = find(
            &["dev@box:~$ curl -sS -X POST http://exam", "ple.com/items?dry_run=1|"],
            39,
        );
        assert_eq!(p.typed, "curl -sS -X POST http://example.com/items?dry_run=1");
    }

    #[test]
    fn a_status_in_the_prompt_is_read() {
        assert_eq!(
            find(&["dev@box ~> cat no", "cat: no: No such file", "dev@box ~ [1]> |"], 80).status,
            Some(1)
        );
        assert_eq!(find(&["dev@box:~$ |"], 80).status, None);
    }
}
