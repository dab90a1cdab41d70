//! Where an option stands that tmux does not know, and what may have been meant by it.

use super::Builder;
use crate::tmux::build::{self, run};
use crate::workspace::refusal::Refusal;
use crate::workspace::spec::{Pairs, Session};

/// What tmux says before the name of such an option.
const INVALID: &str = "invalid option: ";

impl Builder<'_> {
    /// A refusal of a build; that an option is not known, with its place in the document.
    pub(super) fn with_place(&self, refusal: Refusal, session: &Session) -> Refusal {
        let Some((name, place)) = misnamed(&refusal.message, session) else {
            return refusal;
        };
        let listed = run::groups(self.tmux, &[build::list_options()]);
        let listed = listed.map(|answer| build::read_options(&String::from_utf8_lossy(&answer.stdout)));
        let known = listed.unwrap_or_default();
        let alike = known.iter().map(|known| (strsim::jaro_winkler(&name, known), known));
        let meant = alike.max_by(|(one, _), (other, _)| one.total_cmp(other));
        let message = format!("{place} of {}: {}", session.name, refusal.message);
        match meant {
            Some((likeness, known)) if likeness > 0.85 => {
                Refusal { message, ..refusal }.with_hint(format!("did you mean {known}?"))
            }
            _ => Refusal { message, ..refusal },
        }
    }
}

/// The option of a session that tmux has called invalid, and where the session has it first.
fn misnamed(words: &str, session: &Session) -> Option<(String, String)> {
    let (_, rest) = words.split_once(INVALID)?;
    let holds = |pairs: &Pairs| {
        let names = pairs.iter().map(|(name, _)| name.as_str());
        names
            .filter(|name| rest.starts_with(name))
            .max_by_key(|name| name.len())
            .map(str::to_owned)
    };
    let own = [
        ("options", &session.options),
        ("global_options", &session.global_options),
    ];
    let own = own.into_iter().map(|(key, pairs)| (key.to_owned(), pairs));
    let windows = session.windows.iter().enumerate().flat_map(|(at, window)| {
        let before = (format!("windows[{at}].options"), &window.options);
        [before, (format!("windows[{at}].options_after"), &window.options_after)]
    });
    own.chain(windows)
        .find_map(|(place, pairs)| Some((holds(pairs)?, place)))
}
