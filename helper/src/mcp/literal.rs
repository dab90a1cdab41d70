//! Makes text of a client an operand that tmux takes as it is.

use super::limits::OPERAND_BYTES;
use super::outcome::Problem;
use crate::tmux::{command, literal};

/// `text` as an operand that tmux expands as a format, once: nothing in it is one, and a `;` at its end is no end of the
/// command. Whether it may look like a flag is for the command line to see to: `--` before it, or a flag of its own.
pub fn in_format(text: &str) -> String {
    command::data(&literal::in_format(text))
}

/// `text`, if tmux can be handed it at all; `what` names the argument.
///
/// # Errors
/// When it is too long, or holds a byte that ends a string.
pub fn operand<'a>(what: &str, text: &'a str) -> Result<&'a str, Problem> {
    if text.len() > OPERAND_BYTES {
        return Err(Problem::input(format!("{what} takes at most {OPERAND_BYTES} bytes")));
    }
    if text.contains('\0') {
        return Err(Problem::input(format!("{what} holds a NUL, which tmux cannot take")));
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_it_is_a_format_or_the_end_of_a_command() {
        assert_eq!(in_format("#(touch x) #{pid} ##;"), "##(touch x) ##{pid} ####\\;");
    }
}
