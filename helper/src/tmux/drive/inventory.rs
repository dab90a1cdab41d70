//! Everything that a session is made of, of all sessions at one instant: what `list-panes` tells, and the options that
//! sessions, windows and panes have set for themselves.

use super::super::command::{Failure, Tmux};
use super::super::listing::nonce;
use super::super::literal;
use super::super::version;
use super::settings::read_environment;
use super::{odd, record, records, refused, Fields, NO_SESSIONS};
use crate::model::{PaneId, SessionId, WindowId};
use std::collections::BTreeMap;

/// Names and values of options, as tmux lists them. The element of an array has its index in its name: `status-format[0]`.
pub type Options = Vec<(String, String)>;

/// What a server holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The server's process id; 0 when it has no sessions.
    pub server: u32,
    /// When it started, in epoch seconds.
    pub started: u64,
    /// In the order in which they were made.
    pub sessions: Vec<Session>,
    /// Every window, once.
    pub windows: BTreeMap<WindowId, Window>,
}

/// A session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// Its id.
    pub id: SessionId,
    /// Its name, verbatim.
    pub name: String,
    /// The name of its group; empty where it shares its windows with no other session.
    pub group: String,
    /// When a client last was attached to it, in epoch seconds, and when one last did something in it: the larger the later.
    pub used: (u64, u64),
    /// How many clients are attached.
    pub attached: u32,
    /// What is set for it alone.
    pub options: Options,
    /// What runs at events of it: the names of its hooks.
    pub hooks: Vec<String>,
    /// The names of its variables, but for those that it takes over from whoever attaches.
    pub variables: Vec<String>,
    /// `default-command`: what runs in panes that were given nothing to run; mostly empty, which is the shell.
    pub default_command: String,
    /// Its windows in tmux's order; one that is linked twice is there twice.
    pub places: Vec<Place>,
}

/// A window's place in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// Which window.
    pub window: WindowId,
    /// Its index.
    pub index: u32,
    /// Whether it is the current one.
    pub active: bool,
    /// Whether it is the one that was current before.
    pub last: bool,
}

/// A window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Window {
    /// Its name, verbatim.
    pub name: String,
    /// Its layout as tmux saves it, without regard to a zoomed pane.
    pub layout: String,
    /// Its options main-pane-width and main-pane-height, as they hold there.
    pub main_pane: [String; 2],
    /// Whether a pane fills it.
    pub zoomed: bool,
    /// What is set for it alone.
    pub options: Options,
    /// The names of its hooks.
    pub hooks: Vec<String>,
    /// In tmux's order; never empty.
    pub panes: Vec<Pane>,
}

/// A pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pane {
    /// Its id.
    pub id: PaneId,
    /// Its index.
    pub index: u32,
    /// Whether it is its window's active one.
    pub active: bool,
    /// The process that tmux started in it.
    pub pid: u32,
    /// Whether its program has ended.
    pub dead: bool,
    /// Its terminal, e.g. `/dev/pts/3`.
    pub tty: String,
    /// The mode that covers it; empty without one.
    pub mode: String,
    /// What it was given to run, a word for each argument; a single one is a shell's command line. Empty: the default.
    pub start: Vec<String>,
    /// Where that was started.
    pub start_path: String,
    /// The directory of its foreground program; empty where tmux cannot tell.
    pub path: String,
    /// Whether a program gets all that it prints (`pipe-pane`).
    pub piped: bool,
    /// Whether it takes no keys (`select-pane -d`).
    pub deaf: bool,
    /// What is set for it alone.
    pub options: Options,
    /// The names of its hooks.
    pub hooks: Vec<String>,
}

/// What [`Inventory::add`] reads, in its order.
const FIELDS: [&str; 30] = [
    "#{pid}",
    "#{start_time}",
    "#{session_id}",
    "#{session_name}",
    "#{session_group}",
    "#{session_last_attached}",
    "#{session_activity}",
    "#{session_attached}",
    "#{default-command}",
    "#{window_id}",
    "#{window_index}",
    "#{window_active}",
    "#{window_last_flag}",
    "#{window_name}",
    "#{window_layout}",
    "#{main-pane-width}",
    "#{main-pane-height}",
    "#{window_zoomed_flag}",
    "#{pane_id}",
    "#{pane_index}",
    "#{pane_active}",
    "#{pane_pid}",
    "#{pane_dead}",
    "#{pane_tty}",
    "#{pane_mode}",
    "#{pane_start_command}",
    "#{pane_start_path}",
    "#{pane_current_path}",
    "#{pane_pipe}",
    "#{pane_input_off}",
];

/// Reads it all, in one tmux process.
///
/// # Errors
/// See [`Failure`]. A server without sessions has an empty inventory.
pub fn read(tmux: &Tmux) -> Result<Inventory, Failure> {
    let (nonce, mark) = (nonce(), nonce());
    let answer = tmux.call(&["run-shell", "-C", &script(&nonce, &mark)])?;
    if !answer.success && answer.stderr == NO_SESSIONS {
        return Ok(Inventory::default());
    }
    if !answer.success {
        return Err(version::refusal_of(tmux).unwrap_or_else(|| refused(tmux, answer)));
    }
    parse(&String::from_utf8_lossy(&answer.stdout), &nonce, &mark)
}

