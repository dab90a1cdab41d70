//! The formats that list panes, and the reading of what they print.
//!
//! Numbers and ids come first, separated by tabs; free text follows, each piece ended by a nonce that no program in a
//! pane can know. Lengths (`#{n:…}`) would not do: tmux 3.4 and up writes a control character of a window name as
//! `\001` while `#{n:}` counts one byte, and `pane_current_command` is read from the kernel anew for each mention, so
//! that its length and its text may come from two different programs.

use super::option::WINDOW;
use crate::model::{Death, Link, Pane, PaneId, Session, SessionId, Window, WindowId};
use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hasher, RandomState};

/// Ids, numbers and words of a closed set, of every pane. [`Fields`] reads them in this order.
const FIELDS: &str = "#{session_id}\t#{window_id}\t#{pane_id}\t#{window_index}\t#{window_active}\t#{pane_index}\t\
     #{pane_active}\t#{pane_pid}\t#{pane_dead}\t#{pane_dead_status}\t#{pane_dead_signal}\t#{window_activity}\t\
     #{window_bell_flag}\t#{session_attached}\t#{session_activity}";

/// Free text of every pane. The last is ours, but anybody may set it.
const TEXTS: [&str; 3] = ["#{session_name}", "#{window_name}", "#{@tmux-status-parked}"];

/// The same of panes that are wanted alone: each field costs the server about a microsecond a pane.
const WANTED_FIELDS: &str =
    "#{pane_width}\t#{pane_height}\t#{cursor_x}\t#{cursor_y}\t#{cursor_flag}\t#{alternate_on}\t\
     #{pane_mode}\t#{pane_tty}";

/// Free text of panes that are wanted. tmux reads the last two from the kernel at each mention (12 µs and 8 µs a pane).
const WANTED_TEXTS: [&str; 5] = [
    "#{pane_title}",
    "#{pane_start_command}",
    "#{@tmux-status-report}",
    "#{pane_current_command}",
    "#{pane_current_path}",
];

/// What stands for [`WANTED_FIELDS`] where they were not wanted.
const NOTHING_SEEN: &str = "0\t0\t0\t0\t0\t0\t\t";

/// A word that ends a piece of text: unpredictable, so that no pane can forge a frame.
pub fn nonce() -> String {
    // The standard library seeds each RandomState from the system's randomness.
    format!("n{:016x}", RandomState::new().build_hasher().finish())
}

/// The format of one pane's record; what is for wanted panes alone is empty where the format `wanted` is false. In a `whole`
/// look it says, too, what we have set ourselves.
pub fn format(nonce: &str, wanted: &str, whole: bool) -> String {
    let texts = TEXTS.map(|text| format!("{nonce}{text}")).concat();
    let wanted_texts = WANTED_TEXTS.map(|text| format!("{nonce}{text}")).concat();
    let nothing = nonce.repeat(WANTED_TEXTS.len() + 1);
    let published = match whole {
        true => WINDOW.map(|name| format!("#{{{name}}}")).join("\t"),
        false => String::new(),
    };
    format!("{FIELDS}{texts}{nonce}#{{?{wanted},{WANTED_FIELDS}{nonce}{published}{wanted_texts},{nothing}}}{nonce}")
}

/// Sessions in the order listed, and every window once.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Sessions.
    pub sessions: Vec<Session>,
    /// Windows.
    pub windows: BTreeMap<WindowId, Window>,
    /// What windows' own options say, joined by tabs, where that was read.
    pub published: BTreeMap<WindowId, String>,
}

/// Reads the records that [`format`] printed, up to where `input` no longer starts one; returns the rest.
///
/// # Errors
/// What was odd about the first record that cannot be read.
pub fn parse<'a>(mut input: &'a str, nonce: &str) -> Result<(Listing, &'a str), String> {
    let mut listing = Listing::default();
    while input.starts_with('$') {
        // Each piece of the format ends in a nonce, and the rest follows.
        let mut pieces = input.splitn(TEXTS.len() + WANTED_TEXTS.len() + 4, nonce);
        let mut piece = || {
            pieces
                .next()
                .ok_or_else(|| format!("a pane's record is cut short: {:?}", start_of(input)))
        };
        let mut fields = Fields::new(piece()?);
        let texts = [piece()?, piece()?, piece()?];
        let wanted = piece()?;
        let published = piece()?;
        let wanted_texts = [piece()?, piece()?, piece()?, piece()?, piece()?];
        let rest = piece()?;
        let window = listing.add(&mut fields, texts, wanted, wanted_texts)?;
        if !published.is_empty() {
            listing.published.insert(window, published.to_owned());
        }
        input = rest
            .strip_prefix('\n')
            .ok_or_else(|| format!("no line end after a pane's record: {:?}", start_of(rest)))?;
    }
    Ok((listing, input))
}

