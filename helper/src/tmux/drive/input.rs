//! What goes into panes: who would get it, keys, and pastes.

use super::super::command::{data, sequence, Failure, Tmux};
use super::super::listing::nonce;
use super::{ask, gone, records, refused, Fields};
use crate::model::{PaneId, WindowId};

/// A pane, as one who wants to type into it must know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// The pane.
    pub id: PaneId,
    /// Its window.
    pub window: WindowId,
    /// The server's process id.
    pub server: u32,
    /// The process that tmux has started in it.
    pub pid: u32,
    /// Whether its program has ended.
    pub dead: bool,
    /// Whether it takes no input.
    pub input_off: bool,
    /// The mode that takes its keys.
    pub mode: Option<String>,
    /// Whether what is typed into others of its kind is typed into it.
    pub synchronized: bool,
    /// Whether its window shows it: of a zoomed window only the active pane is shown.
    pub shown: bool,
    /// Columns.
    pub width: u32,
    /// The cursor's column, from 0.
    pub cursor_x: u32,
    /// tmux's word for its foreground program.
    pub command: String,
}

/// A terminal that shows a window.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Viewer {
    /// Its name, as tmux has it.
    pub name: String,
    /// The window.
    pub window: WindowId,
}

/// The panes of one window, and who looks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Audience {
    /// The pane that was named.
    pub target: Recipient,
    /// All panes that typing into that one reaches, that one among them, in tmux's order.
    pub reached: Vec<Recipient>,
    /// Terminals, whatever they show. Clients that are programs do not count.
    pub viewers: Vec<Viewer>,
}

const PANE: [&str; 14] = [
    "#{pane_id}",
    "#{window_id}",
    "#{pid}",
    "#{pane_pid}",
    "#{pane_dead}",
    "#{pane_input_off}",
    "#{pane_synchronized}",
    "#{window_zoomed_flag}",
    "#{pane_active}",
    "#{pane_width}",
    "#{cursor_x}",
    "#{pane_in_mode}",
    "#{pane_mode}",
    "#{pane_current_command}",
];

/// A client and the window that its session shows.
const CLIENT: [&str; 3] = ["#{window_id}", "#{client_control_mode}", "#{client_name}"];

/// Who would get what is typed into a pane, and who would see it, at one instant.
///
/// # Errors
/// See [`Failure`]; "can't find" when there is no such pane.
pub fn audience(tmux: &Tmux, id: PaneId) -> Result<Audience, Failure> {
    let (mark, nonce) = (nonce(), nonce());
    let target = id.to_string();
    let panes = ["list-panes", "-t", &target, "-F", &super::record(&nonce, &PANE)].map(str::to_owned);
    let clients = ["list-clients", "-F", &super::record(&mark, &CLIENT)].map(str::to_owned);
    let answer = tmux.call(&sequence(vec![panes.to_vec(), clients.to_vec()]))?;
    if !answer.success {
        return Err(refused(tmux, answer));
    }
    let text = String::from_utf8_lossy(&answer.stdout);
    let (rows, rest) = records(&text, &nonce, PANE.len())?;
    let rows: Vec<Recipient> = rows
        .into_iter()
        .map(|mut row| recipient(&mut row))
        .collect::<Result<_, _>>()?;
    let mut viewers = Vec::new();
    for mut client in super::all(rest, &mark, CLIENT.len())? {
        let (window, program) = (client.maybe()?, client.flag()?);
        if let Some(window) = window.filter(|_| !program) {
            viewers.push(Viewer {
                name: client.owned()?,
                window,
            });
        }
    }
    let target = rows
        .iter()
        .find(|row| row.id == id)
        .cloned()
        .ok_or_else(|| gone("pane", id))?;
    // tmux hands keys on only to panes that are shown.
    let hears = |row: &&Recipient| row.id == id || (target.synchronized && row.synchronized && row.shown);
    Ok(Audience {
        reached: rows.iter().filter(hears).cloned().collect(),
        target,
        viewers,
    })
}

fn recipient(row: &mut Fields<'_>) -> Result<Recipient, Failure> {
    let (id, window, server, pid) = (row.parse()?, row.parse()?, row.parse()?, row.parse()?);
    let (dead, input_off, synchronized) = (row.flag()?, row.flag()?, row.flag()?);
    let (zoomed, active) = (row.flag()?, row.flag()?);
    let (width, cursor_x) = (row.parse()?, row.maybe()?.unwrap_or(0));
    let (in_mode, mode) = (row.flag()?, row.owned()?);
    Ok(Recipient {
        id,
        window,
        server,
        pid,
        dead,
        input_off,
        mode: in_mode.then_some(mode),
        synchronized,
        shown: active || !zoomed,
        width,
        cursor_x,
        command: row.owned()?,
    })
}

