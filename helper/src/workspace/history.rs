//! What is typed so that shells do not remember it: shells that are set so forget a line that begins with a blank.

/// `text` with a blank before each line that a shell reads as the beginning of a command. What goes on from the line before, in
/// quotes or behind a backslash, is left as it is, and so is all below a `<<`, where a blank would be part of the text.
pub fn unremembered(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 1);
    let mut state = State::default();
    for line in text.split_inclusive('\n') {
        let is_blank = line.starts_with(char::is_whitespace);
        if state.begins() && !is_blank {
            out.push(' ');
        }
        out.push_str(line);
        state.read(line);
    }
    out
}

/// Where in a shell's text one is.
#[derive(Debug, Default)]
struct State {
    quote: Option<char>,
    /// Whether the last line ended in a backslash.
    goes_on: bool,
    /// Whether text of a command's own may follow.
    here: bool,
}

impl State {
    fn begins(&self) -> bool {
        self.quote.is_none() && !self.goes_on && !self.here
    }

    fn read(&mut self, line: &str) {
        self.goes_on = false;
        let mut last = ' ';
        let mut chars = line.chars();
        while let Some(c) = chars.next() {
            match (self.quote, c) {
                (None | Some('"'), '\\') => self.goes_on = matches!(chars.next(), Some('\n') | None),
                (Some(open), _) if c == open => self.quote = None,
                (Some(_), _) => {}
                (None, '\'' | '"' | '`') => self.quote = Some(c),
                // The rest is a comment, whatever quotes it has.
                (None, '#') if last.is_whitespace() => break,
                (None, '<') if last == '<' => self.here = true,
                (None, _) => {}
            }
            last = c;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unremembered;

    #[test]
    fn every_line_that_begins_a_command_is_forgotten() {
        for (text, typed) in [
            ("", ""),
            ("a", " a"),
            ("a\nb\n", " a\n b\n"),
            ("a\n  b\n\nc", " a\n  b\n\n c"),
            ("echo \"it's\"\nb", " echo \"it's\"\n b"),
            ("a # don't\nb", " a # don't\n b"),
        ] {
            assert_eq!(unremembered(text), typed);
        }
    }

    #[test]
    fn what_goes_on_from_the_line_before_stays_as_it_is() {
        for (text, typed) in [
            ("a \\\nb\nc", " a \\\nb\n c"),
            ("echo 'x\ny'\nz", " echo 'x\ny'\n z"),
            ("echo \"x\\\"\ny\"\nz", " echo \"x\\\"\ny\"\n z"),
            ("cat <<EOF\nx\nEOF", " cat <<EOF\nx\nEOF"),
            ("cat <<-'A B'\nx\nA B", " cat <<-'A B'\nx\nA B"),
        ] {
            assert_eq!(unremembered(text), typed);
        }
    }
}