/// The first characters of a text that could not be read, for an error message.
pub fn start_of(text: &str) -> String {
    text.chars().take(40).collect()
}

impl Listing {
    fn add(
        &mut self,
        fields: &mut Fields<'_>,
        texts: [&str; 3],
        wanted: &str,
        wanted_texts: [&str; 5],
    ) -> Result<WindowId, String> {
        let [session_name, window_name, parked] = texts.map(str::to_owned);
        let [title, start_command, report, command, path] = wanted_texts.map(str::to_owned);
        let session: SessionId = fields.text()?.parse()?;
        let window: WindowId = fields.text()?.parse()?;
        let id: PaneId = fields.text()?.parse()?;
        let (window_index, window_active) = (fields.number()?, fields.flag()?);
        let (index, active, pid, dead) = (fields.number()?, fields.flag()?, fields.number()?, fields.death()?);
        let (activity, bell) = (fields.seconds()?, fields.flag()?);
        let (attached, session_activity) = (fields.number()?, fields.seconds()?);
        let unseen = wanted.is_empty();
        let mut seen = Fields::new(if unseen { NOTHING_SEEN } else { wanted });
        let pane = Pane {
            id,
            index,
            active,
            pid,
            width: seen.number()?,
            height: seen.number()?,
            cursor_x: seen.number()?,
            cursor_y: seen.number()?,
            cursor_visible: seen.flag()?,
            alternate: seen.flag()?,
            mode: seen.text()?.to_owned(),
            tty: seen.text()?.to_owned(),
            dead,
            title,
            command,
            path,
            start_command,
            report,
        };

        if self.sessions.last().is_none_or(|s| s.id != session) {
            self.sessions.push(Session {
                id: session,
                name: session_name,
                attached,
                activity: (session_activity > 0).then_some(session_activity),
                links: Vec::new(),
            });
        }
        if let Some(session) = self.sessions.last_mut() {
            let link = Link {
                window,
                index: window_index,
                active: window_active,
            };
            // A window may be linked twice into one session, at two indexes; its panes then come twice.
            if session.links.last() != Some(&link) {
                session.links.push(link);
            }
        }
        let entry = self.windows.entry(window).or_insert_with(|| Window {
            id: window,
            name: window_name,
            activity,
            bell,
            parked_at: parked.parse().ok().filter(|at| *at > 0),
            panes: Vec::new(),
        });
        if !entry.panes.iter().any(|p| p.id == pane.id) {
            entry.panes.push(pane);
        }
        Ok(window)
    }
}

/// One record's tab-separated fields, read in the order of [`FIELDS`].
struct Fields<'a> {
    record: &'a str,
    fields: std::str::Split<'a, char>,
}

impl<'a> Fields<'a> {
    fn new(record: &'a str) -> Self {
        Self {
            record,
            fields: record.split('\t'),
        }
    }

