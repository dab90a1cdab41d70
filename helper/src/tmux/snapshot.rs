//! One look at a whole server: listing and captures in one tmux process, at one instant.
//!
//! `run-shell -C` expands a loop inside the server and everything it makes runs in one pass of the server's queue: no
//! pane's output is read in between, so nothing listed can vanish before it is captured. A capture has exactly as many
//! lines as its pane has rows, which frames it without a separator that a program could forge.

use super::command::{Answer, Failure, Tmux};
use super::option::Options;
use super::server::Socket;
use super::{hook, listing, option, version};
use crate::model::{PaneId, Server, Snapshot, WindowId};
use std::collections::{BTreeMap, HashMap};

/// Bytes of window ids in one condition. It stands in the command three times, and a tmux client may send 16384 bytes at
/// once; a longer list captures everything instead.
const LONGEST_LIST: usize = 3000;

/// A condition that always holds. A bare `1` would not: tmux takes a condition that expands to itself as false.
const ALWAYS: &str = "#{==:1,1}";

/// A pane that does not exist. `display-message` then reads what is global, and does not fail (seen on 3.3a and 3.5a).
pub const NOWHERE: &str = "%4294967290";

/// What a look should read.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// Capture only windows with output in or after this epoch second; `None` captures every pane.
    pub since: Option<u64>,
    /// Windows to capture even if they were quiet.
    pub also: Vec<WindowId>,
    /// Note that no refresh is owed any more, in the same instant.
    pub clear_owed: bool,
    /// Note that a driver lives, until this epoch second.
    pub driver_until: Option<u64>,
}

/// What the server's options say about a look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// What the user has set.
    pub options: Options,
    /// The epoch second until which a driver says that it lives; 0 when none does.
    pub driver_until: u64,
    /// Where readers were last told that the status file and the state are.
    pub published: [String; 2],
    /// What `#{tmux_status}` stands for, as the variable and as the option say.
    pub line: [String; 2],
    /// What windows' own options say, joined by tabs, of those that were read.
    pub windows: BTreeMap<WindowId, String>,
    /// Whether the plugin is loaded in this server.
    pub plugin_loaded: bool,
    /// The helper that its hooks run.
    pub helper: String,
    /// Hooks of ours that are missing; empty when all are there.
    pub missing_hooks: Vec<String>,
    /// How many sessions there are.
    pub sessions: usize,
}

/// A look and what came with it.
#[derive(Debug)]
pub struct Look {
    /// What was seen. Panes without a capture were quiet: their `command` and `path` are empty, too.
    pub snapshot: Snapshot,
    /// What the user has set.
    pub settings: Settings,
}

impl Ask {
    /// A format that is true for a window to be captured.
    fn wanted(&self) -> String {
        let Some(since) = self.since else { return ALWAYS.into() };
        // Window ids: a pane's `%3` would be eaten by strftime inside display-message.
        let also: String = self.also.iter().map(|id| format!("{id} ")).collect();
        if also.len() > LONGEST_LIST {
            return ALWAYS.into();
        }
        // A report moves no activity; its time is kept at the window.
        let at = |time: &str| format!("#{{e|>=:#{{{time}}},{since}}}");
        let moved = format!("#{{||:{},{}}}", at("window_activity"), at(option::REPORTED_AT));
        if also.is_empty() {
            return moved;
        }
        format!("#{{||:{moved},#{{m:* #{{window_id}} *, {also}}}}}")
    }

    fn args(&self, nonce: &str) -> Vec<String> {
        // A target that cannot be: with a real one, options and hooks of that session would hide the global ones.
        let mut args = ["display-message", "-p", "-t", NOWHERE, &header_format(nonce)]
            .map(str::to_owned)
            .to_vec();
        if self.clear_owed {
            args.push(";".into());
            args.extend(hook::clear_owed());
        }
        if let Some(until) = self.driver_until {
            args.push(";".into());
            args.extend(hook::driver_lives(until));
        }
        let wanted = self.wanted();
        let format = defer(&listing::format(nonce, &wanted, self.since.is_none()));
        // Asked of windows, so that the panes of quiet ones are not even looped over.
        let ids = defer(&format!("#{{S:#{{W:#{{?{wanted},#{{P:#{{pane_id}} }},}}}}}}"));
        let captures = format!("#{{S:#{{W:#{{?{wanted},#{{P:capture-pane -p -t #{{pane_id}} ; }},}}}}}}");
        args.extend([";", "run-shell", "-C"].map(str::to_owned));
        args.push(format!(
            "list-panes -a -F '{format}' ; display-message -p 'x{nonce}{ids}' ; {captures}"
        ));
        args
    }
}

/// Puts off a format's expansion to the command it is handed to.
fn defer(format: &str) -> String {
    format.replace("#{", "##{")
}

fn header_format(nonce: &str) -> String {
    let ours = [
        option::DRIVER_UNTIL,
        option::PUBLISHED_FILE,
        option::PUBLISHED_STATE,
        option::VARIABLE,
        option::LINE,
        option::RESOLVED_BIN,
    ];
    let ours = ours.map(|name| format!("#{{{name}}}{nonce}")).concat();
    let options = Options::format(nonce);
    let missing = hook::missing_format();
    format!("#{{pid}}{nonce}#{{start_time}}{nonce}#{{version}}{nonce}{options}{ours}{missing}{nonce}#{{S:.}}{nonce}")
}

