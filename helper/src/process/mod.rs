//! stub
use crate::model::*;
#[derive(Debug)]
pub struct Table;
impl Table {
    pub fn read() -> Self {
        Table
    }
    pub fn of_pane(&self, _p: u32) -> Vec<Process> {
        vec![]
    }
}
pub fn terminal(_t: &str) -> Option<Terminal> {
    None
}
pub fn started(pid: u32) -> Option<u64> {
    let s = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    s.rsplit_once(')')?.1.split_whitespace().nth(19)?.parse().ok()
}
