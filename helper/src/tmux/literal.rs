//! Makes text that tmux would expand or write otherwise stand for itself.

/// `text` where tmux expands a format, once: every `#` doubled, so that nothing in it is one.
pub fn in_format(text: &str) -> String {
    let mut literal = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('#') {
        let (before, hashes) = rest.split_at(at);
        let after = hashes.trim_start_matches('#');
        let run = hashes.get(..hashes.len() - after.len()).unwrap_or_default();
        literal.push_str(before);
        literal.push_str(run);
        // Before a `[` tmux leaves all of them for the one who draws styles.
        if !after.starts_with('[') {
            literal.push_str(run);
        }
        rest = after;
    }
    literal.push_str(rest);
    literal
}

/// A session's name as tmux keeps and prints it (3.3a, 3.5a: `session_check_name`): a backslash is doubled, and one is put
/// before a `$` that looks like a variable's. Given that, tmux would do so again.
pub fn kept(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut left = name.chars().peekable();
    while let Some(c) = left.next() {
        let variable = |next: &char| next.is_ascii_alphabetic() || matches!(next, '_' | '{');
        if c == '\\' || c == '$' && left.peek().is_some_and(variable) {
            kept.push('\\');
        }
        kept.push(c);
    }
    kept
}

/// The name that tmux keeps so.
pub fn given(kept: &str) -> String {
    let mut given = String::with_capacity(kept.len());
    let mut left = kept.chars().peekable();
    while let Some(c) = left.next() {
        let escaped = if c == '\\' {
            left.next_if(|next| matches!(next, '\\' | '$'))
        } else {
            None
        };
        given.push(escaped.unwrap_or(c));
    }
    given
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_is_called_as_it_was_given() {
        for (name, printed) in [
            ("plain", "plain"),
            (r"a\b", r"a\\b"),
            ("$y", r"\$y"),
            ("${y}_$_ $1 $", r"\${y}_\$_ $1 $"),
            (r"\$y", r"\\\$y"),
        ] {
            assert_eq!(kept(name), printed);
            assert_eq!(given(printed), name);
        }
    }

    #[test]
    fn nothing_in_it_is_a_format() {
        assert_eq!(in_format("#(touch x) #{pid} ##"), "##(touch x) ##{pid} ####");
    }

    #[test]
    fn what_tmux_keeps_for_styles_is_not_doubled() {
        assert_eq!(in_format("#[x]##[#(y)]###"), "#[x]##[##(y)]######");
    }
}
