//! Spares judging a pane again whose evidence says what it said before.
//!
//! Judging is pure: the same rules and the same evidence give the same verdict. A key over both is kept beside a settled
//! verdict; a later look with the same key takes that verdict as judged. Only evidence at rest gets a key.

use super::settle::{Fingerprint, Fnv, Memory};
use super::Rules;
use crate::model::{Change, Evidence, Need, Process, Verdict};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};

/// What a remembered verdict was judged from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Memo {
    key: u64,
    /// The need that was judged; the published one may differ.
    need: Option<Need>,
}

/// The key of `evidence`, of which `fingerprint` stands for the screen; `None` while something moves.
pub fn key(rules: &Rules, evidence: &Evidence<'_>, fingerprint: Fingerprint) -> Option<u64> {
    // Taken apart whole, so that evidence that is added cannot be forgotten here. Nothing judges by the time.
    let Evidence {
        pane,
        window_name,
        bell,
        screen,
        processes,
        terminal,
        change,
        agent_state,
        told,
        last_command,
        now: _,
    } = evidence;
    let still = |change: &Change| {
        let Change {
            elapsed_ms: _,
            screen,
            above,
            cursor,
            output,
            cpu_ticks,
        } = *change;
        !(screen || above || cursor || output) && cpu_ticks.is_none_or(|ticks| ticks == 0)
    };
    if change.as_ref().is_some_and(|change| !still(change)) {
        return None;
    }
    let mut hash = Fnv::default();
    rules.key.hash(&mut hash);
    (
        pane,
        window_name,
        bell,
        screen.is_some(),
        fingerprint,
        terminal,
        agent_state,
        told,
        last_command,
    )
        .hash(&mut hash);
    change.map(|change| change.cpu_ticks.is_some()).hash(&mut hash);
    processes.map(<[Process]>::len).hash(&mut hash);
    for process in processes.unwrap_or_default() {
        // CPU ticks only grow; what they did meanwhile is in `change`.
        let Process {
            pid,
            ppid,
            pgid,
            tpgid,
            state,
            comm,
            args,
            cpu_ticks: _,
            on_terminal,
            wchan,
            syscall,
            open,
        } = process;
        (
            pid,
            ppid,
            pgid,
            tpgid,
            state,
            comm,
            args,
            on_terminal,
            wchan,
            syscall,
            open,
        )
            .hash(&mut hash);
    }
    Some(hash.finish())
}

/// The verdict that was judged from evidence with this key, if it is remembered.
pub fn recall(memory: Option<&Memory>, key: Option<u64>) -> Option<Verdict> {
    let memory = memory?;
    let memo = memory.memo.filter(|memo| Some(memo.key) == key)?;
    Some(Verdict {
        need: memo.need,
        ..memory.verdict.clone()
    })
}

