//! Reads the text of a capture, one change after the other.

use super::csv_header::CsvHeader;
use super::edge_writer::EdgeWriter;
use super::signal_table::{SignalTable, Syntax};
use super::text_lines::{TextDamage, TextPosition};
use super::vcd_header::VcdHeader;
use super::{FORMAT, LogicOptions, sigrok, trace_builder};
use crate::packet_stream::{
    Alignment, EventPage, GapCause, PacketError, PacketReader, StreamStatus, UnreadBytes,
};
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};
use std::sync::Arc;

/// The length of what is read.
pub(super) type Reading = Result<usize, PacketError>;

/// Reads a value change dump or a CSV file.
#[derive(Debug, Clone, Default)]
pub(super) struct CaptureReader {
    pub(super) options: LogicOptions,
    pub(super) table: Arc<SignalTable>,
    pub(super) vcd: Arc<VcdHeader>,
    pub(super) csv: Arc<CsvHeader>,
    pub(super) writer: EdgeWriter,
    pub(super) damage: TextDamage,
    pub(super) progress: Progress,
    /// The progress before the last event.
    before_last: Progress,
    /// The values of the last row of a CSV file.
    pub(super) last_values: Vec<u8>,
    /// Whether the connection was lost within a line.
    is_cut: bool,
}

/// How far a text is read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Progress {
    pub(super) place: TextPosition,
    /// Whether the rest of the line, or of the command, is skipped.
    pub(super) skips_line: bool,
    pub(super) skips_command: bool,
    /// Whether a VCD says that nothing is dumped.
    pub(super) is_off: bool,
    /// The next cell of a row, and the number of rows.
    pub(super) column: u32,
    pub(super) rows: u64,
    /// The time of the first row.
    pub(super) base: Option<i128>,
}

impl CaptureReader {
    pub(super) fn with_options(options: &LogicOptions) -> Self {
        Self {
            options: *options,
            ..Self::default()
        }
    }

    /// Sets the time of the next changes.
    pub(super) fn set_time(&mut self, time: u64) {
        if time < self.writer.time {
            self.damage.step_back(self.progress.place);
        }
        self.writer.time = self.writer.time.max(time);
    }

    /// A text might have been a change, and is none: no level is known any more.
    #[cold]
    pub(super) fn reject(&mut self, text: &[u8], problem: &str) {
        let place = self.progress.place;
        let rejected = &mut self.damage.rejected;
        rejected.reject(place.line + 1, place.offset, text, problem);
        self.progress.skips_line = self.table.syntax == Syntax::Vcd;
        self.last_values.clear();
        self.writer.lose(GapCause::Damage {
            offset: place.offset,
            bytes: text.len() as u64,
        });
    }

    fn read_any(&mut self, bytes: &[u8], is_end: bool) -> Reading {
        match self.table.syntax {
            Syntax::Vcd => self.read_vcd(bytes, is_end),
            Syntax::Csv => self.read_csv(bytes, is_end),
            // A session is read as a whole.
            Syntax::Session => Ok(bytes.len()),
            Syntax::Undecided => {
                let mark = bytes.len() - rtoscope_trace::text::strip_bom(bytes).len();
                let blank = |byte: &&u8| byte.is_ascii_whitespace();
                let text = bytes.get(mark..).unwrap_or_default();
                let start = mark + text.iter().take_while(blank).count();
                let rest = bytes.get(start..).unwrap_or_default();
                let enough = rest.len() >= sigrok::MAGIC.len() || is_end && !rest.is_empty();
                if !enough {
                    return match is_end {
                        true => Ok(bytes.len()),
                        false => Err(PacketError::Incomplete),
                    };
                }
                Arc::make_mut(&mut self.table).syntax = match rest {
                    [b'$', ..] => Syntax::Vcd,
                    _ if rest.starts_with(sigrok::MAGIC) => Syntax::Session,
                    _ => Syntax::Csv,
                };
                Ok(start)
            }
        }
    }
}

impl PacketReader for CaptureReader {
    const FORMAT: Format = FORMAT;
    const PACKET_BYTES: usize = 8;

    fn new(options: &DecodeOptions) -> Self {
        Self::with_options(&options.logic)
    }

    fn page(&self) -> &EventPage {
        &self.writer.page
    }

    fn page_mut(&mut self) -> &mut EventPage {
        &mut self.writer.page
    }

    fn without_page(&self) -> Self {
        Self {
            options: self.options,
            table: Arc::clone(&self.table),
            vcd: Arc::clone(&self.vcd),
            csv: Arc::clone(&self.csv),
            writer: self.writer.without_page(),
            damage: self.damage.clone(),
            progress: self.progress,
            before_last: self.before_last,
            last_values: Vec::new(),
            is_cut: self.is_cut,
        }
    }

    fn step_back(&mut self) {
        self.writer.step_back();
        self.progress = self.before_last;
    }

    fn set_options(&mut self, options: &DecodeOptions) {
        self.options = options.logic;
    }

    fn read(&mut self, unread: UnreadBytes<'_>) -> Result<usize, PacketError> {
        let UnreadBytes { bytes, is_end, .. } = unread;
        self.is_cut = false;
        let before = self.progress;
        let events = self.writer.page.len();
        let length = self.read_any(bytes, is_end)?;
        if self.writer.page.len() > events {
            self.before_last = before;
        }
        let read = bytes.get(..length).unwrap_or(bytes);
        let place = &mut self.progress.place;
        place.offset += read.len() as u64;
        place.line += memchr::memchr_iter(b'\n', read).count() as u64;
        Ok(length)
    }

    fn find(&self, bytes: &[u8], is_end: bool) -> Alignment {
        if !self.is_cut {
            // A cut word at the end is no other one.
            return match is_end && !bytes.contains(&b'\n') && self.writer.page.end() > 0 {
                true => Alignment::NotBefore(bytes.len()),
                false => Alignment::At(0),
            };
        }
        match memchr::memchr(b'\n', bytes) {
            Some(end) => Alignment::At(end),
            None => Alignment::NotBefore(bytes.len()),
        }
    }

    fn lose(&mut self, cause: GapCause) {
        self.writer.lose(cause);
        self.last_values.clear();
        let progress = &mut self.progress;
        (progress.column, progress.skips_command) = (0, false);
        self.is_cut = cause == GapCause::Disconnected;
    }

    fn missing(&self) -> (u64, u64) {
        (0, self.writer.gaps)
    }

    fn metadata(&self) -> Vec<u8> {
        self.table.text.clone()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        let mut at = 0;
        while let Some(rest) = metadata.get(at..).filter(|rest| !rest.is_empty()) {
            match self.read_any(rest, false) {
                Ok(length) if self.writer.page.len() == 0 => at += length,
                _ => break,
            }
        }
        self.progress = Progress::default();
    }

    fn build(&self, page: EventPage, status: &StreamStatus) -> DecodedRecording {
        trace_builder::build(page, self, status)
    }

    fn no_packet(&self, bytes: u64) -> DecodeError {
        let problem = match (self.table.syntax, self.damage.rejected.first_problem()) {
            (Syntax::Session, _) => {
                "a sigrok session cannot be decoded live: save it to a file first"
            }
            (_, Some(problem)) => problem,
            (_, None) => "no signal has a level or a value",
        };
        Self::FORMAT.no_event(bytes, problem)
    }
}
