//! The keys, in one table: what is pressed is looked up here, and the help, the hints below the list and the README's table
//! are made of it.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// What a key does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Goes to the selected window.
    Go,
    /// Selects the row above.
    Up,
    /// Selects the row below.
    Down,
    /// A page up.
    PageUp,
    /// A page down.
    PageDown,
    /// Selects the first row.
    First,
    /// Selects the last row.
    Last,
    /// Starts typing a filter.
    Filter,
    /// Shows one state only; which one, the digit says.
    Only,
    /// Shows those that need their user only.
    Needing,
    /// Changes between the two orders.
    Group,
    /// Shows or hides the preview.
    Preview,
    /// Parks the selected window, or takes that back.
    Park,
    /// Says why the selected window has its state.
    Explain,
    /// Has all windows looked at.
    Refresh,
    /// Saves the selected window's session as a document.
    Save,
    /// Shows the documents that can be loaded.
    Load,
    /// Shows the keys.
    Help,
    /// Takes back the last character of the filter.
    Erase,
    /// Takes back the whole filter.
    Clear,
    /// Leaves what is open, then what is filtered, then the dashboard.
    Back,
    /// Leaves.
    Quit,
    /// Hands the terminal to the shell for a while.
    Suspend,
}

/// A key, or several that do the same.
#[derive(Debug)]
pub struct Key {
    codes: &'static [(KeyCode, bool)],
    /// What it does.
    pub action: Action,
    /// What it is called.
    pub label: &'static str,
    /// What it does, in words.
    pub does: &'static str,
    /// The same in a word or two, for those that are shown below the list.
    pub hint: Option<&'static str>,
}

const fn plain(c: char) -> (KeyCode, bool) {
    (KeyCode::Char(c), false)
}

const fn ctrl(c: char) -> (KeyCode, bool) {
    (KeyCode::Char(c), true)
}

const fn named(code: KeyCode) -> (KeyCode, bool) {
    (code, false)
}

/// All keys, in the order of the help.
pub const KEYS: &[Key] = &[
    Key {
        codes: &[named(KeyCode::Enter)],
        action: Action::Go,
        label: "enter",
        does: "go to the window, and to the pane in it that speaks",
        hint: Some("go"),
    },
    Key {
        codes: &[named(KeyCode::Up), plain('k'), ctrl('p')],
        action: Action::Up,
        label: "up k",
        does: "the row above",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::Down), plain('j'), ctrl('n')],
        action: Action::Down,
        label: "down j",
        does: "the row below",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::PageUp), ctrl('b')],
        action: Action::PageUp,
        label: "pgup",
        does: "a page up",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::PageDown), ctrl('f')],
        action: Action::PageDown,
        label: "pgdn",
        does: "a page down",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::Home), plain('g')],
        action: Action::First,
        label: "home g",
        does: "the first row",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::End), plain('G')],
        action: Action::Last,
        label: "end G",
        does: "the last row",
        hint: None,
    },
    Key {
        codes: &[plain('/')],
        action: Action::Filter,
        label: "/",
        does: "type to filter: names, programs, states, summaries",
        hint: Some("filter"),
    },
    Key {
        codes: &[
            plain('1'),
            plain('2'),
            plain('3'),
            plain('4'),
            plain('5'),
            plain('6'),
            plain('7'),
            plain('8'),
            plain('9'),
            plain('0'),
        ],
        action: Action::Only,
        label: "1 … 0",
        does: "one state only; again: all",
        hint: None,
    },
    Key {
        codes: &[plain('n')],
        action: Action::Needing,
        label: "n",
        does: "only windows that need you; again: all",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::Tab), plain('s')],
        action: Action::Group,
        label: "tab s",
        does: "by session, the one used last at the bottom; again: by need",
        hint: Some("by session"),
    },
    Key {
        codes: &[plain('p')],
        action: Action::Park,
        label: "p",
        does: "park: it needs nobody until it changes; again: unpark",
        hint: Some("park"),
    },
    Key {
        codes: &[plain('e')],
        action: Action::Explain,
        label: "e",
        does: "why it is in that state",
        hint: Some("why"),
    },
    Key {
        codes: &[plain('v')],
        action: Action::Preview,
        label: "v",
        does: "show or hide what is on its screen",
        hint: Some("preview"),
    },
    Key {
        codes: &[plain('r')],
        action: Action::Refresh,
        label: "r",
        does: "look at every window now",
        hint: None,
    },
    Key {
        codes: &[plain('w')],
        action: Action::Save,
        label: "w",
        does: "write its session as a workspace, to load it again later",
        hint: None,
    },
    Key {
        codes: &[plain('o')],
        action: Action::Load,
        label: "o",
        does: "open a workspace: type to find it, then enter",
        hint: None,
    },
    Key {
        codes: &[plain('?'), named(KeyCode::F(1))],
        action: Action::Help,
        label: "?",
        does: "these keys",
        hint: Some("help"),
    },
    Key {
        codes: &[named(KeyCode::Backspace), ctrl('h')],
        action: Action::Erase,
        label: "backspace",
        does: "take back a character of the filter",
        hint: None,
    },
    Key {
        codes: &[ctrl('u')],
        action: Action::Clear,
        label: "ctrl-u",
        does: "take back the filter",
        hint: None,
    },
    Key {
        codes: &[named(KeyCode::Esc)],
        action: Action::Back,
        label: "esc",
        does: "back: out of this help or a filter, then out of the dashboard",
        hint: None,
    },
    Key {
        codes: &[plain('q'), ctrl('c')],
        action: Action::Quit,
        label: "q ctrl-c",
        does: "leave",
        hint: Some("leave"),
    },
    Key {
        codes: &[ctrl('z')],
        action: Action::Suspend,
        label: "ctrl-z",
        does: "back to the shell, until fg; nothing where there is none",
        hint: None,
    },
];

/// What the key that was pressed does.
pub fn action(event: KeyEvent) -> Option<Action> {
    let ctrl = event.modifiers.contains(KeyModifiers::CONTROL);
    if event.modifiers.contains(KeyModifiers::ALT) {
        return None;
    }
    let pressed = (event.code, ctrl);
    let key = KEYS.iter().find(|key| key.codes.contains(&pressed));
    key.map(|key| key.action)
}

/// The character that the key types, if it types one.
pub fn typed(event: KeyEvent) -> Option<char> {
    let held = KeyModifiers::CONTROL | KeyModifiers::ALT;
    match event.code {
        KeyCode::Char(c) if !event.modifiers.intersects(held) => Some(c),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_does_two_things() {
        let mut all: Vec<_> = KEYS.iter().flat_map(|key| key.codes).collect();
        let count = all.len();
        all.sort_by_key(|(code, ctrl)| (format!("{code:?}"), *ctrl));
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn every_character_key_is_named_in_its_label() {
        for key in KEYS {
            for (code, ctrl) in key.codes {
                let KeyCode::Char(c) = code else { continue };
                let digit = key.action == Action::Only;
                let named = key.label.split(' ').any(|word| word == c.to_string());
                assert!(*ctrl || digit || named, "{c} in {:?}", key.label);
            }
        }
    }
}
