//! The process that a call from inside a pane speaks for, found among the callers of this one.
//!
//! A report must end with the program that it is about. That is seldom our parent: an agent's hook runs in a shell of its
//! own, often in a session without the terminal, while the agent is the terminal's foreground program further up.

use super::platform;

/// How far up is looked. A chain that is longer is none.
const MOST: usize = 64;

/// What ties a process to others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kin {
    /// Its parent.
    pub parent: u32,
    /// Its process group.
    pub group: u32,
    /// A number for its controlling terminal; `None` without one.
    pub terminal: Option<u64>,
    /// The foreground group of that terminal.
    pub foreground: Option<u32>,
}

/// The process that this one speaks for: the leader of the terminal's foreground group if a caller of ours belongs to it,
/// else of the group of the nearest caller on a terminal. `None` without a caller on a terminal, and where one between
/// here and there has arguments that are those of a `server`, which works for several panes.
pub fn speaker(server: impl Fn(&[String]) -> bool) -> Option<u32> {
    let stands_between = |pid| server(&platform::arguments(pid));
    find(std::process::id(), platform::kin, stands_between)
}

fn find(own: u32, kin: impl Fn(u32) -> Option<Kin>, is_server: impl Fn(u32) -> bool) -> Option<u32> {
    // A leader may have ended before the rest of its group, as the first program of a pipe does.
    let leader = |pid: u32, of: Kin| {
        let there = kin(of.group).is_some_and(|leader| leader.terminal == of.terminal);
        if there {
            of.group
        } else {
            pid
        }
    };
    let mut nearest: Option<(u32, Kin)> = None;
    let mut pid = kin(own)?.parent;
    for _ in 0..MOST {
        let Some(here) = kin(pid) else { break };
        match nearest {
            None if here.terminal.is_some() => nearest = Some((pid, here)),
            None if is_server(pid) => return None,
            None => {}
            Some((_, first)) if first.terminal != here.terminal => break,
            Some(_) => {}
        }
        if here.terminal.is_some() && here.foreground == Some(here.group) {
            return Some(leader(pid, here));
        }
        pid = here.parent;
    }
    nearest.map(|(pid, of)| leader(pid, of))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `(pid, parent, group, terminal, foreground group)`, a terminal of 0 being none.
    type Row = (u32, u32, u32, u64, u32);

    fn found(rows: &[Row]) -> Option<u32> {
        found_below(rows, 0)
    }

    fn found_below(rows: &[Row], server: u32) -> Option<u32> {
        let kin = |pid: u32| {
            let row = rows.iter().find(|row| row.0 == pid)?;
            Some(Kin {
                parent: row.1,
                group: row.2,
                terminal: Some(row.3).filter(|&t| t != 0),
                foreground: Some(row.4).filter(|&g| g != 0),
            })
        };
        find(99, kin, |pid| pid == server)
    }

    const SERVER: Row = (5, 1, 5, 0, 0);
    const SHELL: Row = (10, 5, 10, 7, 20);

    #[test]
    fn a_hook_in_a_session_of_its_own_speaks_for_the_foreground_program() {
        let agent = (20, 10, 20, 7, 20);
        assert_eq!(
            found(&[SERVER, SHELL, agent, (30, 20, 30, 0, 0), (99, 30, 30, 0, 0)]),
            Some(20)
        );
        assert_eq!(
            found(&[SERVER, SHELL, agent, (99, 20, 20, 7, 20)]),
            Some(20),
            "on the terminal"
        );
        let background_group = [SERVER, SHELL, agent, (30, 20, 30, 7, 20), (99, 30, 30, 7, 20)];
        assert_eq!(found(&background_group), Some(20));
    }

    #[test]
    fn a_worker_speaks_for_the_program_that_leads_its_group() {
        let rows = [
            SERVER,
            SHELL,
            (20, 10, 20, 7, 20),
            (21, 20, 20, 7, 20),
            (99, 21, 99, 0, 0),
        ];
        assert_eq!(found(&rows), Some(20));
        let without_leader = [SERVER, SHELL, (21, 10, 20, 7, 20), (99, 21, 99, 0, 0)];
        assert_eq!(found(&without_leader), Some(21));
    }

    #[test]
    fn what_is_typed_at_a_prompt_speaks_for_the_shell() {
        let shell = (10, 5, 10, 7, 99);
        assert_eq!(found(&[SERVER, shell, (99, 10, 99, 7, 99)]), Some(10));
    }

    #[test]
    fn an_agent_in_the_background_is_found_by_its_group() {
        let shell = (10, 5, 10, 7, 10);
        let rows = [
            SERVER,
            shell,
            (20, 10, 20, 7, 10),
            (21, 20, 20, 7, 10),
            (99, 21, 20, 7, 10),
        ];
        assert_eq!(found(&rows), Some(10), "the shell's group is in front");
        let other = (10, 5, 10, 7, 40);
        let rows = [
            SERVER,
            other,
            (20, 10, 20, 7, 40),
            (21, 20, 20, 7, 40),
            (99, 21, 20, 7, 40),
        ];
        assert_eq!(found(&rows), Some(20));
    }

    #[test]
    fn a_terminal_within_the_pane_has_its_own_foreground() {
        let outer = (20, 10, 20, 7, 20);
        let rows = [
            SERVER,
            SHELL,
            outer,
            (30, 20, 30, 8, 40),
            (40, 30, 40, 8, 40),
            (99, 40, 99, 0, 0),
        ];
        assert_eq!(found(&rows), Some(40));
    }

    #[test]
    fn a_process_far_from_any_terminal_speaks_for_nobody() {
        assert_eq!(found(&[SERVER, (99, 5, 99, 0, 0)]), None);
        assert_eq!(found(&[(99, 1, 99, 0, 0)]), None);
        assert_eq!(found(&[]), None);
        assert_eq!(found(&[(98, 99, 98, 0, 0), (99, 98, 99, 0, 0)]), None, "a loop");
    }

    #[test]
    fn a_server_of_several_panes_speaks_for_none_even_below_the_first() {
        let agent = (20, 10, 20, 7, 20);
        let rows = [SERVER, SHELL, agent, (30, 20, 30, 0, 0), (99, 30, 31, 0, 0)];
        assert_eq!(found_below(&rows, 30), None);
        assert_eq!(
            found_below(&rows, 20),
            Some(20),
            "on the terminal it is the pane's program"
        );
    }
}