/// Takes a look; `meanwhile` runs while tmux works.
///
/// # Errors
/// See [`Failure`]. A server without sessions is a look without sessions.
pub fn take<T>(tmux: &Tmux, ask: &Ask, meanwhile: impl FnOnce() -> T) -> Result<(Look, T), Failure> {
    let nonce = listing::nonce();
    let (answer, aside) = tmux.call_while(&ask.args(&nonce), None, meanwhile)?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let Some((header, rest)) = text.split_once(&format!("{nonce}\n")) else {
        return Err(version::refusal_of(tmux).unwrap_or_else(|| refusal(&answer, "tmux did not say who it is")));
    };
    let (server, mut settings) = read_header(header, &nonce, tmux.socket()).map_err(Failure::Refused)?;
    if let Some(too_old) = version::refusal(&server.version) {
        return Err(too_old);
    }
    let body = match read_body(rest, &nonce) {
        // `exit-empty off`: there is a server and nothing to loop over, which tmux calls "no current target".
        _ if settings.sessions == 0 => Body::default(),
        Ok(body) if answer.success => body,
        odd => by_simple_commands(tmux, &nonce).map_err(|failure| match (failure, odd) {
            (Failure::Refused(words), Err(odd)) => Failure::Refused(format!("{words} (and before: {odd})")),
            (failure, _) => failure,
        })?,
    };
    let (listing, captures) = body;
    settings.windows = listing.published;
    let snapshot = Snapshot {
        server,
        sessions: listing.sessions,
        windows: listing.windows,
        captures,
    };
    Ok((Look { snapshot, settings }, aside))
}

pub(super) fn refusal(answer: &Answer, otherwise: &str) -> Failure {
    Failure::Refused(if answer.stderr.is_empty() {
        otherwise.to_owned()
    } else {
        answer.stderr.clone()
    })
}

fn read_header(header: &str, nonce: &str, socket: &Socket) -> Result<(Server, Settings), String> {
    let fields: Vec<&str> = header.split(nonce).collect();
    let odd = || format!("tmux says oddly who it is: {:?}", listing::start_of(header));
    let [pid, start_time, version, rest @ ..] = fields.as_slice() else {
        return Err(odd());
    };
    let (options, rest) = Options::read(rest).ok_or_else(odd)?;
    let [until, published_file, published_state, variable, line, bin, missing, sessions] = rest else {
        return Err(odd());
    };
    let number = |text: &str| {
        text.parse::<u64>()
            .map_err(|_| format!("{text:?} is not a number in tmux's answer"))
    };
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect();
    let server = Server {
        pid: u32::try_from(number(pid)?).map_err(|_| format!("{pid} is no process id"))?,
        start_time: number(start_time)?,
        socket: socket.to_string(),
        version: (*version).to_owned(),
    };
    let settings = Settings {
        options,
        driver_until: until.parse().unwrap_or(0),
        published: [published_file, published_state].map(|path| (*path).to_owned()),
        line: [variable, line].map(|line| (*line).to_owned()),
        windows: BTreeMap::new(),
        plugin_loaded: !bin.is_empty(),
        helper: (*bin).to_owned(),
        missing_hooks: words(missing),
        sessions: sessions.len(),
    };
    Ok((server, settings))
}

type Body = (listing::Listing, HashMap<PaneId, Vec<String>>);

/// Reads the listing, the line of captured ids and the captures.
fn read_body(text: &str, nonce: &str) -> Result<Body, String> {
    let (listing, rest) = listing::parse(text, nonce)?;
    let (ids, mut rest) = rest
        .strip_prefix('x')
        .and_then(|rest| rest.strip_prefix(nonce))
        .and_then(|rest| rest.split_once('\n'))
        .ok_or_else(|| format!("no list of captured panes: {:?}", listing::start_of(rest)))?;
    let heights: HashMap<PaneId, u32> = listing
        .windows
        .values()
        .flat_map(|w| &w.panes)
        .map(|p| (p.id, p.height))
        .collect();
    let mut captures = HashMap::new();
    // In the order of the ids, which need not be that of the listing (from 3.6 the loops sort otherwise).
    for id in ids.split_whitespace() {
        let id: PaneId = id.parse()?;
        let height = heights
            .get(&id)
            .ok_or_else(|| format!("{id} was captured but not listed"))?;
        let mut rows = Vec::with_capacity(*height as usize);
        for _ in 0..*height {
            let (row, after) = rest
                .split_once('\n')
                .ok_or_else(|| format!("the capture of {id} is cut short"))?;
            // tmux fills with blanks only; this is much cheaper than looking for every kind of white space.
            rows.push(row.trim_end_matches(' ').to_owned());
            rest = after;
        }
        captures.insert(id, rows);
    }
    if !rest.is_empty() {
        return Err(format!("more than the captures: {:?}", listing::start_of(rest)));
    }
    Ok((listing, captures))
}

