//! What both translations need: what is lost, and how directories, names and commands are written.

use super::super::document;
use super::super::env::Env;
use super::super::refusal::{Code, Refusal};
use super::super::yaml::{self, At, Entry, Node, Value};
use super::is_said;
use std::path::{Path, PathBuf};

/// The keys and values of a mapping to be.
pub type Entries = Vec<(&'static str, Node)>;

/// A translation while it is made.
#[derive(Debug)]
pub struct Translation<'a> {
    /// What refusals call the file.
    name: &'a str,
    env: &'a Env,
    lossy: bool,
    /// What has no counterpart and may not be lost: each as it is called, with its refusal.
    refused: Vec<(String, Refusal)>,
    /// What the user should know.
    pub warnings: Vec<String>,
}

impl<'a> Translation<'a> {
    /// One that has not begun.
    pub fn new(name: &'a str, env: &'a Env, lossy: bool) -> Self {
        Self {
            name,
            env,
            lossy,
            refused: Vec::new(),
            warnings: Vec::new(),
        }
    }

    /// Gives up what a key says: refused at the end, unless losing it is allowed. `instead` says what becomes of it, if anything.
    pub fn lose(&mut self, entry: &Entry, place: &str, instead: &str) {
        let name = format!("{place}{}", entry.key.text);
        let what = format!("{name} has no counterpart here");
        let refusal = yaml::refuse(Code::UnsupportedKey, self.name, entry.key.at, &what);
        if self.lossy {
            let instead = if instead.is_empty() { "it is left out" } else { instead };
            self.warnings.push(format!("{}; {instead}", refusal.message));
        } else if self.refused.iter().all(|(known, _)| *known != name) {
            self.refused.push((name, refusal));
        }
    }

    /// Refuses all that has no counterpart and may not be lost, in one line.
    ///
    /// # Errors
    /// When there is any.
    pub fn check(&mut self) -> Result<(), Refusal> {
        let mut refused = std::mem::take(&mut self.refused).into_iter();
        let Some((_, mut first)) = refused.next() else {
            return Ok(());
        };
        let others: Vec<String> = refused.map(|(name, _)| name).collect();
        let mut hint = "take it out, or give it up: --lossy says what was lost";
        if !others.is_empty() {
            first.message += &format!("; nor have {}", others.join(", "));
            hint = "take them out, or give them up: --lossy says what was lost";
        }
        Err(first.with_hint(hint))
    }

    /// Tells of what means something a little different.
    pub fn note(&mut self, at: At, what: &str) {
        let told = yaml::refuse(Code::InvalidWorkspace, self.name, at, what).message;
        self.warnings.push(told);
    }

    /// A refusal of what has the wrong shape.
    pub fn wrong(&self, at: At, what: &str) -> Refusal {
        yaml::refuse(Code::InvalidWorkspace, self.name, at, what)
    }

    /// The entries of a mapping.
    ///
    /// # Errors
    /// When it is none.
    pub fn entries<'n>(&self, node: &'n Node, what: &str) -> Result<&'n [Entry], Refusal> {
        match &node.value {
            Value::Map(entries) => Ok(entries),
            _ => Err(self.wrong(node.at, &format!("{what} must be a mapping, and is {}", node.kind()))),
        }
    }

    /// The items of a list; nothing is an empty one.
    ///
    /// # Errors
    /// When it is something else.
    pub fn items<'n>(&self, node: &'n Node, what: &str) -> Result<&'n [Node], Refusal> {
        match &node.value {
            Value::List(items) => Ok(items),
            Value::Null => Ok(&[]),
            _ => Err(self.wrong(node.at, &format!("{what} must be a list, and is {}", node.kind()))),
        }
    }

    /// Text.
    ///
    /// # Errors
    /// When it is a list or a mapping, or nothing.
    pub fn text<'n>(&self, node: &'n Node, what: &str) -> Result<&'n str, Refusal> {
        let wrong = || self.wrong(node.at, &format!("{what} must be text, and is {}", node.kind()));
        node.scalar().ok_or_else(wrong)
    }

    /// Commands: one, or a list in which nothing is none.
    ///
    /// # Errors
    /// When there is something else among them.
    pub fn commands(&self, node: &Node, what: &str) -> Result<Vec<String>, Refusal> {
        let one = |node: &Node| self.text(node, what).map(str::to_owned);
        let Value::List(items) = &node.value else {
            return if is_said(node) {
                Ok(vec![one(node)?])
            } else {
                Ok(Vec::new())
            };
        };
        items.iter().filter(|item| is_said(item)).map(one).collect()
    }

    /// A session's name: the one that is said, else that of the file. What tmux would not take becomes what tmux makes of it.
    ///
    /// # Errors
    /// When it is no text.
    pub fn session_name(&mut self, said: Option<&Node>, path: &Path) -> Result<String, Refusal> {
        let said = said.filter(|node| is_said(node));
        let written = match said {
            Some(node) => self.text(node, "the name")?.to_owned(),
            None => path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
        };
        let name = written.trim().replace(['.', ':'], "_");
        if name != written.trim() {
            let at = said.map_or_else(At::default, |node| node.at);
            self.note(
                at,
                &format!("the session is called {name}: tmux has no “.” and “:” in names"),
            );
        }
        Ok(name)
    }

    /// A directory, absolute: relative ones begin at `base`, else where the command is run. What a variable begins stays.
    ///
    /// # Errors
    /// When it is no text.
    pub fn directory(&self, node: &Node, base: Option<&str>) -> Result<Option<String>, Refusal> {
        if !is_said(node) {
            return Ok(None);
        }
        let written = self.text(node, "root")?;
        if written.starts_with('$') {
            return Ok(Some(written.to_owned()));
        }
        let is_relative = !written.starts_with(['/', '~']);
        let path = match base.filter(|_| is_relative) {
            Some(base) => Path::new(base).join(written),
            None => self.env.path(written.as_ref()),
        };
        // Without the dots that say nothing.
        let path: PathBuf = path.components().collect();
        Ok(Some(path.display().to_string()))
    }
}

/// A pane that is typed these commands.
pub fn pane(commands: Vec<String>) -> Node {
    match typed(commands) {
        None => Value::Null.into(),
        Some(one) if matches!(one.value, Value::Text(_)) => one,
        Some(several) => Node::map([("shell_command", several)]),
    }
}

/// Commands as the value of a key, if there are any.
pub fn typed(commands: Vec<String>) -> Option<Node> {
    match commands.as_slice() {
        [] => None,
        // By itself such a word is a pane without commands, to us or to others.
        [one] if document::is_blank_word(one) || one == "null" => Some(Node::map([("cmd", one.as_str())])),
        [one] => Some(one.as_str().into()),
        _ => Some(commands.into_iter().map(Node::from).collect::<Vec<_>>().into()),
    }
}
