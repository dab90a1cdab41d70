//! The only place that knows time: what was published before, and what may be published now.

use serde::{Deserialize, Serialize};

/// What a screen looked like, small enough to keep: stable between runs of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Fingerprint {
    /// Of every row.
    pub content: u64,
    /// Of the rows above the cursor's.
    pub above: u64,
    /// Where the cursor was, column and row.
    pub cursor: (u32, u32),
}

impl Fingerprint {
    /// The fingerprint of a screen.
    pub fn of(rows: &[String], cursor: (u32, u32)) -> Fingerprint {
        let (mut hash, mut above) = (FNV_START, None);
        for (row, text) in rows.iter().enumerate() {
            if row == cursor.1 as usize {
                above = Some(hash);
            }
            hash = fnv(hash, text.trim_end().as_bytes());
            hash = fnv(hash, b"\n");
        }
        Fingerprint { content: hash, above: above.unwrap_or(hash), cursor }
    }
}

// FNV-1a: a standard library hasher promises no stable value, and this one is kept in a file.
const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

fn fnv(start: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(start, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}