/// A loop that tmux expands: everything it makes runs in one pass of its queue, so nothing can vanish in between.
fn script(nonce: &str, mark: &str) -> String {
    // Put off to the command that it is handed to.
    let format = record(nonce, &FIELDS).replace("#{", "##{");
    // What a loop hands on cannot be put off, and goes through strftime, which would take `%3` for its own.
    let told = |what: char, command: &str, id: &str, name: &str| {
        format!("display-message -p '{mark}{what}#{{s/%/p/:{id}}}' ; {command} -t '#{{{id}}}' {name} ; ")
    };
    let of = |flag: &str, id: &str| {
        let (options, hooks) = (format!("show-options {flag}"), format!("show-hooks {flag}"));
        told(OPTIONS, &options, id, "") + &told(HOOKS, &hooks, id, "")
    };
    let session = of("", "session_id")
        + &told(TAKEN_OVER, "show-options -Av", "session_id", "update-environment")
        // Quoted as for a shell: a value with a newline in it could pass for a name otherwise.
        + &told(VARIABLES, "show-environment -s", "session_id", "");
    let window = of("-w", "window_id");
    let pane = of("-p", "pane_id");
    format!("list-panes -a -F '{format}' ; #{{S:{session}#{{W:{window}#{{P:{pane}}}}}}}")
}

/// What a block of the answer has.
const OPTIONS: char = 'o';
const HOOKS: char = 'h';
const TAKEN_OVER: char = 't';
const VARIABLES: char = 'v';

fn parse(text: &str, nonce: &str, mark: &str) -> Result<Inventory, Failure> {
    let mut inventory = Inventory::default();
    let (rows, rest) = records(text, nonce, FIELDS.len())?;
    for mut fields in rows {
        inventory.add(&mut fields)?;
    }
    inventory.sessions.sort_by_key(|session| session.id.0);
    let mut blocks = rest.split(mark);
    if blocks.next() != Some("") {
        return Err(odd(rest));
    }
    for block in blocks {
        let (id, lines) = block.split_once('\n').ok_or_else(|| odd(block))?;
        let mut id = id.chars();
        match id.next() {
            Some(OPTIONS) => inventory.set(id.as_str(), lines.lines().filter_map(option).collect()),
            Some(HOOKS) => inventory.set_hooks(id.as_str(), &hooks(lines)),
            Some(TAKEN_OVER) => inventory.set_taken_over(id.as_str(), lines),
            Some(VARIABLES) => inventory.set_variables(id.as_str(), lines)?,
            _ => return Err(odd(block)),
        }
    }
    Ok(inventory)
}

impl Inventory {
    fn add(&mut self, fields: &mut Fields<'_>) -> Result<(), Failure> {
        self.server = fields.parse()?;
        self.started = fields.parse()?;
        let id: SessionId = fields.parse()?;
        let session = Session {
            id,
            name: literal::given(fields.text()?),
            group: literal::given(fields.text()?),
            used: (fields.maybe()?.unwrap_or(0), fields.maybe()?.unwrap_or(0)),
            attached: fields.parse()?,
            options: Vec::new(),
            default_command: fields.owned()?,
            hooks: Vec::new(),
            variables: Vec::new(),
            places: Vec::new(),
        };
        let place = Place {
            window: fields.parse()?,
            index: fields.parse()?,
            active: fields.flag()?,
            last: fields.flag()?,
        };
        let window = Window {
            name: fields.owned()?,
            layout: fields.owned()?,
            main_pane: [fields.owned()?, fields.owned()?],
            zoomed: fields.flag()?,
            options: Vec::new(),
            hooks: Vec::new(),
            panes: Vec::new(),
        };
        let pane = pane(fields)?;
        if self.sessions.last().is_none_or(|last| last.id != id) {
            self.sessions.push(session);
        }
        if let Some(session) = self.sessions.last_mut() {
            if session.places.last() != Some(&place) {
                session.places.push(place);
            }
        }
        let window = self.windows.entry(place.window).or_insert(window);
        if !window.panes.iter().any(|known| known.id == pane.id) {
            window.panes.push(pane);
        }
        Ok(())
    }

    /// Gives what `whose` names its options: an id, of a pane with a `p` for its sign.
    fn set(&mut self, whose: &str, options: Options) {
        if let Some(its) = self.named(whose) {
            *its.options = options;
        }
    }

    fn set_hooks(&mut self, whose: &str, hooks: &[String]) {
        if let Some(its) = self.named(whose) {
            *its.hooks = hooks.to_vec();
        }
    }

