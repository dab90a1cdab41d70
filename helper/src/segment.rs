//! What fits into a status line: how many windows need their user, for what, and who comes first; and the words of one window.
//!
//! Absent on purpose: ages. Each change of what is published redraws every client.

use crate::status::state::State;
use crate::status::window::KnownWindow;
use crate::text;
use crate::theme::{Colour, Face, Theme};
use std::fmt::Write as _;

/// Cells of the whole segment.
const WIDEST: usize = 30;
/// Cells below which a name says nothing.
const NARROWEST: usize = 8;

/// The faces that call, most pressing first.
const CALLING: [Face; 4] = [Face::Permission, Face::Question, Face::Failed, Face::Done];

/// How many windows call, each face's number with its icon, and the most pressing one's place and name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Segment {
    counts: Vec<(Face, String)>,
    first: String,
    theme: Theme,
}

impl Segment {
    /// Of a state; empty when nobody calls.
    pub fn of<P>(state: &State<P>, theme: Theme) -> Self {
        let calling = || state.windows.values().filter(|window| window.calls().is_some());
        let count = |face: Face| {
            let number = calling().filter(|window| window.face() == face).count();
            (number > 0).then(|| (face, format!("{}{number}", theme.icons.icon(face))))
        };
        let counts: Vec<_> = CALLING.into_iter().filter_map(count).collect();
        let taken: usize = counts.iter().map(|(_, count)| text::width(count) + 1).sum();
        let room = WIDEST.saturating_sub(taken);
        let calls = state.places().filter(|place| place.window.calls().is_some());
        let first = calls.min_by_key(|place| (place.window.urgency(), place.link.window));
        let first = first.map(|place| format!("{}:{} {}", place.session.name, place.link.index, place.window.name));
        let first = first.filter(|_| room >= NARROWEST).unwrap_or_default();
        Self {
            counts,
            first: text::one_line(&first, room),
            theme,
        }
    }

    /// As plain text.
    pub fn plain(&self) -> String {
        self.line(|_, count| count.to_owned(), str::to_owned)
    }

    /// As tmux draws it, within whatever style surrounds it; nothing in it is expanded.
    pub fn for_tmux(&self) -> String {
        let count = |face, count: &str| {
            let count = text::for_drawing(count);
            match self.theme.colours.colour(face) {
                Colour::Default => count,
                colour => format!("#[fg={}]{count}#[default]", colour.for_tmux()),
            }
        };
        let line = self.line(count, text::for_drawing);
        // Within it `default` is the style that a theme has chosen here, so that each colour ends where it began.
        match line.contains("#[fg=") {
            true => format!("#[push-default]{line}#[pop-default]"),
            false => line,
        }
    }

    fn line(&self, count: impl Fn(Face, &str) -> String, name: impl Fn(&str) -> String) -> String {
        let mut line = String::new();
        for (face, words) in &self.counts {
            let _ = write!(line, "{} ", count(*face, words));
        }
        line += &name(&self.first);
        line.truncate(line.trim_end().len());
        line
    }
}

/// What a window's options say of it, in the order of [`crate::tmux::option::WINDOW`]: as tmux draws it.
pub fn window(window: &KnownWindow, theme: &Theme) -> [String; 5] {
    let face = window.face();
    [
        window.kind.as_str().to_owned(),
        window.calls().map_or("", |need| need.as_str()).to_owned(),
        text::for_drawing(theme.icons.icon(face)),
        theme.colours.colour(face).for_tmux(),
        text::for_drawing(&window.summary),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Link, Need, SessionId, StatusKind, WindowId};
    use crate::status::state::KnownSession;
    use crate::status::window::tests::window as known;

    fn segment(windows: &[(&str, Option<Need>)], theme: Theme) -> Segment {
        let mut state: State = State::default();
        let mut links = Vec::new();
        for (id, (name, need)) in (0..).zip(windows) {
            let mut window = known(StatusKind::Waiting, *need);
            window.name = (*name).to_owned();
            window.need_since = Some(u64::from(id));
            state.windows.insert(WindowId(id), window);
            links.push(Link {
                window: WindowId(id),
                index: id,
                active: false,
            });
        }
        state.sessions = vec![KnownSession {
            id: SessionId(0),
            name: "app".into(),
            attached: 0,
            activity: None,
            windows: links,
        }];
        Segment::of(&state, theme)
    }

    fn plainly(windows: &[(&str, Option<Need>)]) -> String {
        segment(windows, Theme::read("", "", false)).plain()
    }

    const ASKS: Option<Need> = Some(Need::Question);
    const FAILED: Option<Need> = Some(Need::Failed);

    #[test]
    fn it_counts_who_calls_and_names_the_most_pressing() {
        assert_eq!(plainly(&[("a", None), ("b", None)]), "");
        let windows = [("make", FAILED), ("a", None), ("claude", ASKS), ("db", ASKS)];
        assert_eq!(plainly(&windows), "?2 ✗1 app:2 claude");
    }

    #[test]
    fn it_never_takes_more_than_its_cells() {
        let long = "日本".repeat(40);
        let windows = [(long.as_str(), ASKS)];
        let line = plainly(&windows);
        assert!(text::width(&line) <= WIDEST && line.ends_with('…'), "{line}");
        let icons = Theme::read("permission=(!!) question=(??) failed=(xx) done=(ok)", "", false);
        let all = [Need::Permission, Need::Question, Need::Failed, Need::Done].map(|need| ("w", Some(need)));
        assert_eq!(segment(&all, icons).plain(), "(!!)1 (??)1 (xx)1 (ok)1");
    }

    #[test]
    fn in_tmux_each_count_has_its_colour_and_names_are_inert() {
        let windows = [("#[fg=red]#(touch x)#{host}", FAILED)];
        let theme = |colours| Theme::read("failed=#", colours, false);
        assert_eq!(
            segment(&windows, theme("")).for_tmux(),
            "#[push-default]#[fg=colour1]##1#[default] app:0 ##[fg=red]##(touch x)##…#[pop-default]"
        );
        assert_eq!(segment(&[("w", FAILED)], theme("none")).for_tmux(), "##1 app:0 w");
        assert_eq!(segment(&[], theme("")).for_tmux(), "");
    }
}
