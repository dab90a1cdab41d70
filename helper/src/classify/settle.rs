//! stub
use crate::model::*;
use serde::*;
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Memory {
    pub verdict: Verdict,
    pub since: u64,
    pub need: Option<Need>,
}
impl Memory {
    pub fn same_to_a_reader(&self, o: &Self) -> bool {
        self.verdict == o.verdict && self.since == o.since
    }
}
pub fn keep(m: &Memory, _w: bool, _n: u64) -> Memory {
    m.clone()
}
pub fn settle(p: Option<&Memory>, v: Verdict, _w: bool, now: u64) -> Memory {
    let since = p.filter(|p| p.verdict.kind == v.kind).map_or(now / 1000, |p| p.since);
    Memory {
        need: v.need,
        verdict: v,
        since,
    }
}
