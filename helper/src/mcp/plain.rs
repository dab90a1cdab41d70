//! What a program has printed, without what tells a terminal how to show it.
//!
//! Two readings: [`strip`] keeps all that was printed, so that a line redrawn in place comes again and again; [`Lines`]
//! follows the cursor within a line, so that a line reads as it looks. Deliberately absent: a screen.

/// An escape sequence that is longer has no end.
const MOST_SEQUENCE: usize = 64 * 1024;

/// A piece of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Piece {
    Character(char),
    Control(u8),
    /// A control sequence: its first number, and its letter.
    Csi(Option<usize>, u8),
    Nothing,
}

/// The piece at the start of `bytes`, and its length; `None` when its end has not come yet.
fn piece(bytes: &[u8]) -> Option<(Piece, usize)> {
    let first = *bytes.first()?;
    match first {
        0x1b => escape(bytes),
        0..0x20 | 0x7f => Some((Piece::Control(first), 1)),
        _ => character(bytes),
    }
}

fn character(bytes: &[u8]) -> Option<(Piece, usize)> {
    let head = bytes.get(..bytes.len().min(4)).unwrap_or_default();
    let (text, error) = match std::str::from_utf8(head) {
        Ok(text) => (text, None),
        Err(error) => {
            let valid = head.get(..error.valid_up_to()).unwrap_or_default();
            (std::str::from_utf8(valid).unwrap_or_default(), Some(error))
        }
    };
    match (text.chars().next(), error.map(|error| error.error_len())) {
        (Some(c), _) => Some((Piece::Character(c), c.len_utf8())),
        (None, Some(None)) if head.len() < 4 => None,
        _ => Some((Piece::Character('\u{fffd}'), 1)),
    }
}

fn escape(bytes: &[u8]) -> Option<(Piece, usize)> {
    match *bytes.get(1)? {
        b'[' => {
            let rest = bytes.get(2..)?;
            let Some(end) = rest.iter().position(|byte| !(0x20..0x40).contains(byte)) else {
                return (bytes.len() > MOST_SEQUENCE).then_some((Piece::Nothing, bytes.len()));
            };
            let number = std::str::from_utf8(rest.get(..end)?).ok()?;
            let number = number.split(';').next().and_then(|number| number.parse().ok());
            Some((Piece::Csi(number, *rest.get(end)?), end + 3))
        }
        b']' | b'P' | b'X' | b'^' | b'_' | b'k' => {
            let ends = |at: usize, byte: u8| byte == 0x07 || byte == 0x18 || byte == 0x1a || byte == 0x1b && at > 0;
            let end = bytes.iter().enumerate().skip(1).find(|(at, byte)| ends(*at, **byte));
            match end {
                // ESC and a backslash.
                Some((at, 0x1b)) if bytes.get(at + 1)? == &b'\\' => Some((Piece::Nothing, at + 2)),
                Some((at, 0x1b)) => Some((Piece::Nothing, at)),
                Some((at, _)) => Some((Piece::Nothing, at + 1)),
                None => (bytes.len() > MOST_SEQUENCE).then_some((Piece::Nothing, bytes.len())),
            }
        }
        // Choosing a character set and the like: one more byte.
        0x20..0x30 => bytes.get(2).map(|_| (Piece::Nothing, 3)),
        _ => Some((Piece::Nothing, 2)),
    }
}

/// The text of `bytes`, and how many of them that is: a sequence that is not whole yet is left for the next time, unless
/// this is the `last`.
pub fn strip(bytes: &[u8], last: bool) -> (String, usize) {
    let mut text = String::new();
    let mut at = 0;
    let mut returned = false;
    while let Some(rest) = bytes.get(at..).filter(|rest| !rest.is_empty()) {
        let Some((piece, length)) = piece(rest) else { break };
        // A return alone starts the line again; before a newline it is none.
        if piece == Piece::Control(b'\r') {
            if !last && rest.len() == 1 {
                break;
            }
            returned = true;
        } else {
            match piece {
                Piece::Control(b'\n') => text.push('\n'),
                Piece::Control(b'\t') => text.push('\t'),
                Piece::Control(0x08) if !text.ends_with('\n') => drop(text.pop()),
                Piece::Character(c) => {
                    if returned && !text.is_empty() && !text.ends_with('\n') {
                        text.push('\n');
                    }
                    text.push(c);
                }
                _ => {
                    at += length;
                    continue;
                }
            }
            returned = false;
        }
        at += length;
    }
    (text, if last { bytes.len() } else { at })
}