/// Types `text` as it is, then presses `keys`, all in one pass of the server's queue. The keys must be names that tmux
/// knows: it types others as text.
///
/// # Errors
/// See [`Failure`].
pub fn send(tmux: &Tmux, id: PaneId, text: &str, keys: &[String]) -> Result<(), Failure> {
    let target = id.to_string();
    let command = |flags: &[&str]| {
        let start = ["send-keys", "-t", target.as_str()];
        start
            .iter()
            .chain(flags)
            .chain(&["--"])
            .map(|word| (*word).to_owned())
            .collect::<Vec<_>>()
    };
    let mut commands = Vec::new();
    if !text.is_empty() {
        let mut typed = command(&["-l"]);
        typed.push(data(text));
        commands.push(typed);
    }
    if !keys.is_empty() {
        let mut pressed = command(&[]);
        pressed.extend(keys.iter().map(|key| data(key)));
        commands.push(pressed);
    }
    let args = sequence(commands);
    ask(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>()).map(drop)
}

/// Whether every tmux takes `name` for a key, not for text: modifiers and one character, or a name of its table.
pub fn is_key(name: &str) -> bool {
    let mut rest = name;
    loop {
        let mut characters = rest.chars();
        let (Some(first), second) = (characters.next(), characters.next()) else {
            return false;
        };
        match second {
            None => return !first.is_control(),
            Some('-') if "CcMmSs".contains(first) => rest = characters.as_str(),
            _ if first == '^' => {
                // Control and one character.
                rest = rest.get(1..).unwrap_or_default();
                return rest.chars().count() == 1 && !rest.contains(char::is_control);
            }
            _ => return KEYS.iter().any(|key| key.eq_ignore_ascii_case(rest)) || is_function_key(rest),
        }
    }
}

fn is_function_key(name: &str) -> bool {
    let number = name.strip_prefix(['F', 'f']).unwrap_or_default();
    !number.starts_with('0') && number.parse::<u8>().is_ok_and(|number| (1..=12).contains(&number))
}

/// The names in tmux's table that mean a key which a program can get; mouse events and tmux's own are none.
const KEYS: [&str; 38] = [
    "IC", "Insert", "DC", "Delete", "Home", "End", "NPage", "PageDown", "PgDn", "PPage", "PageUp", "PgUp", "BTab",
    "Space", "BSpace", "Enter", "Escape", "Tab", "Up", "Down", "Left", "Right", "KP/", "KP*", "KP-", "KP7", "KP8",
    "KP9", "KP+", "KP4", "KP5", "KP6", "KP1", "KP2", "KP3", "KPEnter", "KP0", "KP.",
];

/// A buffer that nobody else names.
pub fn private_buffer() -> String {
    format!("tmux-status-mcp-{}", nonce())
}

/// Puts `text` into a buffer.
///
/// # Errors
/// See [`Failure`].
pub fn fill(tmux: &Tmux, buffer: &str, text: &str) -> Result<(), Failure> {
    let args = ["load-buffer", "-b", buffer, "-"];
    let (answer, ()) = tmux.call_while(&args, Some(text.as_bytes().to_vec()), || ())?;
    if answer.success {
        return Ok(());
    }
    Err(refused(tmux, answer))
}

/// Pastes a buffer into that pane alone, as a block where its program knows blocks, and then, if wanted, what Enter sends.
/// The buffer is gone afterwards.
///
/// # Errors
/// See [`Failure`].
pub fn paste(tmux: &Tmux, id: PaneId, buffer: Option<&str>, enter: bool) -> Result<(), Failure> {
    let target = id.to_string();
    let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
    let mut commands = Vec::new();
    if let Some(buffer) = buffer {
        commands.push(words(&["paste-buffer", "-d", "-p", "-b", buffer, "-t", &target]));
    }
    // As a key it would go to all panes that are synchronized, and within the block it would be a part of the text.
    let newline = private_buffer();
    if enter {
        commands.push(words(&["set-buffer", "-b", &newline, "\n"]));
        commands.push(words(&["paste-buffer", "-d", "-b", &newline, "-t", &target]));
    }
    let args = sequence(commands);
    let pasted = ask(tmux, &args.iter().map(String::as_str).collect::<Vec<_>>()).map(drop);
    if pasted.is_err() {
        for buffer in buffer.into_iter().chain(enter.then_some(newline.as_str())) {
            empty(tmux, buffer);
        }
    }
    pasted
}

/// Deletes a buffer; one that is not there is as good.
pub fn empty(tmux: &Tmux, buffer: &str) {
    let _ = tmux.call(&["delete-buffer", "-b", buffer]);
}

#[cfg(test)]
mod tests {
    use super::is_key;

    #[test]
    fn keys_are_told_from_text() {
        for key in [
            "C-c", "c-c", "C-\\", "Enter", "enter", "Escape", "Up", "C-Left", "M-S-F5", "F1", "F12", "^c", "^[", "a",
            "é", "-", "C--", "M-^a", "KP5", "C-Space", "BSpace", "^", "C-^",
        ] {
            assert!(is_key(key), "{key}");
        }
        for text in [
            "NotAKey",
            "",
            "C-",
            "ab",
            "F0",
            "F13",
            "F01",
            "Ctrl-c",
            "C-cc",
            "MouseDown1Pane",
            "Any",
            "None",
            "\n",
            "C-\n",
            "0x41",
            "^ab",
            "User1",
        ] {
            assert!(!is_key(text), "{text:?}");
        }
    }
}