    fn text(&mut self) -> Result<&'a str, String> {
        self.fields
            .next()
            .ok_or_else(|| format!("a pane's record has too few fields: {:?}", start_of(self.record)))
    }

    fn number(&mut self) -> Result<u32, String> {
        let text = self.text()?;
        text.parse()
            .map_err(|_| format!("{text:?} is not a number in {:?}", start_of(self.record)))
    }

    fn seconds(&mut self) -> Result<u64, String> {
        let text = self.text()?;
        if text.is_empty() {
            return Ok(0);
        }
        text.parse()
            .map_err(|_| format!("{text:?} is not a time in {:?}", start_of(self.record)))
    }

    /// A flag or a count that only matters as one; tmux leaves some empty instead of 0.
    fn flag(&mut self) -> Result<bool, String> {
        Ok(!matches!(self.text()?, "" | "0"))
    }

    fn death(&mut self) -> Result<Option<Death>, String> {
        let (dead, status, signal) = (self.flag()?, self.text()?, self.text()?);
        Ok(dead.then(|| Death {
            status: status.parse().ok(),
            signal: (!signal.is_empty() && signal != "0").then(|| signal.to_owned()),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONCE: &str = "n0123456789abcdef";

    fn record(ids: &str, window_index: u32, texts: [&str; 7]) -> String {
        let [session, window, pane] = <[&str; 3]>::try_from(ids.split(' ').collect::<Vec<_>>()).unwrap();
        let mut out =
            format!("{session}\t{window}\t{pane}\t{window_index}\t1\t0\t1\t4242\t0\t\t\t1700000000\t0\t1\t1700000001");
        let [session, window, title, start, command, path, report] = texts;
        let seen = "80\t24\t3\t5\t1\t0\t\t/dev/pts/7";
        for text in [session, window, "", seen, "", title, start, report, command, path] {
            out += NONCE;
            out += text;
        }
        out + NONCE + "\n"
    }

    #[test]
    fn names_with_tabs_and_newlines_stay_whole() {
        let texts = [
            "we\tird\n$1",
            "x\u{1}y\nz",
            "$0\t@1\t%2",
            "",
            "ba\tsh",
            "/tmp/a\nb",
            "1 done",
        ];
        let input = record("$0 @1 %2", 4, texts) + "xrest";
        let (listing, rest) = parse(&input, NONCE).unwrap();
        assert_eq!(rest, "xrest");
        let session = &listing.sessions[0];
        assert_eq!(
            (session.name.as_str(), session.attached, session.activity),
            (texts[0], 1, Some(1_700_000_001))
        );
        assert_eq!(
            session.links,
            [Link {
                window: WindowId(1),
                index: 4,
                active: true
            }]
        );
        let window = &listing.windows[&WindowId(1)];
        let pane = &window.panes[0];
        assert_eq!((window.name.as_str(), pane.title.as_str()), (texts[1], texts[2]));
        assert_eq!(
            (pane.command.as_str(), pane.path.as_str(), pane.tty.as_str()),
            (texts[4], texts[5], "/dev/pts/7")
        );
        assert_eq!(pane.report, texts[6]);
        assert_eq!((pane.width, pane.height, pane.cursor_x, pane.cursor_y), (80, 24, 3, 5));
    }

    #[test]
    fn a_linked_window_is_listed_under_each_session_and_kept_once() {
        let texts = ["s", "w", "", "", "", "", ""];
        let input = record("$0 @1 %2", 0, texts) + &record("$3 @1 %2", 7, texts);
        let (listing, _) = parse(&input, NONCE).unwrap();
        assert_eq!(
            listing.sessions.iter().map(|s| s.links[0].index).collect::<Vec<_>>(),
            [0, 7]
        );
        assert_eq!(listing.windows.len(), 1);
        assert_eq!(listing.windows[&WindowId(1)].panes.len(), 1);
    }

    #[test]
    fn a_record_that_is_cut_is_refused_and_named() {
        let input = record("$0 @1 %2", 0, ["s", "w", "", "", "", "", ""]);
        for end in 1..input.len() - 1 {
            assert!(parse(&input[..end], NONCE).is_err(), "{end}");
        }
        let bad = input.replacen("4242", "many", 1);
        assert!(parse(&bad, NONCE).unwrap_err().contains("many"));
    }

    #[test]
    fn the_format_and_the_reader_agree_on_the_number_of_fields() {
        let input = record("$0 @1 %2", 0, ["s", "w", "", "", "", "", ""]);
        let fields = input.split(NONCE).next().unwrap().split('\t').count();
        assert_eq!(FIELDS.split('\t').count(), fields);
        assert_eq!(WANTED_FIELDS.split('\t').count(), NOTHING_SEEN.split('\t').count());
        assert!(WANTED_TEXTS.contains(&format!("#{{{}}}", super::super::option::REPORT).as_str()));
        assert!(TEXTS.contains(&format!("#{{{}}}", super::super::option::PARKED).as_str()));
    }

    #[test]
    fn a_pane_that_was_not_wanted_has_its_place_and_no_more() {
        let whole = record("$0 @1 %2", 0, ["s", "w", "t", "", "bash", "/", ""]);
        let (start, _) = whole.split_once("80\t24").unwrap();
        let input = format!("{start}{}\n", NONCE.repeat(WANTED_TEXTS.len() + 2));
        let (listing, rest) = parse(&input, NONCE).unwrap();
        let pane = &listing.windows[&WindowId(1)].panes[0];
        assert_eq!((pane.pid, pane.height, pane.title.as_str(), rest), (4242, 0, "", ""));
    }

    #[test]
    fn a_nonce_is_new_each_time() {
        assert_ne!(nonce(), nonce());
    }
}
