//! How a call names an object: panes and windows by id only, sessions by id or by exact name.
//!
//! Deliberately absent: tmux's own targets. tmux would take a bare `1` for an index and a word for a prefix, a pattern or a
//! client's name.

use crate::model::{PaneId, SessionId, WindowId};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer};
use std::borrow::Cow;

macro_rules! id_argument {
    ($(#[$doc:meta])* $name:ident, $id:ident, $sigil:literal, $what:literal, $list:literal) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub struct $name(pub $id);

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                number(&text, $sigil).map(|number| Self($id(number))).ok_or_else(|| {
                    serde::de::Error::custom(format!(
                        concat!("{:?} is not a ", $what, " id: it takes one such as ", $sigil, "3, which ", $list, " tells"),
                        short(&text)
                    ))
                })
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                schemars::json_schema!({ "type": "string" })
            }
        }
    };
}

id_argument!(
    /// A pane.
    PaneArg, PaneId, "%", "pane", "list_panes"
);
id_argument!(
    /// A window.
    WindowArg, WindowId, "@", "window", "list_windows"
);

/// A session: `$3`, or its whole name.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(transparent)]
#[schemars(inline)]
pub struct SessionArg(pub String);

impl SessionArg {
    /// The id that it is, if it is one.
    pub fn id(&self) -> Option<SessionId> {
        number(&self.0, "$").map(SessionId)
    }

    /// As it is told to the one who named it.
    pub fn shown(&self) -> String {
        format!("{:?}", short(&self.0))
    }
}

/// The number behind the sigil: digits only, and as many zeros before it as one likes.
pub fn number(text: &str, sigil: &str) -> Option<u32> {
    let digits = text.strip_prefix(sigil)?;
    // The standard library would take a plus, too.
    let plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    plain.then(|| digits.parse().ok()).flatten()
}

fn short(text: &str) -> String {
    crate::text::one_line(text, 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_its_sigil_and_digits() {
        assert_eq!(number("%3", "%"), Some(3));
        assert_eq!(number("%0003", "%"), Some(3));
        for odd in ["3", "%", "%+3", "%-3", "% 3", "%3 ", "@3", "%4294967296", "%3.1", ""] {
            assert_eq!(number(odd, "%"), None, "{odd:?}");
        }
    }
}
