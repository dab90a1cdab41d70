//! Which tools are offered: toolsets, plus single tools, minus excluded ones. Settled once, before tmux is asked anything.

use super::registry::{self, Tool, Toolset};
use crate::fault::Fault;
use std::collections::BTreeSet;

/// The variable that names toolsets.
pub const TOOLSETS: &str = "LIBTMUX_TOOLSETS";
/// The variable that adds tools.
pub const TOOLS: &str = "LIBTMUX_TOOLS";
/// The variable that takes tools away, whoever added them.
pub const EXCLUDE: &str = "LIBTMUX_EXCLUDE_TOOLS";

/// What was asked for, every name of which is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Choice {
    /// `None`: what is usual.
    toolsets: Option<Vec<Toolset>>,
    included: BTreeSet<&'static str>,
    excluded: BTreeSet<&'static str>,
}

/// What is offered, for as long as this process lives.
#[derive(Debug, Clone)]
pub struct Selection {
    /// Toolsets that were taken whole.
    pub toolsets: Vec<Toolset>,
    /// Tools that were added by name.
    pub included: BTreeSet<&'static str>,
    /// Tools that were taken away by name.
    pub excluded: BTreeSet<&'static str>,
    /// What came of it, by name.
    pub offered: Vec<&'static Tool>,
}

impl Choice {
    /// Reads the three variables.
    ///
    /// # Errors
    /// A name that is empty or not known: a typo must not change what is offered.
    pub fn read(toolsets: Option<&str>, tools: Option<&str>, exclude: Option<&str>) -> Result<Self, Fault> {
        let toolsets = toolsets
            .map(|value| {
                names(TOOLSETS, value)?
                    .into_iter()
                    .map(toolset)
                    .collect::<Result<Vec<_>, _>>()
            })
            .transpose()?;
        let set = |variable: &str, value: Option<&str>| {
            let names = names(variable, value.unwrap_or_default())?;
            names
                .into_iter()
                .map(|name| known(variable, name))
                .collect::<Result<BTreeSet<_>, Fault>>()
        };
        Ok(Self {
            toolsets,
            included: set(TOOLS, tools)?,
            excluded: set(EXCLUDE, exclude)?,
        })
    }

    /// What is offered. What takes things away is among what is usual only on a server that is `ours`.
    pub fn settle(self, ours: bool) -> Selection {
        let usual = Toolset::ALL.into_iter().filter(|set| ours || *set != Toolset::Teardown);
        let toolsets = self.toolsets.unwrap_or_else(|| usual.collect());
        let wanted = |tool: &&Tool| {
            (toolsets.contains(&tool.toolset) || self.included.contains(tool.name))
                && !self.excluded.contains(tool.name)
        };
        let offered = registry::all().into_iter().filter(wanted).collect();
        let in_order = Toolset::ALL.into_iter().filter(|set| toolsets.contains(set)).collect();
        Selection {
            toolsets: in_order,
            included: self.included,
            excluded: self.excluded,
            offered,
        }
    }
}

impl Selection {
    /// The tool of that name, if it is offered.
    pub fn get(&self, name: &str) -> Option<&'static Tool> {
        self.offered.iter().find(|tool| tool.name == name).copied()
    }

    /// Those of `names` that were not taken away by name: a batch may run them whether they are offered or not.
    pub fn nested(&self, names: &[&'static str]) -> Vec<&'static str> {
        let left = names.iter().filter(|name| !self.excluded.contains(**name));
        left.copied().collect()
    }

    /// Why a tool is not offered, and what would change that.
    pub fn refusal(&self, tool: &Tool) -> String {
        let name = tool.name;
        if self.excluded.contains(name) {
            return format!(
                "{name} is not offered: {EXCLUDE} excludes it; the one who starts this server can change that"
            );
        }
        let toolset = tool.toolset.as_str();
        format!(
            "{name} is not offered: the one who starts this server can add its toolset {toolset} to {TOOLSETS}, or {name} to {TOOLS}"
        )
    }
}

/// The names in a list; none in one that is empty as a whole.
pub(super) fn names<'a>(variable: &str, value: &'a str) -> Result<Vec<&'a str>, Fault> {
    if value.trim().is_empty() {
        return Ok(Vec::new());
    }
    let names: Vec<&str> = value.split(',').map(str::trim).collect();
    if names.contains(&"") {
        return Err(Fault::new(
            format!("{variable} contains an empty name"),
            "names are separated by one comma each, as in a,b",
        ));
    }
    Ok(names)
}

fn toolset(name: &str) -> Result<Toolset, Fault> {
    let words = Toolset::ALL.map(Toolset::as_str).join(", ");
    let found = Toolset::ALL.into_iter().find(|set| set.as_str() == name);
    found.ok_or_else(|| {
        Fault::new(
            format!("unknown toolset {name:?} in {TOOLSETS}"),
            format!("expected of: {words}"),
        )
    })
}

fn known(variable: &str, name: &str) -> Result<&'static str, Fault> {
    let found = registry::all().into_iter().find(|tool| tool.name == name);
    found.map(|tool| tool.name).ok_or_else(|| {
        Fault::new(
            format!("unknown tool {name:?} in {variable}"),
            "names are matched exactly, such as list_panes",
        )
    })
}
