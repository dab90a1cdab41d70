//! Puts our hooks into the settings of coding agents, and takes them out again.
//!
//! An agent whose hooks may lie in a file of their own gets one; the others' settings are edited, with a backup beside
//! them. Which agents there are is in [`list`].

mod call;
mod edit;
mod file;
mod list;
mod own;

pub use list::{Agent, AGENTS};

use crate::fault::Fault;
use crate::process::child;
use edit::Entry;
use file::Found;
use list::{Event, Home, Shape, CLAUDE_KNOWS};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// How it stands with an agent's hooks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// The agent has no folder of settings.
    NotFound,
    /// None of our hooks are there.
    NotInstalled,
    /// They are there, and call this helper.
    Installed,
    /// They call another helper, or are those of another version.
    Outdated {
        /// The helper that they call.
        helper: String,
    },
}

/// What is to be done to a file.
#[derive(Debug)]
pub struct Change {
    found: Found,
    /// What it shall hold; `None`: it goes.
    after: Option<String>,
    /// Where what it holds is kept.
    backup: Option<PathBuf>,
    /// A backup that has served.
    spent: Option<PathBuf>,
    /// Whether hooks of ours are there already.
    updates: bool,
}

impl Agent {
    /// Its folder of settings.
    ///
    /// # Errors
    /// When the environment names neither it nor a home.
    pub fn folder(&self) -> Result<PathBuf, Fault> {
        let filled = |name: &str| {
            std::env::var_os(name)
                .filter(|value: &OsString| !value.is_empty())
                .map(PathBuf::from)
        };
        let below = |folder: PathBuf, name: &str| if name.is_empty() { folder } else { folder.join(name) };
        let Home {
            variable,
            below_variable,
            below_home,
        } = self.home;
        let named = filled(variable).map(|folder| below(folder, below_variable));
        let folder = named.or_else(|| filled("HOME").map(|home| home.join(below_home)));
        folder.filter(|folder| folder.is_absolute()).ok_or_else(|| {
            Fault::new(
                format!(
                    "no folder of settings for {}: neither ${variable} nor $HOME is an absolute path",
                    self.id
                ),
                "set HOME",
            )
        })
    }

    /// The file that holds its hooks.
    ///
    /// # Errors
    /// As for [`Agent::folder`].
    pub fn path(&self) -> Result<PathBuf, Fault> {
        Ok(self.folder()?.join(self.file))
    }

    /// Whether the agent has settings here.
    ///
    /// # Errors
    /// As for [`Agent::folder`].
    pub fn is_found(&self) -> Result<bool, Fault> {
        Ok(self.folder()?.is_dir())
    }

    /// How it stands with its hooks, for a helper at this path.
    ///
    /// # Errors
    /// When its settings cannot be read.
    pub fn standing(&self, helper: &str) -> Result<Standing, Fault> {
        if !self.is_found()? {
            return Ok(Standing::NotFound);
        }
        let found = file::read(&self.path()?)?;
        let Some(text) = found.text() else {
            return Ok(Standing::NotInstalled);
        };
        let Some(there) = self.helper(&found, text)? else {
            // What could not be installed there is better known beforehand.
            let made = self.forms(helper).first().map_or(Ok(String::new()), |form| form(text));
            made.map_err(|why| uneditable(&found, &why))?;
            return Ok(Standing::NotInstalled);
        };
        let whole = self.forms(helper).iter().any(|form| form(text).as_deref() == Ok(text));
        Ok(if whole {
            Standing::Installed
        } else {
            Standing::Outdated { helper: there }
        })
    }

    /// The helper that its hooks call, if it has any of ours.
    ///
    /// # Errors
    /// When its settings cannot be read.
    pub fn called(&self) -> Result<Option<String>, Fault> {
        if !self.is_found()? {
            return Ok(None);
        }
        let found = file::read(&self.path()?)?;
        found.text().map_or(Ok(None), |text| self.helper(&found, text))
    }

    /// What installing its hooks changes; `None` when they are there already.
    ///
    /// # Errors
    /// When its settings cannot be read or edited.
    pub fn install(&self, helper: &str) -> Result<Option<Change>, Fault> {
        let found = file::read(&self.path()?)?;
        let before = found.text().unwrap_or_default();
        let ours = self.helper(&found, before)?.is_some();
        if matches!(self.shape, Shape::Own(_)) && !ours && !before.trim().is_empty() {
            return Err(Fault::new(
                format!("{} is there and not ours", found.path.display()),
                "move it away, then run this again",
            ));
        }
        let forms = self.forms(helper);
        let knows_all = self.knows_all();
        let form = match (forms.as_slice(), knows_all) {
            ([_, old], Some(false)) => old,
            // What is whole stays where nothing more is known.
            ([new, old], None) => {
                if new(before).as_deref() == Ok(before) {
                    new
                } else {
                    old
                }
            }
            ([new, ..], _) => new,
            ([], _) => return Ok(None),
        };
        let after = form(before).map_err(|why| uneditable(&found, &why))?;
        if found.text() == Some(&after) {
            return Ok(None);
        }
        // The backup is of what was there before our hooks were.
        let backup = (found.text().is_some() && !ours).then(|| backup_of(&found.path));
        Ok(Some(Change {
            found,
            after: Some(after),
            backup,
            spent: None,
            updates: ours,
        }))
    }

