//! Words of a value change dump as events.

use super::capture_reader::{CaptureReader, Reading};
use super::edge_writer::Level;
use super::signal_table::{SignalId, SignalTable, SignalType};
use super::text_lines::MAX_VALUE_BYTES;
use super::vcd_header::VcdHeader;
use crate::packet_stream::{GapCause, PacketError};
use std::sync::Arc;

/// Maximum length of a word, and of a command up to its end.
const MAX_WORD_BYTES: usize = 1 << 16;
const MAX_COMMAND_BYTES: usize = 1 << 16;

/// Maximum number of words of a command to use.
const MAX_COMMAND_WORDS: usize = 64;

/// The word at the start of `bytes`, and the position after the character that ends it; `None` if
/// it does not end there.
fn word(bytes: &[u8]) -> Option<(&[u8], usize)> {
    let start = bytes.get(..=MAX_WORD_BYTES).unwrap_or(bytes);
    let end = start.iter().position(u8::is_ascii_whitespace)?;
    Some((bytes.get(..end)?, end + 1))
}

/// The number of blanks at the start, and whether a line ends among them.
fn blanks(bytes: &[u8]) -> (usize, bool) {
    let blanks = bytes.iter().take_while(|it| it.is_ascii_whitespace());
    let count = blanks.count();
    let ends_line = bytes.get(..count).is_some_and(|it| it.contains(&b'\n'));
    (count, ends_line)
}

impl CaptureReader {
    /// Reads a word, a command, or a value and its code.
    pub(super) fn read_vcd(&mut self, bytes: &[u8], is_end: bool) -> Reading {
        let (start, ends_line) = blanks(bytes);
        if ends_line {
            self.progress.skips_line = false;
        }
        if start > 0 {
            return Ok(start);
        }
        let Some((text, end)) = word(bytes) else {
            if bytes.len() > MAX_WORD_BYTES {
                let start = bytes.get(..MAX_WORD_BYTES).unwrap_or(bytes);
                if !self.progress.skips_line {
                    self.reject(start, "no space after 65536 characters");
                }
                return Ok(start.len());
            }
            return Err(PacketError::Incomplete);
        };
        // The blank after the word is of the next one: it may end the line.
        let used = end - 1;
        if self.progress.skips_command {
            self.progress.skips_command = text != b"$end";
            return Ok(used);
        }
        if self.progress.skips_line {
            return Ok(used);
        }
        let length = self.read_word(text, bytes, is_end)?;
        Ok(length.unwrap_or(used))
    }

    /// Reads what begins with a word; returns its length if it is more than the word.
    fn read_word(
        &mut self,
        text: &[u8],
        rest: &[u8],
        is_end: bool,
    ) -> Result<Option<usize>, PacketError> {
        let Some((first, value)) = text.split_first() else {
            return Ok(None);
        };
        match first {
            b'$' => return self.read_command(text, rest, is_end),
            _ if !self.vcd_header().is_complete => self.reject(text, "not in a header"),
            b'#' => self.read_vcd_time(value, rest, is_end)?,
            b'b' | b'B' | b'r' | b'R' | b's' | b'S' => {
                let after = rest.get(text.len()..).unwrap_or_default();
                let (space, _) = blanks(after);
                let Some((code, _)) = word(after.get(space..).unwrap_or_default()) else {
                    if after.len() > MAX_WORD_BYTES {
                        self.reject(text, "a value without a code");
                        return Ok(None);
                    }
                    return Err(PacketError::Incomplete);
                };
                self.change_value(first.to_ascii_lowercase(), value, code);
                return Ok(Some(text.len() + space + code.len()));
            }
            level => match Level::from_char(*level) {
                Some(level) => self.change_level(level, value, text),
                None => self.reject(text, "no value change"),
            },
        }
        Ok(None)
    }

    fn vcd_header(&mut self) -> &mut VcdHeader {
        Arc::make_mut(&mut self.vcd)
    }

    fn read_command(
        &mut self,
        keyword: &[u8],
        rest: &[u8],
        is_end: bool,
    ) -> Result<Option<usize>, PacketError> {
        let is_header = !self.vcd.is_complete;
        match keyword {
            b"$end" => return Ok(None),
            b"$dumpvars" | b"$dumpall" | b"$dumpon" if !is_header => return Ok(None),
            b"$dumpoff" if !is_header => {
                self.writer.lose(GapCause::Pause);
                self.progress.is_off = true;
                return Ok(None);
            }
            _ => {}
        }
        let Some((words, length)) = command(rest) else {
            if rest.len() <= MAX_COMMAND_BYTES && !is_end {
                return Err(PacketError::Incomplete);
            }
            // It ends later, or its end is missing.
            if rest.len() > MAX_COMMAND_BYTES {
                self.progress.skips_command = true;
                return Ok(None);
            }
            self.reject(keyword, "a command without its end");
            return Ok(None);
        };
        if !is_header && !matches!(keyword, b"$comment") {
            self.reject(keyword, "not after the header");
            return Ok(Some(length));
        }
        let table = Arc::make_mut(&mut self.table);
        let result = Arc::make_mut(&mut self.vcd).read(keyword, &words, table);
        match result {
            Err(problem) => {
                let text = rest.get(..length).unwrap_or(keyword);
                self.reject(text, problem);
            }
            Ok(()) if is_header && keyword != b"$comment" => {
                table.keep_text(rest.get(..length).unwrap_or_default());
                table.keep_text(b"\n");
            }
            Ok(()) => {}
        }
        Ok(Some(length))
    }

