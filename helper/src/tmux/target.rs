//! Turns a target that a person typed into an id, once; everything afterwards acts by id.

use super::command::Tmux;
use crate::fault::Fault;
use crate::model::PaneId;

/// The pane that `target` names in tmux's own language; without a target tmux's current one.
///
/// # Errors
/// When tmux knows no such pane, or gives no answer.
pub fn pane(tmux: &Tmux, target: Option<&str>) -> Result<PaneId, Fault> {
    let mut args = vec!["display-message", "-p"];
    if let Some(target) = target {
        args.extend(["-t", target]);
    }
    args.push("#{pane_id}");
    let named = target.unwrap_or("the current pane");
    let fail = |why: String| {
        Fault::new(
            format!("cannot find {named} in the tmux server at {}: {why}", tmux.socket()),
            HINT,
        )
    };
    let answer = tmux.call(&args).map_err(|failure| fail(failure.to_string()))?;
    let text = String::from_utf8_lossy(&answer.stdout);
    text.trim().parse().map_err(|_| {
        fail(if answer.stderr.is_empty() {
            "no such pane".into()
        } else {
            answer.stderr.clone()
        })
    })
}

const HINT: &str = "tmux-status show lists the windows; targets are tmux's: work:0, work:0.1, %3";
