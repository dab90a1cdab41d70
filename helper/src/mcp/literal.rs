//! Makes text of a client an operand that tmux takes as it is.

use crate::tmux::command;

/// `text` as an operand that tmux expands as a format, once: every `#` doubled, so that nothing in it is one, and a `;` at
/// its end is no end of the command. Whether it may look like a flag is for the command line to see to: `--` before it, or
/// a flag of its own.
pub fn in_format(text: &str) -> String {
    command::data(&text.replace('#', "##"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_it_is_a_format_or_the_end_of_a_command() {
        assert_eq!(in_format("#(touch x) #{pid} ##;"), "##(touch x) ##{pid} ####\\;");
    }
}