    fn read_vcd_time(
        &mut self,
        digits: &[u8],
        rest: &[u8],
        is_end: bool,
    ) -> Result<(), PacketError> {
        let time = std::str::from_utf8(digits)
            .ok()
            .and_then(|it| it.parse().ok());
        let Some(time) = time else {
            self.reject(rest.get(..=digits.len()).unwrap_or(rest), "no time");
            return Ok(());
        };
        // The last time is the end of the capture.
        let after = rest.get(digits.len() + 1..).unwrap_or_default();
        let is_last = after.iter().all(u8::is_ascii_whitespace);
        if is_last && !is_end && after.len() < MAX_WORD_BYTES {
            return Err(PacketError::Incomplete);
        }
        self.set_time(time);
        if is_last {
            self.writer.end();
        }
        Ok(())
    }

    fn change_level(&mut self, level: Level, code: &[u8], text: &[u8]) {
        let Some((signal, signal_type)) = find(&self.table, code) else {
            return self.unknown_code(text);
        };
        match signal_type {
            SignalType::Digital => {
                // While dumping is off, levels are not changes.
                let is_known = matches!(level, Level::Low | Level::High);
                if is_known || !self.progress.is_off {
                    self.progress.is_off = false;
                    self.writer.set_level(signal, level);
                }
            }
            SignalType::Event => self.writer.trigger(signal),
            SignalType::Vector => match level {
                Level::Low => drop(self.writer.set_value(signal, 0)),
                Level::High => drop(self.writer.set_value(signal, 1)),
                _ if self.progress.is_off => {}
                _ => drop(
                    self.writer
                        .set_unknown_value(signal, text.get(..1).unwrap_or_default()),
                ),
            },
            SignalType::WideVector => self.set_text(signal, text.get(..1).unwrap_or_default()),
            SignalType::Real | SignalType::Text => self.reject(text, "a bit of a number or a text"),
        }
    }

    fn change_value(&mut self, value_type: u8, value: &[u8], code: &[u8]) {
        let Some((signal, signal_type)) = find(&self.table, code) else {
            return self.unknown_code(code);
        };
        match (value_type, signal_type) {
            (b'b', SignalType::Digital) => match value {
                [.., bit] if let Some(level) = Level::from_char(*bit) => {
                    self.change_level(level, code, value);
                }
                _ => self.reject(value, "no bits"),
            },
            (b'b', SignalType::Event) => self.writer.trigger(signal),
            (b'b', _) => self.change_vector(signal, signal_type, value),
            _ => self.set_text(signal, value),
        }
    }

    fn change_vector(&mut self, signal: SignalId, signal_type: SignalType, bits: &[u8]) {
        let is_bit = |bit: &u8| matches!(bit, b'0' | b'1');
        if bits.is_empty() || bits.iter().any(|bit| Level::from_char(*bit).is_none()) {
            return self.reject(bits, "no bits");
        }
        let zeros = bits.iter().take_while(|bit| **bit == b'0').count();
        let digits = bits.get(zeros..).unwrap_or_default();
        let is_known = digits.iter().all(is_bit);
        if self.progress.is_off && !is_known {
            return;
        }
        self.progress.is_off = false;
        match (signal_type, is_known) {
            (SignalType::WideVector, _) => self.set_text(signal, digits),
            _ if digits.len() > 64 => self.reject(bits, "more bits than its signal has"),
            (_, true) => {
                let value = digits
                    .iter()
                    .fold(0, |value, bit| value << 1 | u64::from(bit & 1));
                self.writer.set_value(signal, value);
            }
            (_, false) => drop(self.writer.set_unknown_value(signal, digits)),
        }
    }

    fn set_text(&mut self, signal: SignalId, text: &[u8]) {
        if text.len() > MAX_VALUE_BYTES {
            self.damage.cut_values += 1;
        }
        self.writer
            .set_text(signal, text.get(..MAX_VALUE_BYTES).unwrap_or(text));
    }

    fn unknown_code(&mut self, text: &[u8]) {
        // The changes of signals beyond the maximum are counted with them.
        if self.table.skipped == 0 {
            self.reject(text, "no signal has this code");
        }
    }
}

fn find(table: &SignalTable, code: &[u8]) -> Option<(SignalId, SignalType)> {
    let signal = *table.codes.get(code)?;
    Some((signal, table.all.get(signal.index())?.signal_type))
}

/// The words of a command after its keyword, and its length up to its end; `None` if the end is
/// missing.
fn command(text: &[u8]) -> Option<(Vec<&[u8]>, usize)> {
    let (_, mut at) = word(text)?;
    let mut words = Vec::new();
    loop {
        let rest = text.get(at..MAX_COMMAND_BYTES.min(text.len()))?;
        let (space, _) = blanks(rest);
        let rest = rest.get(space..)?;
        at += space;
        let (next, length) = match word(rest) {
            Some(found) => found,
            // A file may end with it.
            None if rest == b"$end" => (rest, rest.len() + 1),
            None => return None,
        };
        if next == b"$end" {
            return Some((words, at + next.len()));
        }
        if words.len() < MAX_COMMAND_WORDS {
            words.push(next);
        }
        at += length;
    }
}