/// The memo to keep beside `settled`: none when more than the need was settled otherwise than judged.
pub fn keep(key: Option<u64>, judged: &Verdict, settled: &Verdict) -> Option<Memo> {
    let same = Verdict {
        need: judged.need,
        ..settled.clone()
    } == *judged;
    key.filter(|_| same).map(|key| Memo { key, need: judged.need })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::classify::settle::{settle, Look};
    use crate::model::{
        AgentState, Death, LastCommand, Pane, PaneId, Progress, Report, Reported, StatusKind, Terminal, Told,
    };

    fn pane() -> Pane {
        Pane {
            id: PaneId(1),
            index: 0,
            active: true,
            pid: 10,
            tty: "/dev/pts/1".into(),
            width: 80,
            height: 24,
            cursor_x: 2,
            cursor_y: 3,
            cursor_visible: true,
            alternate: false,
            mode: String::new(),
            dead: None,
            title: "t".into(),
            command: "bash".into(),
            path: "/".into(),
            start_command: String::new(),
            report: String::new(),
        }
    }

    /// Evidence that lives as long as the test.
    fn plain() -> (&'static Pane, &'static [String], &'static [Process]) {
        (
            Box::leak(Box::new(pane())),
            Box::leak(Box::new(["$ ".to_owned()])),
            Box::leak(Box::new([Process::default()])),
        )
    }

    fn told(fresh: bool) -> Told {
        let report = Report {
            state: Reported::Working,
            at_ms: 1,
            pid: 10,
            started: None,
            text: String::new(),
        };
        Told { report, fresh }
    }

    fn key_of<'a>(rules: &Rules, change: impl FnOnce(&mut Evidence<'a>)) -> Option<u64> {
        let (pane, rows, processes) = plain();
        let mut evidence = Evidence {
            pane,
            window_name: "w",
            bell: false,
            screen: Some(rows),
            processes: Some(processes),
            terminal: None,
            change: None,
            agent_state: None,
            told: None,
            last_command: None,
            now: 7,
        };
        change(&mut evidence);
        let fingerprint = Fingerprint::of(evidence.screen.unwrap_or_default(), (2, 3));
        key(rules, &evidence, fingerprint)
    }

    #[test]
    fn whatever_may_sway_a_verdict_changes_the_key_and_the_time_does_not() {
        let (rules, _) = Rules::load(None);
        let plain = key_of(&rules, |_| ());
        assert!(plain.is_some());
        assert_eq!(plain, key_of(&rules, |e| e.now = 99));
        let dead = Pane {
            dead: Some(Death::default()),
            ..pane()
        };
        let titled = Pane {
            title: "u".into(),
            ..pane()
        };
        let (rows, stopped) = (
            ["$ x".to_owned()],
            [Process {
                state: 'T',
                ..Process::default()
            }],
        );
        let set = Terminal {
            canonical: true,
            echo: true,
            signals: true,
        };
        let said = |command: &str, status| {
            Some(LastCommand {
                progress: Progress::Ended {
                    status: Some(status),
                    took_ms: None,
                },
                command: Some(command.into()),
            })
        };
        let others = [
            key_of(&rules, |e| e.pane = &dead),
            key_of(&rules, |e| e.pane = &titled),
            key_of(&rules, |e| e.window_name = "v"),
            key_of(&rules, |e| e.bell = true),
            key_of(&rules, |e| e.screen = Some(&rows)),
            key_of(&rules, |e| e.screen = None),
            key_of(&rules, |e| e.processes = Some(&stopped)),
            key_of(&rules, |e| e.processes = None),
            key_of(&rules, |e| e.terminal = Some(set)),
            key_of(&rules, |e| e.agent_state = Some(AgentState::Busy)),
            key_of(&rules, |e| e.told = Some(told(false))),
            key_of(&rules, |e| e.told = Some(told(true))),
            key_of(&rules, |e| e.last_command = said("make", 0)),
            key_of(&rules, |e| e.last_command = said("make", 2)),
            key_of(&rules, |e| e.last_command = said("make all", 2)),
            key_of(&rules, |e| e.change = Some(Change::default())),
            key_of(&rules, |e| {
                e.change = Some(Change {
                    cpu_ticks: Some(0),
                    ..Change::default()
                })
            }),
        ];
        for (at, other) in others.iter().enumerate() {
            assert!(other.is_some() && *other != plain, "{at}");
            assert_eq!(others.iter().filter(|o| o == &other).count(), 1, "{at}");
        }
    }

    #[test]
    fn what_moves_is_judged_anew() {
        let (rules, _) = Rules::load(None);
        for change in [
            Change {
                screen: true,
                ..Change::default()
            },
            Change {
                output: true,
                ..Change::default()
            },
            Change {
                cpu_ticks: Some(1),
                ..Change::default()
            },
        ] {
            assert_eq!(key_of(&rules, |e| e.change = Some(change)), None);
        }
    }

    #[test]
    fn a_verdict_is_recalled_as_it_was_judged_although_a_visit_has_cleared_its_need() {
        let judged = Verdict {
            kind: StatusKind::Error,
            need: Some(Need::Failed),
            program: None,
            command: "make".into(),
            agent: false,
            rule: "shells/shell:tool-error".into(),
            summary: "bash prompt, last command: make (exited 2)".into(),
            evidence: Vec::new(),
            volatile: false,
        };
        let look = Look {
            at_ms: 1000,
            pane_pid: 10,
            fingerprint: Fingerprint::default(),
            activity: 1,
            cpu_ticks: None,
            visited: true,
            turn_ended_ms: None,
        };
        let mut memory = settle(None, judged.clone(), None, &look);
        assert_eq!(memory.verdict.need, None);
        memory.memo = keep(Some(5), &judged, &memory.verdict);
        assert_eq!(recall(Some(&memory), Some(5)), Some(judged.clone()));
        assert_eq!(recall(Some(&memory), Some(6)), None);
        assert_eq!(recall(Some(&memory), None), None);
        let otherwise = Verdict {
            summary: "kept for a moment".into(),
            ..judged.clone()
        };
        assert_eq!(keep(Some(5), &judged, &otherwise), None);
    }
}
