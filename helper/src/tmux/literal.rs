//! Makes text that tmux would expand as a format stand for itself.

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_it_is_a_format() {
        assert_eq!(in_format("#(touch x) #{pid} ##"), "##(touch x) ##{pid} ####");
    }

    #[test]
    fn what_tmux_keeps_for_styles_is_not_doubled() {
        assert_eq!(in_format("#[x]##[#(y)]###"), "#[x]##[##(y)]######");
    }
}
