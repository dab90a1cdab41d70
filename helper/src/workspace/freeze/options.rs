//! Options of a session or a window as they are written.

use crate::summary::redact::redact;
use crate::tmux::drive::inventory::Options;
use serde_json::{Map, Value};

/// Options that are no matter of a document: the size of a terminal, and who names a window, which is told otherwise.
const LEFT_OUT: [&str; 3] = ["default-size", "window-size", "automatic-rename"];

/// Options of ours, which say what a window does.
pub const OURS: &str = "@tmux-status-";

/// Windows' options that hold only once the panes have got their commands.
const AFTER: [&str; 1] = ["synchronize-panes"];

/// Options to write: those for the beginning, and those for the end.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// `options`.
    pub options: Map<String, Value>,
    /// `options_after`.
    pub after: Map<String, Value>,
    /// What was left out, in words that follow the name of whose they are.
    pub notes: Vec<String>,
}

impl Written {
    /// All values that are written.
    pub fn all(&self) -> impl Iterator<Item = &Value> {
        self.options.values().chain(self.after.values())
    }
}

/// What is written of `options`.
pub fn written(options: &Options) -> Written {
    let mut written = Written::default();
    for (name, text) in options {
        if !is_told(name) {
            continue;
        }
        if redact(text) != *text || redact(&format!("{name}={text}")).contains("***") {
            written
                .notes
                .push(format!("has a secret in its option {name}, which is left out"));
            continue;
        }
        // No document can have such a name.
        if name.starts_with('-') || name.contains('=') {
            written
                .notes
                .push(format!("has an option with an odd name ({name}), which is left out"));
            continue;
        }
        let place = match AFTER.contains(&name.as_str()) {
            true => &mut written.after,
            false => &mut written.options,
        };
        place.insert(name.clone(), value(text));
    }
    written
}

/// The names of those that matter.
pub fn names(options: &Options) -> Vec<String> {
    let names = options.iter().map(|(name, _)| name.clone());
    names.filter(|name| is_told(name)).collect()
}

fn is_told(name: &str) -> bool {
    !name.starts_with(OURS) && !LEFT_OUT.contains(&name)
}

/// A value as a person writes it; loading gives tmux the same text again.
fn value(text: &str) -> Value {
    match text {
        "on" => true.into(),
        "off" => false.into(),
        _ => {
            let number = text.parse::<i64>().ok().filter(|number| number.to_string() == text);
            number.map_or_else(|| text.into(), Value::from)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn sizes_and_our_own_are_left_out_and_secrets_are_named() {
        let options = [
            ("default-size", "137x41"),
            ("base-index", "1"),
            ("mouse", "on"),
            ("status-left", "[#S] "),
            ("@tmux-status-kind", "idle"),
            ("@api_token", "hunter2hunter2"),
            ("@theme", "007"),
            ("@a=b", "1"),
            ("synchronize-panes", "on"),
        ];
        let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let written = written(&options.to_vec());
        let all = json!({"base-index": 1, "mouse": true, "status-left": "[#S] ", "@theme": "007"});
        assert_eq!(Value::Object(written.options), all);
        assert_eq!(Value::Object(written.after), json!({"synchronize-panes": true}));
        assert_eq!(
            written.notes,
            [
                "has a secret in its option @api_token, which is left out",
                "has an option with an odd name (@a=b), which is left out"
            ]
        );
    }
}
