//! All sessions of a server in a folder: a document each, and a file that says which, in what order, and what was in front.
//! Of sessions that share their windows (`new-session -t`) only the first has a document: the others would be copies of it.

use super::freeze::Source;
use super::refusal::{Code, Refusal};
use super::save::{check_folder, Destination, Prepared};
use super::yaml::{self, Format, Node, Value};
use crate::model::SessionId;
use crate::tmux::command::{Failure, Tmux};
use crate::tmux::drive::arrange;
use crate::tmux::drive::inventory::{self, Inventory, Place, Session};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The file that makes a folder one of these.
pub const INDEX: &str = "tmux-server.yaml";

/// What the index says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Index {
    /// In the order in which they were made.
    pub sessions: Vec<Entry>,
    /// The session that somebody used last.
    pub current: Option<String>,
    /// What tells the server that was saved from another one: see [`mark`]; empty when that is not said.
    pub server: String,
}

/// A session of a saved server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where its windows come from.
    pub windows: Windows,
    /// The index of the window that was current before the one that is.
    pub last_window: Option<u32>,
}

/// Where the windows of a saved session come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Windows {
    /// From the document of that name, in the same folder.
    File(String),
    /// They are those of a session that was saved before it.
    SameAs {
        /// The name of that.
        session: String,
        /// The index of the window that is current in this one.
        current: Option<u32>,
    },
}

/// What was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// See there.
    pub index: Index,
    /// What the documents do not have, each line with its session's name.
    pub notes: Vec<String>,
}

/// A file to write: its name, the lines above it, the document.
pub type File = (String, Vec<String>, Node);

/// All files of a server, the index last.
///
/// # Errors
/// When it has no sessions, or none that a document can have; of several, one that none can have is left out with a note.
pub fn files(source: &Source) -> Result<(Vec<File>, Saved), Refusal> {
    let inventory = &source.inventory;
    if inventory.sessions.is_empty() {
        return Err(Refusal::new(
            Code::SessionNotFound,
            "the server has no sessions: nothing was saved",
        ));
    }
    let (mut files, mut notes, mut taken) = (Vec::new(), Vec::new(), BTreeSet::new());
    // The first that was saved of each group.
    let mut groups = BTreeMap::new();
    let mut index = Index {
        server: mark(inventory),
        ..Index::default()
    };
    for session in &inventory.sessions {
        let first = groups.get(&session.group);
        let kept = match first {
            Some(_) => source.lost_but_windows(session).map(|lost| (lost, None)),
            None => source
                .freeze_with_others(session)
                .map(|frozen| (frozen.notes.clone(), Some(frozen))),
        };
        // One that no document can have is no reason to lose the others.
        let (lost, frozen) = match kept {
            Ok(kept) => kept,
            Err(refusal) => {
                notes.push(format!("{}; it is left out", refusal.message));
                continue;
            }
        };
        notes.extend(lost.iter().map(|note| format!("{}: {note}", session.name)));
        let place = |is_it: fn(&Place) -> bool| Some(session.places.iter().find(|place| is_it(place))?.index);
        let windows = match (first, frozen) {
            (Some(first), _) => Windows::SameAs {
                session: String::clone(first),
                current: place(|place| place.active),
            },
            (None, frozen) => {
                let file = file_name(&session.name, &mut taken);
                files.extend(frozen.map(|frozen| {
                    let comments = frozen.comments("tmux-status workspace save");
                    (file.clone(), comments, frozen.document(Format::Yaml).into())
                }));
                if !session.group.is_empty() {
                    groups.insert(session.group.clone(), session.name.clone());
                }
                Windows::File(file)
            }
        };
        index.sessions.push(Entry {
            name: session.name.clone(),
            windows,
            last_window: place(|place| place.last),
        });
    }
    if files.is_empty() {
        let what = format!("nothing was saved: {}", notes.join("; "));
        return Err(Refusal::new(Code::InvalidWorkspace, what));
    }
    let saved = |name: &String| index.sessions.iter().any(|entry| entry.name == *name);
    index.current = current(inventory).map(|session| session.name.clone()).filter(saved);
    let comments = [
        "Written by tmux-status workspace save: these are the sessions of a server.",
        HOW,
    ];
    files.push((INDEX.to_owned(), comments.map(str::to_owned).to_vec(), index.node()));
    Ok((files, Saved { index, notes }))
}

const HOW: &str = "Load all of them with: tmux-status workspace load FOLDER/ (the folder of this file)";

/// Saves all sessions in `folder`, the index last; files that it does not name stay. All are written before the first is put in
/// its place.
///
/// # Errors
/// As [`files`]; when there is an index already and `force` does not say that it may be replaced; when a file cannot be written.
pub fn save(source: &Source, folder: &Path, force: bool) -> Result<Saved, Refusal> {
    let (files, saved) = files(source)?;
    write(&files, folder, force)?;
    Ok(saved)
}

