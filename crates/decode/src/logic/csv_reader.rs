//! Rows of a CSV file as events.

use super::capture_reader::{CaptureReader, Reading};
use super::csv_header::{Column, TICK_EXPONENT, cells, level};
use crate::decimal::{decimal, has_fraction};
use crate::packet_stream::PacketError;
use std::sync::Arc;

/// Maximum length of a line.
const MAX_LINE_BYTES: usize = 1 << 16;

impl CaptureReader {
    /// Reads the rest of a line, up to the cell after a change.
    pub(super) fn read_csv(&mut self, bytes: &[u8], is_end: bool) -> Reading {
        let newline = memchr::memchr(b'\n', bytes);
        if self.progress.skips_line || newline.unwrap_or(bytes.len()) > MAX_LINE_BYTES {
            if !self.progress.skips_line {
                let line = bytes.get(..MAX_LINE_BYTES).unwrap_or(bytes);
                self.reject(line, "a line of more than 65536 characters");
            }
            self.progress.skips_line = newline.is_none();
            self.progress.column = 0;
            return Ok(newline.map_or(bytes.len(), |end| end + 1));
        }
        let end = match newline {
            Some(end) => end + 1,
            None if is_end => bytes.len(),
            None => return Err(PacketError::Incomplete),
        };
        let (line, rest) = bytes.split_at(end);
        let text = line.trim_ascii_end();
        // Of empty lines, each would be compared with all that follow.
        let is_last = !text.is_empty() && rest.iter().all(u8::is_ascii_whitespace);
        if is_last && !is_end && rest.len() < MAX_LINE_BYTES {
            return Err(PacketError::Incomplete);
        }
        if self.progress.column > 0 {
            return Ok(self.read_cells(text, line.len()));
        }
        match text.trim_ascii_start() {
            [] => {}
            [b';' | b'#', comment @ ..] => {
                if !self.csv.is_complete() {
                    let table = Arc::make_mut(&mut self.table);
                    Arc::make_mut(&mut self.csv).read_comment(comment, table);
                    table.keep_text(line);
                }
            }
            _ => {
                let used = self.read_row(text, line);
                if is_last && used == line.len() {
                    self.writer.end();
                }
                return Ok(used);
            }
        }
        Ok(line.len())
    }

    fn read_row(&mut self, text: &[u8], line: &[u8]) -> usize {
        if !self.csv.is_complete() {
            let table = Arc::make_mut(&mut self.table);
            let header = Arc::make_mut(&mut self.csv);
            if let Err(problem) = header.read_row(text, table) {
                self.reject(text, problem);
                return line.len();
            }
            if !header.is_complete() {
                table.keep_text(line);
                return line.len();
            }
        }
        let separator = self.csv.separator;
        let columns = self.csv.columns.len();
        let values = match self.csv.has_time() {
            true => {
                let end = memchr::memchr(separator, text).unwrap_or(text.len());
                let (time, values) = text.split_at(end);
                let time = cells(time, separator).next().unwrap_or_default();
                if self.table.frequency.is_none() && has_fraction(time) {
                    // The times before are all the same, so that they have no unit yet.
                    if self.writer.time > 0 {
                        self.reject(text, "a fraction after times without one");
                        return line.len();
                    }
                    let table = Arc::make_mut(&mut self.table);
                    Arc::make_mut(&mut self.csv).set_unit(0, table);
                    let base = &mut self.progress.base;
                    *base = base.map(|base| base.saturating_mul(10_i128.pow(TICK_EXPONENT)));
                }
                let Some(time) = decimal(time, self.csv.exponent) else {
                    self.reject(text, "the time is no number");
                    return line.len();
                };
                if memchr::memchr_iter(separator, text).count() + 1 != columns {
                    self.reject(text, "another number of columns than the header");
                    return line.len();
                }
                let first = *self.progress.base.get_or_insert(time);
                match u64::try_from(time.saturating_sub(first)) {
                    Ok(time) => self.set_time(time),
                    Err(_) if time < first => self.set_time(0),
                    Err(_) => {
                        self.reject(text, "the time is beyond the range of the clock");
                        return line.len();
                    }
                }
                values
            }
            false => {
                if memchr::memchr_iter(separator, text).count() + 1 != columns {
                    self.reject(text, "another number of columns than the header");
                    return line.len();
                }
                self.set_time(self.progress.rows);
                self.progress.rows += 1;
                text
            }
        };
        if self.last_values == values {
            return line.len();
        }
        self.last_values.clear();
        self.last_values.extend_from_slice(values);
        self.read_cells(text, line.len())
    }

    /// Reads cells up to the first change; returns the length of what is read of a line.
    fn read_cells(&mut self, text: &[u8], line_length: usize) -> usize {
        let header = Arc::clone(&self.csv);
        let mut at = 0;
        for cell in text.split(|byte| *byte == header.separator) {
            let place = self.progress.column;
            self.progress.column += 1;
            at += cell.len() + 1;
            let Some(Column::Signal(signal)) = header.columns.get(place as usize) else {
                continue;
            };
            let cell = cells(cell, header.separator).next().unwrap_or_default();
            match level(cell) {
                Some(level) => {
                    if self.writer.set_level(*signal, level) && at <= text.len() {
                        return at;
                    }
                }
                None => self.reject(text, "a cell is no level"),
            }
        }
        self.progress.column = 0;
        line_length
    }
}
