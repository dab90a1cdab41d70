//! How large a new session is, in cells, while nobody is attached to it.

use super::refusal::{Code, Refusal};
use crate::output::Size;
use crate::tmux::layout::MOST_CELLS;

/// Columns and rows, where nothing says more.
const USUAL: (u32, u32) = (80, 24);

/// The size that is passed to tmux: that of the terminal, which `COLUMNS` and `LINES` override; without a terminal what
/// `TMUXP_DEFAULT_COLUMNS` and `TMUXP_DEFAULT_ROWS` say, then `COLUMNS` and `ROWS`, then 80 and 24. `None`, which leaves it to
/// tmux, where `TMUXP_DETECT_TERMINAL_SIZE` is set to anything but 1. `variable` reads the environment.
///
/// # Errors
/// When one of the variables is no size.
pub fn choose(
    terminal: Option<Size>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<(u32, u32)>, Refusal> {
    let detect = variable("TMUXP_DETECT_TERMINAL_SIZE").filter(|value| !value.is_empty());
    if detect.is_some_and(|value| value != "1") {
        return Ok(None);
    }
    let first = |names: &[&str], other: usize| {
        let set = names.iter().find_map(|name| {
            let value = variable(name).filter(|value| !value.is_empty())?;
            Some((*name, value))
        });
        match set {
            Some((name, value)) => cells(name, &value),
            None => Ok(u32::try_from(other).unwrap_or(MOST_CELLS).clamp(1, MOST_CELLS)),
        }
    };
    let (columns, rows) = match terminal {
        Some(size) => (first(&["COLUMNS"], size.columns)?, first(&["LINES"], size.rows)?),
        None => {
            let (columns, rows) = USUAL;
            let columns = first(&["TMUXP_DEFAULT_COLUMNS", "COLUMNS"], columns as usize)?;
            (columns, first(&["TMUXP_DEFAULT_ROWS", "ROWS"], rows as usize)?)
        }
    };
    Ok(Some((columns, rows)))
}

fn cells(name: &str, value: &str) -> Result<u32, Refusal> {
    let cells = value
        .trim()
        .parse()
        .ok()
        .filter(|cells| (1..=MOST_CELLS).contains(cells));
    cells.ok_or_else(|| {
        let line = format!("{name} is {value:?}: a session has 1 to {MOST_CELLS} columns and rows");
        Refusal::new(Code::Usage, line).with_hint(format!("unset {name}, or set it to a number"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(terminal: Option<(usize, usize)>, set: &[(&str, &str)]) -> Result<Option<(u32, u32)>, Refusal> {
        let terminal = terminal.map(|(columns, rows)| Size { columns, rows });
        choose(terminal, |name| {
            let found = set.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_terminal_then_variables_then_the_usual() {
        assert_eq!(chosen(Some((120, 40)), &[]), Ok(Some((120, 40))));
        assert_eq!(
            chosen(Some((120, 40)), &[("COLUMNS", "90"), ("LINES", "")]),
            Ok(Some((90, 40)))
        );
        assert_eq!(
            chosen(Some((120, 40)), &[("TMUXP_DEFAULT_COLUMNS", "90")]),
            Ok(Some((120, 40)))
        );
        assert_eq!(chosen(None, &[]), Ok(Some((80, 24))));
        let set = [("TMUXP_DEFAULT_COLUMNS", "100"), ("COLUMNS", "90"), ("ROWS", "50")];
        assert_eq!(chosen(None, &set), Ok(Some((100, 50))));
        assert_eq!(
            chosen(None, &[("TMUXP_DETECT_TERMINAL_SIZE", "0"), ("COLUMNS", "x")]),
            Ok(None)
        );
    }

    #[test]
    fn what_is_no_size_is_an_error() {
        for odd in ["0", "x", "-1", "10001", "80.5"] {
            assert_eq!(
                chosen(None, &[("COLUMNS", odd)]).unwrap_err().code,
                Code::Usage,
                "{odd}"
            );
        }
    }
}