/// Writes files in `folder`: all, or none. It is made if only it is missing.
///
/// # Errors
/// See [`Destination::prepare`].
pub fn write(files: &[File], folder: &Path, force: bool) -> Result<(), Refusal> {
    if !folder.exists() {
        check_folder(folder)?;
        let failed = |error| Refusal::new(Code::FileFailed, format!("cannot make {}: {error}", folder.display()));
        std::fs::create_dir(folder).map_err(failed)?;
    }
    write_in(files, folder, force).map_err(|refusal| match refusal.code {
        Code::DestinationExists => refusal.with_hint("--force replaces such files; or name another folder"),
        _ => refusal,
    })
}

fn write_in(files: &[File], folder: &Path, force: bool) -> Result<(), Refusal> {
    let to = |(name, ..): &File| Destination {
        path: folder.join(name),
        format: Format::Yaml,
        force,
        makes_folder: false,
    };
    let places: Vec<Destination> = files.iter().map(to).collect();
    for place in &places {
        place.check()?;
    }
    let mut prepared = Vec::with_capacity(files.len());
    for (place, (_, comments, document)) in places.iter().zip(files) {
        prepared.push(place.prepare(comments, document)?);
    }
    prepared.into_iter().try_for_each(Prepared::commit)
}

/// The index in a folder; `None` where there is none.
///
/// # Errors
/// When it cannot be read, or is no index.
pub fn read(folder: &Path) -> Result<Option<Index>, Refusal> {
    let path = folder.join(INDEX);
    if !path.is_file() {
        return Ok(None);
    }
    let node = yaml::read_file(&path)?;
    let odd = || {
        Refusal::new(
            Code::InvalidWorkspace,
            format!("{} is not a list of sessions", path.display()),
        )
    };
    Index::of(&node).ok_or_else(odd).map(Some)
}

impl Entry {
    /// It, and where its windows come from, for programs and for the index.
    pub fn record(&self) -> serde_json::Value {
        match &self.windows {
            Windows::File(file) => json!({"session_name": self.name, "file": file}),
            Windows::SameAs { session, .. } => json!({"session_name": self.name, "same_windows_as": session}),
        }
    }

    /// The index of the current window, where no document says it.
    fn current_window(&self) -> Option<u32> {
        match self.windows {
            Windows::File(_) => None,
            Windows::SameAs { current, .. } => current,
        }
    }
}

impl Index {
    fn node(&self) -> Node {
        let session = |entry: &Entry| {
            let (mut node, current) = (entry.record(), entry.current_window());
            let numbers = [("current_window", current), ("last_window", entry.last_window)];
            for (key, index) in numbers {
                if let (Some(index), Some(map)) = (index, node.as_object_mut()) {
                    map.insert(key.to_owned(), index.into());
                }
            }
            node
        };
        let sessions: Vec<_> = self.sessions.iter().map(session).collect();
        let mut node = json!({"sessions": sessions, "server": self.server});
        if let (Some(name), Some(map)) = (&self.current, node.as_object_mut()) {
            map.insert("current_session".to_owned(), name.as_str().into());
        }
        node.into()
    }

    fn of(node: &Node) -> Option<Self> {
        let number = |node: &Node| node.scalar()?.parse().ok();
        let Value::List(items) = &node.get("sessions")?.value else {
            return None;
        };
        let entry = |item: &Node| {
            let windows = match item.get("same_windows_as") {
                Some(session) => Windows::SameAs {
                    session: session.scalar()?.to_owned(),
                    current: item.get("current_window").and_then(number),
                },
                None => {
                    let file = item.get("file")?.scalar()?;
                    // A file elsewhere is none of this folder's.
                    let inside = Path::new(file).file_name().is_some_and(|name| name == file);
                    Windows::File(inside.then(|| file.to_owned())?)
                }
            };
            Some(Entry {
                name: item.get("session_name")?.scalar()?.to_owned(),
                windows,
                last_window: item.get("last_window").and_then(number),
            })
        };
        Some(Self {
            sessions: items.iter().map(entry).collect::<Option<_>>()?,
            current: node.get("current_session").and_then(Node::scalar).map(str::to_owned),
            server: node.get("server").and_then(Node::scalar).unwrap_or_default().to_owned(),
        })
    }
}

/// Has each of the sessions `made` remember the window that was its last one, and those without a document show the one that they
/// have shown; the id of the session that was in front, if it
/// is one of them.
///
/// # Errors
/// When the server cannot be asked; a window that is not there is passed over.
pub fn restore(tmux: &Tmux, index: &Index, made: &[String]) -> Result<Option<SessionId>, Failure> {
    let inventory = inventory::read(tmux)?;
    let known = |name: &String| inventory.sessions.iter().find(|session| session.name == *name);
    let made = |name: &&String| made.contains(name);
    let mut steps = Vec::new();
    for entry in index.sessions.iter().filter(|entry| made(&&entry.name)) {
        let Some(session) = known(&entry.name) else { continue };
        let at = |index: Option<u32>| session.places.iter().find(|place| Some(place.index) == index);
        let last = at(entry.last_window);
        let current = at(entry.current_window());
        let active = current.or_else(|| session.places.iter().find(|place| place.active));
        if let Some((last, active)) = last.or(current).zip(active) {
            steps.push((session.id, last.index, active.index));
        }
    }
    arrange::visit(tmux, &steps)?;
    Ok(index
        .current
        .as_ref()
        .filter(made)
        .and_then(known)
        .map(|session| session.id))
}