/// The same by two plain calls, for a server that answers the loop oddly: a listing, then every capture between frames.
/// Not atomic: a pane that ends in between has no capture.
fn by_simple_commands(tmux: &Tmux, nonce: &str) -> Result<Body, Failure> {
    let answer = tmux.call(&["list-panes", "-a", "-F", &listing::format(nonce, ALWAYS, true)])?;
    if !answer.success {
        return Err(refusal(&answer, "list-panes failed"));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let (listing, _) = listing::parse(&text, nonce).map_err(Failure::Refused)?;
    let panes: Vec<PaneId> = listing.windows.values().flat_map(|w| &w.panes).map(|p| p.id).collect();
    // One line is one command group: a pane that is gone costs only its own line.
    let script: String = panes
        .iter()
        .map(|id| format!("display-message -p '{nonce}{}' ; capture-pane -p -t {id}\n", id.0))
        .collect();
    let (answer, ()) = tmux.call_while(&["source-file", "-"], Some(script.into_bytes()), || ())?;
    let text = String::from_utf8_lossy(&answer.stdout);
    let captures = text
        .split(nonce)
        .filter_map(|frame| {
            let (id, rows) = frame.split_once('\n')?;
            let rows: Vec<String> = rows.lines().map(|row| row.trim_end().to_owned()).collect();
            (!rows.is_empty()).then_some((PaneId(id.parse().ok()?), rows))
        })
        .collect();
    Ok((listing, captures))
}

#[cfg(test)]
mod tests {
    use super::option::OPTIONS;
    use super::*;

    const NONCE: &str = "n0123456789abcdef";

    fn record(pane: u32, height: u32) -> String {
        let numbers = format!("$0\t@{pane}\t%{pane}\t0\t1\t0\t1\t42\t0\t\t\t17\t0\t1\t17");
        let seen = format!("80\t{height}\t0\t0\t1\t0\t\t/dev/pts/7");
        let texts = ["s", "w", "", &seen, "", "t", "", "", "bash", "/"]
            .map(|t| format!("{NONCE}{t}"))
            .concat();
        format!("{numbers}{texts}{NONCE}\n")
    }

    #[test]
    fn captures_are_framed_by_their_panes_rows_in_the_order_of_the_ids() {
        let forged = format!("x{NONCE}%1 ");
        let text = format!("{}{}x{NONCE}%2 %1 \n{forged}\n\n\na\nb  \n", record(1, 2), record(2, 3));
        let (listing, captures) = read_body(&text, NONCE).unwrap();
        assert_eq!(listing.windows.len(), 2);
        assert_eq!(captures[&PaneId(2)], [forged.trim_end(), "", ""]);
        assert_eq!(captures[&PaneId(1)], ["a", "b"]);
    }

    #[test]
    fn an_answer_that_is_cut_or_too_long_is_refused() {
        let whole = format!("{}x{NONCE}%1 \na\nb\n", record(1, 2));
        assert!(read_body(&whole, NONCE).is_ok());
        for end in 0..whole.len() {
            assert!(read_body(&whole[..end], NONCE).is_err(), "{end}");
        }
        assert!(read_body(&(whole + "c\n"), NONCE).is_err());
    }

    #[test]
    fn a_pane_captured_but_not_listed_is_refused() {
        let text = format!("{}x{NONCE}%9 \na\nb\n", record(1, 2));
        assert!(read_body(&text, NONCE).unwrap_err().contains("%9"));
    }

    #[test]
    fn the_command_stays_far_below_what_a_tmux_client_may_send() {
        let also = (0..10_000).map(WindowId).collect();
        let ask = Ask {
            since: Some(1_700_000_000),
            also,
            clear_owed: true,
            driver_until: Some(1_700_000_000),
        };
        let few = Ask {
            also: (0..600).map(|n| WindowId(n + 100)).collect(),
            ..ask.clone()
        };
        for ask in [ask, few] {
            let bytes: usize = ask.args(NONCE).iter().map(|a| a.len() + 1).sum();
            assert!(bytes < 16_000, "{bytes}");
        }
    }

    #[test]
    fn the_header_is_read_whole_or_not_at_all() {
        let mut header = vec!["1", "2", "3.3a"];
        header.extend(OPTIONS.iter().map(|option| option.name));
        header.extend(["", "/p", "/q", "?1 w", "?2 w", "/bin/x", "pane-died ", ".."]);
        let header = header.join(NONCE);
        let socket = Socket::resolve(Some("/nowhere/s".as_ref()), None);
        let (server, settings) = read_header(&header, NONCE, &socket).unwrap();
        assert_eq!((server.pid, server.start_time, server.version.as_str()), (1, 2, "3.3a"));
        assert_eq!(server.socket, "/nowhere/s");
        for option in OPTIONS {
            assert_eq!(settings.options.get(option.name), option.name);
        }
        assert_eq!(settings.missing_hooks, ["pane-died"]);
        assert_eq!(settings.line, ["?1 w", "?2 w"]);
        assert_eq!((settings.plugin_loaded, settings.sessions), (true, 2));
        assert!(read_header("1", NONCE, &socket).is_err());
    }
}