    fn named(&mut self, whose: &str) -> Option<Settings<'_>> {
        if let Ok(id) = whose.parse::<SessionId>() {
            let session = self.sessions.iter_mut().find(|session| session.id == id)?;
            let (options, hooks) = (&mut session.options, &mut session.hooks);
            return Some(Settings { options, hooks });
        }
        if let Ok(id) = whose.parse::<WindowId>() {
            let window = self.windows.get_mut(&id)?;
            let (options, hooks) = (&mut window.options, &mut window.hooks);
            return Some(Settings { options, hooks });
        }
        let id = whose.strip_prefix('p')?.parse().ok().map(PaneId)?;
        let mut panes = self.windows.values_mut().flat_map(|window| &mut window.panes);
        let pane = panes.find(|pane| pane.id == id)?;
        let (options, hooks) = (&mut pane.options, &mut pane.hooks);
        Some(Settings { options, hooks })
    }

    /// Notes which variables a session takes over, a line each, until all of its own are known.
    fn set_taken_over(&mut self, whose: &str, names: &str) {
        let id = whose.parse::<SessionId>().ok();
        if let Some(session) = self.sessions.iter_mut().find(|session| Some(session.id) == id) {
            session.variables = names.lines().map(str::to_owned).collect();
        }
    }

    /// Leaves of the variables of a session those that it does not take over from whoever attaches.
    fn set_variables(&mut self, whose: &str, environment: &str) -> Result<(), Failure> {
        let id = whose.parse::<SessionId>().ok();
        if let Some(session) = self.sessions.iter_mut().find(|session| Some(session.id) == id) {
            let taken_over = std::mem::take(&mut session.variables);
            let own = read_environment(environment)?.into_iter();
            let own = own.map(|variable| variable.name);
            session.variables = own.filter(|name| !taken_over.contains(name)).collect();
        }
        Ok(())
    }
}

/// What a session, a window or a pane has set for itself.
struct Settings<'a> {
    options: &'a mut Options,
    hooks: &'a mut Vec<String>,
}

/// The names of hooks, each once, though it may have several commands: `pane-died[0] …`.
fn hooks(lines: &str) -> Vec<String> {
    let name = |line: &str| line.split(['[', ' ']).next().unwrap_or_default().to_owned();
    let mut names: Vec<String> = lines.lines().map(name).filter(|name| !name.is_empty()).collect();
    names.dedup();
    names
}

fn pane(fields: &mut Fields<'_>) -> Result<Pane, Failure> {
    Ok(Pane {
        id: fields.parse()?,
        index: fields.parse()?,
        active: fields.flag()?,
        pid: fields.maybe()?.unwrap_or(0),
        dead: fields.flag()?,
        tty: fields.owned()?,
        mode: fields.owned()?,
        start: words(fields.text()?),
        start_path: fields.owned()?,
        path: fields.owned()?,
        piped: fields.flag()?,
        deaf: fields.flag()?,
        options: Vec::new(),
        hooks: Vec::new(),
    })
}

/// A line of `show-options`: a name and a quoted value, of which an inherited one (`name* value`) is none of its own.
fn option(line: &str) -> Option<(String, String)> {
    let (name, value) = line.split_once(' ').unwrap_or((line, ""));
    let own = !name.is_empty() && !name.ends_with('*');
    // tmux lists an array without elements by its name alone.
    own.then(|| (name.to_owned(), words(value).join(" ")))
}

/// What tmux has quoted for its own configuration files, as words. It escapes within any kind of quotes.
fn words(text: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\\' => {
                let escaped = escaped(&mut rest);
                word.get_or_insert_default().extend(escaped);
            }
            '"' | '\'' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            c if quote == Some(c) => quote = None,
            ' ' if quote.is_none() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

/// The character behind a backslash (vis(3), C style, and octal).
fn escaped(rest: &mut std::iter::Peekable<std::str::Chars<'_>>) -> Option<char> {
    let c = rest.next()?;
    if let Some(first) = c.to_digit(8) {
        let mut number = first;
        for _ in 0..2 {
            let Some(digit) = rest.peek().and_then(|c| c.to_digit(8)) else {
                break;
            };
            number = number * 8 + digit;
            rest.next();
        }
        return char::from_u32(number);
    }
    Some(match c {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'a' => '\x07',
        'b' => '\x08',
        'v' => '\x0b',
        'f' => '\x0c',
        's' => ' ',
        c => c,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tmux_quotes_is_read_back() {
        for (line, name, value) in [
            (r#"@x "a'b\"c\\ \$HOME\nnext""#, "@x", "a'b\"c\\ $HOME\nnext"),
            ("status-format[0] \"x y\"", "status-format[0]", "x y"),
            ("@empty ''", "@empty", ""),
            ("@one \\#", "@one", "#"),
            ("@bell a\\001b\\033", "@bell", "a\u{1}b\u{1b}"),
            ("mouse on", "mouse", "on"),
            ("update-environment", "update-environment", ""),
        ] {
            assert_eq!(option(line), Some((name.to_owned(), value.to_owned())), "{line}");
        }
        assert_eq!(option("mouse* on"), None);
        assert_eq!(words("\"sleep 300\""), ["sleep 300"]);
        assert_eq!(words("sleep 301"), ["sleep", "301"]);
        assert_eq!(words("vim 'a\"b c' ''"), ["vim", "a\"b c", ""]);
        assert!(words("").is_empty());
    }
}