/// Lines, as they look.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    width: usize,
    line: Vec<char>,
    /// The cursor's place in the line.
    at: usize,
    /// Bytes of a sequence that is not whole yet.
    rest: Vec<u8>,
}

impl Lines {
    /// On a terminal of that width, with the cursor behind `line`.
    pub fn new(width: usize, line: &str) -> Self {
        let line: Vec<char> = line.chars().collect();
        Self {
            width: width.max(1),
            at: line.len(),
            line,
            rest: Vec::new(),
        }
    }

    /// The line that is not ended.
    pub fn current(&self) -> String {
        self.line.iter().collect()
    }

    /// Takes what was printed; the lines that it has ended.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<String> {
        self.rest.extend_from_slice(bytes);
        let bytes = std::mem::take(&mut self.rest);
        let (mut ended, mut from) = (Vec::new(), 0);
        while let Some(rest) = bytes.get(from..).filter(|rest| !rest.is_empty()) {
            let Some((piece, length)) = piece(rest) else { break };
            from += length;
            ended.extend(self.take(piece));
        }
        self.rest = bytes.get(from..).unwrap_or_default().to_vec();
        ended
    }

    fn take(&mut self, piece: Piece) -> Option<String> {
        // The last column holds the cursor until another character comes.
        let row = self.at.saturating_sub(1) / self.width * self.width;
        match piece {
            Piece::Control(b'\n') => {
                let line = self.current();
                self.line.clear();
                self.at = 0;
                return Some(line);
            }
            Piece::Control(b'\r') => self.at = row,
            Piece::Control(0x08) => self.at = self.at.saturating_sub(1),
            Piece::Control(b'\t') => {
                let to = (self.at / 8 + 1) * 8;
                while self.at < to {
                    self.put(' ');
                }
            }
            Piece::Character(c) => self.put(c),
            Piece::Csi(n, b'C') => self.at += n.unwrap_or(1).clamp(1, self.width),
            Piece::Csi(n, b'D') => self.at = self.at.saturating_sub(n.unwrap_or(1).max(1)),
            Piece::Csi(n, b'G') => self.at = row + n.unwrap_or(1).clamp(1, self.width) - 1,
            Piece::Csi(None | Some(0), b'K' | b'J') => self.line.truncate(self.at),
            Piece::Csi(Some(2), b'K' | b'J') => self.line.clear(),
            Piece::Csi(n, b'P') => {
                let end = self.line.len().min(self.at.saturating_add(n.unwrap_or(1)));
                self.line.drain(self.at.min(end)..end);
            }
            Piece::Control(_) | Piece::Csi(..) | Piece::Nothing => {}
        }
        None
    }

    fn put(&mut self, c: char) {
        // A program may go far to the right, again and again.
        if self.at >= 16 * 1024 {
            return;
        }
        while self.line.len() < self.at {
            self.line.push(' ');
        }
        match self.line.get_mut(self.at) {
            Some(place) => *place = c,
            None => self.line.push(c),
        }
        self.at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_the_terminal_is_taken_out_whatever_pieces_it_comes_in() {
        let bytes = "a\x1b[1;31mb\x1b[0m\x1b]0;ti\x07tle\x1b]8;;x\x1b\\c\r\n10%\r20%\r\r\n\x1b(Bé漢x\x08y\x1bPq\x1b\\z"
            .as_bytes();
        assert_eq!(strip(bytes, true).0, "abtlec\n10%\n20%\né漢yz");
        let (mut text, mut rest) = (String::new(), Vec::new());
        for byte in bytes {
            rest.push(*byte);
            let (more, taken) = strip(&rest, false);
            text.push_str(&more);
            rest.drain(..taken);
        }
        // A return and a backspace look back; everything else is the same.
        assert!(text.starts_with("abtlec\n10%"), "{text:?}");
        assert!(text.ends_with("yz") && rest.is_empty(), "{text:?}");
    }

    #[test]
    fn a_line_reads_as_it_looks() {
        let mut lines = Lines::new(10, "");
        assert_eq!(lines.feed(b"10%\r20%\x1b[K\r\nabc\x08\x08X\n"), ["20%", "aXc"]);
        // As readline wraps: a blank in the next row, and back.
        assert!(lines.feed(b"0123456789 \rab").is_empty());
        assert_eq!(lines.current(), "0123456789ab");
        assert_eq!(lines.feed(b"\xc3"), Vec::<String>::new());
        assert_eq!(lines.feed(b"\xa9\n"), ["0123456789abé"]);
        let mut lines = Lines::new(80, "$ ");
        assert_eq!(lines.feed(b"ls\r\n"), ["$ ls"]);
    }
}
