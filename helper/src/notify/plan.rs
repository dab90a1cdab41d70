//! Who is told how: a decision over the clients that are attached and what this machine has.

use super::desktop::{Own, Program, Sequence};
use crate::model::WindowId;
use crate::text;
use crate::tmux::client::Client;
use crate::wish::Way;
use std::fmt;

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// Ring the bell of the client's terminal.
    Bell(Client),
    /// Show a line in tmux, on the clients with these names.
    Message(Vec<String>),
    /// Have the client's terminal show a notification.
    Terminal(Client, Sequence),
    /// Run the desktop's program, on these displays (X11, Wayland).
    Program(Program, [String; 2]),
    /// Run the user's command.
    Command,
    /// This way leads to nobody now, and why.
    Nobody(Way, &'static str),
}

/// What to do, to tell of `windows` by `ways`: not to clients that show one of them.
pub fn plan(ways: &[Way], clients: &[Client], windows: &[WindowId], own: &Own) -> Vec<Step> {
    let shows = |client: &&Client| client.window.is_some_and(|window| windows.contains(&window));
    let others: Vec<&Client> = clients.iter().filter(|client| !shows(client)).collect();
    let nobody = match clients {
        [] => "no client is attached",
        _ => "every client shows the window",
    };
    let mut steps = Vec::new();
    for way in ways {
        match way {
            Way::Command => steps.push(Step::Command),
            Way::Desktop => steps.extend(desktop(clients.is_empty(), &others, own)),
            _ if others.is_empty() => steps.push(Step::Nobody(*way, nobody)),
            Way::Bell => steps.extend(others.iter().map(|client| Step::Bell((*client).clone()))),
            Way::Message => steps.push(Step::Message(others.iter().map(|client| client.name.clone()).collect())),
        }
    }
    steps
}

/// The desktops of clients, each once: this machine's through the terminal of one that sits there, if possible.
fn desktop(alone: bool, others: &[&Client], own: &Own) -> Vec<Step> {
    let known = |client: &&&Client| Sequence::of(client).is_some();
    let terminal = |client: &&Client| Some(Step::Terminal((*client).clone(), Sequence::of(client)?));
    let mut steps: Vec<Step> = others.iter().filter_map(terminal).collect();
    let mut here = others.iter().filter(|client| own.is_before(client));
    let displays = match here.clone().next() {
        Some(_) if here.any(|client| known(&client)) => None,
        Some(client) => Some(client.displays.clone()),
        // A desktop from which everybody has detached is still one.
        None => (alone && own.display).then(Default::default),
    };
    if let (Some(displays), Some(program)) = (displays, &own.program) {
        steps.push(Step::Program(program.clone(), displays));
    }
    if steps.is_empty() {
        let why = match (alone, others) {
            (false, []) => "every client shows the window",
            (true, _) => "no client is attached, and there is no desktop here",
            _ => "no client's terminal is known to show notifications, and none sits at a desktop with a program for them",
        };
        steps.push(Step::Nobody(Way::Desktop, why));
    }
    steps
}

impl Step {
    /// The way that it is part of.
    pub fn way(&self) -> Way {
        match self {
            Step::Bell(_) => Way::Bell,
            Step::Message(_) => Way::Message,
            Step::Terminal(..) | Step::Program(..) => Way::Desktop,
            Step::Command => Way::Command,
            Step::Nobody(way, _) => *way,
        }
    }

    /// What is acted on, where the way alone does not say it.
    pub fn subject(&self) -> Option<String> {
        match self {
            Step::Bell(client) | Step::Terminal(client, _) => Some(client.tty.display().to_string()),
            Step::Program(program, _) => Some(program.to_string()),
            Step::Message(_) | Step::Command | Step::Nobody(..) => None,
        }
    }
}

/// Where, and by whom.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Step::Bell(client) => write!(f, "the bell of {}", client.tty.display()),
            Step::Message(names) => write!(f, "a line on {}", names.join(", ")),
            Step::Terminal(client, sequence) => {
                let name = match client.terminal.as_str() {
                    "" => &client.term,
                    name => name,
                };
                let name = text::one_line(name, 30);
                write!(f, "{sequence} to {} ({name})", client.tty.display())
            }
            Step::Program(program, _) => write!(f, "{program}"),
            Step::Command => write!(f, "your own command"),
            Step::Nobody(_, why) => write!(f, "nobody: {why}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(name: &str, window: u32, terminal: &str, display: &str) -> Client {
        Client {
            name: name.into(),
            tty: name.into(),
            window: Some(WindowId(window)),
            terminal: terminal.into(),
            displays: [display.into(), String::new()],
            ..Client::default()
        }
    }

    fn here() -> Own {
        Own {
            program: Some(Program::NotifySend("/usr/bin/notify-send".into())),
            display: true,
        }
    }

    fn said(ways: &[Way], clients: &[Client], windows: &[WindowId], own: &Own) -> Vec<String> {
        let steps = plan(ways, clients, windows, own);
        steps
            .iter()
            .map(|step| format!("{} {step}", step.way().as_str()))
            .collect()
    }

    #[test]
    fn who_shows_the_window_is_not_told() {
        let clients = [client("a", 1, "", ""), client("b", 2, "", ""), client("c", 3, "", "")];
        let told = said(&[Way::Bell, Way::Message], &clients, &[WindowId(2)], &Own::default());
        assert_eq!(
            told,
            ["bell the bell of a", "bell the bell of c", "message a line on a, c"]
        );
        let told = said(&Way::ALL, &clients[1..2], &[WindowId(2)], &here());
        assert!(
            told[..3].iter().all(|line| line.ends_with("shows the window")),
            "{told:?}"
        );
        assert_eq!(told[3..], ["command your own command"]);
    }

    #[test]
    fn a_desktop_is_told_through_a_terminal_if_one_can_and_once() {
        let desktop = |clients: &[Client], own: &Own| said(&[Way::Desktop], clients, &[], own);
        let kitty = client("k", 1, "kitty(0.36)", ":0");
        let xterm = client("x", 1, "XTerm(390)", ":0");
        assert_eq!(
            desktop(std::slice::from_ref(&kitty), &here()),
            ["desktop OSC 99 to k (kitty(0.36))"]
        );
        assert_eq!(
            desktop(std::slice::from_ref(&xterm), &here()),
            ["desktop /usr/bin/notify-send"]
        );
        assert_eq!(desktop(&[xterm.clone(), kitty.clone()], &here()).len(), 1);
        let far = Client { remote: true, ..kitty };
        assert_eq!(desktop(&[xterm.clone(), far.clone()], &here()).len(), 2, "two desktops");
        assert!(desktop(&[xterm], &Own::default())[0].contains("nobody"));
        let far = Client {
            terminal: "XTerm(390)".into(),
            ..far
        };
        assert!(
            desktop(&[far], &here())[0].contains("nobody"),
            "its display is not ours"
        );
    }

    #[test]
    fn without_any_client_a_desktop_and_a_command_are_left() {
        let told = said(&Way::ALL, &[], &[], &here());
        assert_eq!(
            told,
            [
                "bell nobody: no client is attached",
                "message nobody: no client is attached",
                "desktop /usr/bin/notify-send",
                "command your own command",
            ]
        );
        assert!(said(&[Way::Desktop], &[], &[], &Own::default())[0].contains("no desktop here"));
    }
}
