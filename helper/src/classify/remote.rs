//! Programs that show another machine's or another multiplexer's screen: what is inside can only be judged by that screen.

use super::engine::Case;
use super::format::Input;
use super::identify::Subject;
use super::rules::Program;
use super::{prompt, Rules};

/// Options of ssh that take a value.
const VALUED: &str = "BbcDEeFIiJLlmOopQRSWw";

/// The shells' rules, when a shell's prompt stands at the cursor of such a program.
pub fn shell(rules: &Rules, case: &mut Case<'_>) -> Option<&'static Program> {
    let program = case.subject.program.filter(|program| program.family == "remote")?;
    if !matches!(case.facts.input, Some(Input::Raw) | None) {
        return None;
    }
    // A full screen may show an editor, whose text has signs, too: a prompt's own text tells them apart.
    let (_, left) = case.view.cursor_line()?;
    let (sign, _) = prompt::split(left)?;
    let words = sign.chars().filter(|c| c.is_alphanumeric()).count();
    let painted = case.evidence.pane.alternate && program.id == "ssh";
    if painted || words < 2 && !sign.contains('~') && sign != "$" {
        return None;
    }
    case.subject.interactive = true;
    rules.by_command("bash")
}

/// The host that ssh and its kin were told to go to.
pub fn host(subject: &Subject<'_>) -> Option<String> {
    subject
        .program
        .filter(|program| program.family == "remote" && program.id == "ssh")?;
    let mut args = subject.args.split_whitespace();
    while let Some(arg) = args.next() {
        match arg.strip_prefix('-') {
            Some(option) => {
                // `-p22` holds its value, `-p 22` takes the next word.
                if option.chars().next_back().is_some_and(|c| VALUED.contains(c)) {
                    args.next();
                }
            }
            None => return Some(arg.rsplit('@').next().unwrap_or(arg).to_owned()),
        }
    }
    None
}
