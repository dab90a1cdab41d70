//! A tree that grows by events, within its limits.

use super::tree::{At, Entry, Key, Node, Value};
use super::{Flaw, DEPTH_LIMIT};
use std::collections::{HashMap, HashSet};

/// How much aliases may repeat in all, in bytes of text and one for each node: some lines can ask for thousands of millions.
const REPEAT_LIMIT: usize = 1 << 20;

/// What it takes to repeat a node.
#[derive(Debug, Clone, Copy, Default)]
struct Cost {
    weight: usize,
    depth: usize,
}

impl Cost {
    /// That of what holds this one and another.
    fn with(self, inner: Self) -> Self {
        Self {
            weight: self.weight + inner.weight,
            depth: self.depth.max(inner.depth + 1),
        }
    }
}

/// A list or a mapping that is not complete.
#[derive(Debug)]
struct Frame {
    at: At,
    anchor: usize,
    cost: Cost,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    List(Vec<Node>),
    Map(Mapping),
}

#[derive(Debug, Default)]
struct Mapping {
    entries: Vec<Entry>,
    seen: HashSet<String>,
    /// The key whose value comes next, and whether it merges.
    key: Option<(Key, bool)>,
    merged: Vec<Entry>,
}

/// Takes events, gives a tree.
#[derive(Debug, Default)]
pub struct Builder {
    open: Vec<Frame>,
    anchors: HashMap<usize, (Node, Cost)>,
    repeated: usize,
    root: Option<Node>,
}

impl Builder {
    /// A scalar as a value, and as `written`, which it is as a key. `merges`: it is the key that takes in other mappings.
    pub fn scalar(&mut self, node: Node, written: String, merges: bool, anchor: usize) -> Result<(), Flaw> {
        let weight = written.len() + 1;
        if let Some(mapping) = self.wants_key() {
            let at = node.at;
            return mapping.take_key(Key { text: written, at }, merges);
        }
        self.put(node, anchor, Cost { weight, depth: 0 })
    }

    /// Opens a list.
    pub fn open_list(&mut self, at: At, anchor: usize) -> Result<(), Flaw> {
        self.open(at, anchor, Kind::List(Vec::new()))
    }

    /// Opens a mapping.
    pub fn open_map(&mut self, at: At, anchor: usize) -> Result<(), Flaw> {
        self.open(at, anchor, Kind::Map(Mapping::default()))
    }

    /// Ends the innermost list or mapping.
    pub fn close(&mut self, at: At) -> Result<(), Flaw> {
        let Some(frame) = self.open.pop() else {
            return Err(Flaw::new(at, "something ends here that did not begin"));
        };
        let value = match frame.kind {
            Kind::List(items) => Value::List(items),
            Kind::Map(mapping) => Value::Map(mapping.finish()),
        };
        self.put(Node { value, at: frame.at }, frame.anchor, frame.cost)
    }

    /// Repeats what an anchor names.
    pub fn alias(&mut self, anchor: usize, at: At) -> Result<(), Flaw> {
        let Some((node, cost)) = self.anchors.get(&anchor) else {
            return Err(Flaw::new(at, "this alias stands within what it repeats"));
        };
        let (node, cost) = (node.clone(), *cost);
        self.spend(cost, at)?;
        if self.open.len() + cost.depth > DEPTH_LIMIT {
            return Err(too_deep(at));
        }
        if let Some(mapping) = self.wants_key() {
            let text = node.scalar().map(str::to_owned);
            let text = text.ok_or_else(|| Flaw::new(at, "this key is no text"))?;
            return mapping.take_key(Key { text, at }, false);
        }
        self.put(node, 0, cost)
    }

    /// The tree, if there was one.
    pub fn finish(self) -> Option<Node> {
        self.root
    }

    fn open(&mut self, at: At, anchor: usize, kind: Kind) -> Result<(), Flaw> {
        if self.wants_key().is_some() {
            return Err(Flaw::new(
                at,
                "a list or a mapping stands where a key belongs; quote it if it is text",
            ));
        }
        if self.open.len() >= DEPTH_LIMIT {
            return Err(too_deep(at));
        }
        let cost = Cost { weight: 1, depth: 0 };
        self.open.push(Frame { at, anchor, cost, kind });
        Ok(())
    }

    fn wants_key(&mut self) -> Option<&mut Mapping> {
        match &mut self.open.last_mut()?.kind {
            Kind::Map(mapping) if mapping.key.is_none() => Some(mapping),
            _ => None,
        }
    }

    fn put(&mut self, node: Node, anchor: usize, cost: Cost) -> Result<(), Flaw> {
        if anchor > 0 {
            self.spend(cost, node.at)?;
            self.anchors.insert(anchor, (node.clone(), cost));
        }
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(node);
            return Ok(());
        };
        frame.cost = frame.cost.with(cost);
        match &mut frame.kind {
            Kind::List(items) => items.push(node),
            Kind::Map(mapping) => mapping.take_value(node)?,
        }
        Ok(())
    }

    fn spend(&mut self, cost: Cost, at: At) -> Result<(), Flaw> {
        self.repeated += cost.weight;
        if self.repeated > REPEAT_LIMIT {
            return Err(Flaw::new(at, "its aliases repeat more than a workspace can need"));
        }
        Ok(())
    }
}

impl Mapping {
    fn take_key(&mut self, key: Key, merges: bool) -> Result<(), Flaw> {
        if !self.seen.insert(key.text.clone()) {
            let what = format!("the key “{}” stands here a second time", key.text);
            return Err(Flaw::new(key.at, what));
        }
        self.key = Some((key, merges));
        Ok(())
    }

    fn take_value(&mut self, value: Node) -> Result<(), Flaw> {
        match self.key.take() {
            None => Err(Flaw::new(value.at, "a value stands here without its key")),
            Some((_, true)) => self.merge(value),
            Some((key, false)) => {
                self.entries.push(Entry { key, value });
                Ok(())
            }
        }
    }

    /// `<<`: a mapping, or a list of them, of which the first that has a key wins.
    fn merge(&mut self, source: Node) -> Result<(), Flaw> {
        match source.value {
            Value::Map(entries) => self.merged.extend(entries),
            Value::List(items) => {
                for item in items {
                    let Value::Map(entries) = item.value else {
                        return Err(Flaw::new(
                            item.at,
                            format!("“<<” takes in mappings, and this is {}", item.kind()),
                        ));
                    };
                    self.merged.extend(entries);
                }
            }
            _ => {
                return Err(Flaw::new(
                    source.at,
                    format!("“<<” takes in mappings, and this is {}", source.kind()),
                ))
            }
        }
        Ok(())
    }

    /// What is merged goes first, as it was written before; what the mapping says itself wins.
    fn finish(self) -> Vec<Entry> {
        let mut seen = self.seen;
        let mut all: Vec<Entry> = self
            .merged
            .into_iter()
            .filter(|entry| seen.insert(entry.key.text.clone()))
            .collect();
        all.extend(self.entries);
        all
    }
}

fn too_deep(at: At) -> Flaw {
    Flaw::new(
        at,
        format!("lists and mappings lie deeper than {DEPTH_LIMIT} in each other"),
    )
}