/// A server's process id, and when it started: no two servers of one machine have both.
pub fn mark(inventory: &Inventory) -> String {
    format!("{} {}", inventory.server, inventory.started)
}

/// The session that somebody is at, or was at last.
fn current(inventory: &Inventory) -> Option<&Session> {
    let when = |session: &&Session| (session.attached > 0, session.used.1, session.used.0, session.id.0);
    inventory.sessions.iter().max_by_key(when)
}

/// A file's name for a session, without its ending: what a file system or a shell might take for something else is
/// percent-encoded.
pub fn file_stem(session: &str) -> String {
    let encode = |c: char| match c {
        '/' | '%' | '\\' => format!("%{:02X}", u32::from(c)),
        c if c.is_control() => format!("%{:02X}", u32::from(c)),
        c => c.to_string(),
    };
    // A file's name may have 255 bytes on most systems.
    let mut stem = String::new();
    for c in session.chars() {
        let next = encode(c);
        if stem.len() + next.len() > 200 {
            break;
        }
        stem.push_str(&next);
    }
    // One that begins with a dot would be hidden, and `-` an option.
    if stem.starts_with(['.', '-']) || stem.is_empty() || stem == "tmux-server" {
        stem.insert(0, '_');
    }
    stem
}

/// A file's name for a session among others: no two differ by case alone.
pub fn file_name(session: &str, taken: &mut BTreeSet<String>) -> String {
    let stem = file_stem(session);
    let mut name = format!("{stem}.yaml");
    let mut number = 2;
    while !taken.insert(name.to_lowercase()) {
        name = format!("{stem}%{number}.yaml");
        number += 1;
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_and_each_is_one() {
        let mut taken = BTreeSet::new();
        let names =
            ["work", "Work", "a/b", "-x", "日本 語", "tmux-server", "a%2Fb"].map(|name| file_name(name, &mut taken));
        let expected = [
            "work.yaml",
            "Work%2.yaml",
            "a%2Fb.yaml",
            "_-x.yaml",
            "日本 語.yaml",
            "_tmux-server.yaml",
            "a%252Fb.yaml",
        ];
        assert_eq!(names, expected);
        let long = file_name(&"é".repeat(300), &mut taken);
        assert!(long.len() < 255 && long != file_name(&"é".repeat(301), &mut taken));
    }

    #[test]
    fn a_save_that_fails_replaces_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let file = |name: &str, text: &str| (name.to_owned(), Vec::new(), Node::from(text));
        write(&[file("a.yaml", "1"), file("b.yaml", "1")], folder, false).unwrap();
        // There is no folder of that name, and none can be made.
        let next = [file("a.yaml", "2"), file("b.yaml/c.yaml", "2")];
        write(&next, folder, true).unwrap_err();
        let text = std::fs::read_to_string(folder.join("a.yaml")).unwrap();
        assert!(text.contains('1'), "{text}");
        assert_eq!(std::fs::read_dir(folder).unwrap().count(), 2);
        write(&next[..1], folder, false).unwrap_err();
        write(&next[..1], folder, true).unwrap();
        assert!(std::fs::read_to_string(folder.join("a.yaml")).unwrap().contains('2'));
    }

    #[test]
    fn an_index_is_read_as_it_was_written_and_names_no_file_elsewhere() {
        let entry = |windows, last_window| Entry {
            name: "on".to_owned(),
            windows,
            last_window,
        };
        let file = |name: &str| Windows::File(name.to_owned());
        let same = |current| Windows::SameAs {
            session: "base".to_owned(),
            current,
        };
        let index = Index {
            sessions: vec![
                entry(file("on.yaml"), Some(3)),
                entry(file("b.yaml"), None),
                entry(same(Some(2)), Some(1)),
                entry(same(None), None),
            ],
            current: Some("7".to_owned()),
            server: "12 34".to_owned(),
        };
        let folder = tempfile::tempdir().unwrap();
        let text = yaml::write(&index.node(), Format::Yaml);
        std::fs::write(folder.path().join(INDEX), &text).unwrap();
        assert_eq!(read(folder.path()).unwrap(), Some(index));
        for odd in [
            text.replace("on.yaml", "../on.yaml"),
            text.replace("same_windows_as: base", "same_windows_as: [base]"),
            "x: 1".to_owned(),
            "- 1".to_owned(),
        ] {
            std::fs::write(folder.path().join(INDEX), odd).unwrap();
            assert_eq!(read(folder.path()).unwrap_err().code, Code::InvalidWorkspace);
        }
        assert_eq!(read(&folder.path().join("none")).unwrap(), None);
    }
}
