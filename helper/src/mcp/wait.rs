//! How long a call may wait.

use super::limits::{MOST_WAIT_SECONDS, WAIT_SECONDS};
use std::time::Duration;

/// The seconds that are waited for `asked`: 0 looks once, and too many are taken for the most.
pub fn seconds(asked: Option<u64>) -> u64 {
    asked.unwrap_or(WAIT_SECONDS).min(MOST_WAIT_SECONDS)
}

/// The same as a length of time.
pub fn duration(asked: Option<u64>) -> Duration {
    Duration::from_secs(seconds(asked))
}

#[cfg(test)]
mod tests {
    use super::seconds;

    #[test]
    fn a_wait_is_bounded() {
        let waits = [None, Some(0), Some(600), Some(601), Some(u64::MAX)].map(seconds);
        assert_eq!(waits, [30, 0, 600, 600, 600]);
    }
}