    /// What taking its hooks out changes; `None` when there are none.
    ///
    /// # Errors
    /// As for [`Agent::install`].
    pub fn uninstall(&self) -> Result<Option<Change>, Fault> {
        let found = file::read(&self.path()?)?;
        let Some(text) = found.text() else { return Ok(None) };
        let Some(helper) = self.helper(&found, text)? else {
            return Ok(None);
        };
        let backup = backup_of(&found.path);
        let kept = file::read(&backup).ok().and_then(|kept| kept.text().map(str::to_owned));
        // When nothing but our hooks has come since, what was there comes back to the byte.
        let made = |before: &str| {
            self.forms(&helper)
                .iter()
                .any(|form| form(before).as_deref() == Ok(text))
        };
        let (after, spent) = match (&self.shape, kept) {
            (Shape::Own(_), kept) => (None, kept.map(|_| backup)),
            (_, Some(kept)) if made(&kept) => (Some(kept), Some(backup)),
            (_, None) if made("") => (None, None),
            _ => (
                Some(edit::without(text, self.id).map_err(|why| uneditable(&found, &why))?),
                None,
            ),
        };
        Ok(Some(Change {
            found,
            after,
            backup: None,
            spent,
            updates: true,
        }))
    }

    /// The helper that the hooks in `text` call, if there are any.
    fn helper(&self, found: &Found, text: &str) -> Result<Option<String>, Fault> {
        if let Shape::Own(_) = self.shape {
            return Ok(own::helper_of(text, self.id));
        }
        let commands = edit::commands(text, self.id).map_err(|why| uneditable(found, &why))?;
        let mut helpers = commands
            .iter()
            .filter_map(|(_, command)| call::helper_of(command, self.id));
        // One that is gone is what matters.
        let first = helpers.next();
        Ok(helpers.find(|helper| !Path::new(helper).exists()).or(first))
    }

    /// The ways in which its file may be whole, for this helper: what each makes of a text.
    fn forms<'a>(&'a self, helper: &'a str) -> Vec<Form<'a>> {
        match self.shape {
            Shape::Own(make) => vec![Box::new(move |_| Ok(make(helper)))],
            Shape::Settings {
                events,
                old_events,
                timeout,
                named,
            } => {
                let form = |events: &'static [Event]| -> Form<'a> {
                    let entry = move |&(event, matcher): &Event| Entry {
                        event,
                        matcher,
                        command: call::command(helper, self.id, None),
                        timeout,
                        name: named.then_some("tmux-status"),
                    };
                    Box::new(move |text| edit::with(text, self.id, &events.iter().map(entry).collect::<Vec<_>>()))
                };
                std::iter::once(events).chain(old_events).map(form).collect()
            }
        }
    }

    /// Whether the agent that is installed knows all of our events; `None` when it cannot be asked.
    fn knows_all(&self) -> Option<bool> {
        let Shape::Settings {
            old_events: Some(_), ..
        } = self.shape
        else {
            return Some(true);
        };
        let mut ask = Command::new(self.id);
        ask.arg("--version");
        let (output, ()) = child::run(&mut ask, None, Duration::from_secs(5), || ()).ok()??;
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let numbers: Vec<u32> = text
            .split_whitespace()
            .next()?
            .split('.')
            .filter_map(|n| n.parse().ok())
            .collect();
        (output.success && !numbers.is_empty()).then(|| numbers.as_slice() >= CLAUDE_KNOWS.as_slice())
    }

    /// Whether only some of its events are reported, since the version that is installed may refuse the others.
    pub fn is_partly(&self, change: &Change) -> bool {
        let Shape::Settings {
            events,
            old_events: Some(_),
            ..
        } = self.shape
        else {
            return false;
        };
        let text = change.after.as_deref().unwrap_or_default();
        edit::commands(text, self.id).is_ok_and(|there| there.len() < events.len())
    }
}

type Form<'a> = Box<dyn Fn(&str) -> Result<String, String> + 'a>;

impl Change {
    /// The file.
    pub fn path(&self) -> &Path {
        &self.found.path
    }

    /// What it holds before and after; nothing for a file that is not there.
    pub fn texts(&self) -> (&str, &str) {
        (
            self.found.text().unwrap_or_default(),
            self.after.as_deref().unwrap_or_default(),
        )
    }

    /// Where what it holds before is kept.
    pub fn backup(&self) -> Option<&Path> {
        self.backup.as_deref()
    }

    /// Whether hooks of ours are there already.
    pub fn updates(&self) -> bool {
        self.updates
    }

    /// Whether the file goes.
    pub fn removes(&self) -> bool {
        self.after.is_none()
    }

    /// Does it.
    ///
    /// # Errors
    /// When the file, its folder or the backup cannot be written: then the file is as it was.
    pub fn apply(&self) -> Result<(), Fault> {
        self.found.may_be_changed()?;
        if let Some(backup) = &self.backup {
            self.found.back_up(backup)?;
        }
        match &self.after {
            Some(after) => self.found.replace(after)?,
            None => self.found.remove()?,
        }
        if let Some(spent) = &self.spent {
            // What it holds is in the file again.
            let _ = std::fs::remove_file(spent);
        }
        Ok(())
    }
}

fn uneditable(found: &Found, why: &str) -> Fault {
    Fault::new(
        format!("cannot edit {}: it {why}", found.path.display()),
        "correct the file (the agent has to read it, too), then run this again",
    )
}

fn backup_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".tmux-status-backup");
    PathBuf::from(name)
}
