//! Lines as events.

use super::csv_rows::{CsvRow, CsvRows};
use super::file_info::FileInfo;
use super::json_rows;
use super::no_event;
use super::row::{Columns, Row, field};
use crate::decimal::{decimal, has_fraction};
use crate::mapping::{self, ClassId, ClockInfo, EventMapper, FieldValue, MappingOptions};
use crate::packet_stream::{GapCause, gap_diagnostics};
use crate::rejected_texts::RejectedTexts;
use crate::{DecodeError, DecodedRecording, FormatInfo};
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics, Frequency};
use std::collections::{BTreeMap, HashMap};

/// A tick is a nanosecond if the unit of times is known.
const TICK_EXPONENT: i32 = 9;
const TICKS_PER_SECOND: u64 = 10_u64.pow(TICK_EXPONENT.unsigned_abs());

/// Decodes a text.
pub(super) fn decode(
    bytes: &[u8],
    options: &MappingOptions,
) -> Result<DecodedRecording, DecodeError> {
    let mut reader = LineReader::new(options);
    reader.read(bytes);
    let flags = reader.mapper.flags();
    if flags.records_switch_out && flags.misses_switch_out {
        reader = LineReader::new(options);
        reader.mapper.expect_switch_out();
        reader.read(bytes);
    }
    reader.finish(bytes.len())
}

/// Reads lines, one after the other.
struct LineReader<'o> {
    options: &'o MappingOptions,
    columns: Columns,
    mapper: EventMapper,
    /// The classes by the name of the event and the columns with values.
    classes: HashMap<Box<[u8]>, Option<ClassId>>,
    environment: BTreeMap<String, String>,
    /// The time of the first event, in ticks.
    base: Option<i128>,
    lines: u64,
    rejected: RejectedTexts,
    /// The offset of the row of names, and the number of a name that several columns have.
    repeated: Option<(u64, usize)>,
    key: Vec<u8>,
    has_gap: bool,
    is_json: bool,
}

impl<'o> LineReader<'o> {
    fn new(options: &'o MappingOptions) -> Self {
        let syntax = ("syntax".to_owned(), "text".to_owned());
        Self {
            options,
            columns: Columns::default(),
            mapper: EventMapper::new(options.tables.clone(), options.text_encoding),
            classes: HashMap::new(),
            environment: BTreeMap::from([syntax]),
            base: None,
            lines: 0,
            rejected: RejectedTexts::default(),
            repeated: None,
            key: Vec::new(),
            has_gap: false,
            is_json: false,
        }
    }

    fn read(&mut self, bytes: &[u8]) {
        let text = rtoscope_trace::text::strip_bom(bytes);
        let start = bytes.len() - text.len();
        let mut row = Row::default();
        self.is_json = text.trim_ascii_start().starts_with(b"{");
        if self.is_json {
            return self.read_json(text, start, &mut row);
        }
        let mut rows = CsvRows::new(text);
        let mut at = 0;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            let tables = &self.options.tables;
            let (read, length) = rows.read(rest, &mut self.columns, tables, &mut row);
            let line = rest.get(..length).unwrap_or_default();
            let offset = (start + at) as u64;
            match read {
                CsvRow::End => return,
                CsvRow::Names { repeated } => self.repeated = repeated.map(|it| (offset, it)),
                CsvRow::Rejected(problem) => self.reject(line, offset, problem),
                CsvRow::Values => self.push(&row, line, offset),
            }
            at += length;
            self.lines += memchr::memchr_iter(b'\n', line).count() as u64;
        }
    }

    fn read_json(&mut self, text: &[u8], start: usize, row: &mut Row) {
        let mut offset = start as u64;
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            let object = line.trim_ascii();
            if !object.is_empty() && !object.starts_with(b"#") {
                let tables = &self.options.tables;
                match json_rows::read(object, &mut self.columns, tables, row) {
                    Ok(()) => self.push(row, object, offset),
                    Err(problem) => self.reject(object, offset, &problem.to_string()),
                }
            }
            offset += line.len() as u64;
            self.lines += 1;
        }
    }

    /// A line might have been an event, and is none: what runs is not known any more.
    #[cold]
    fn reject(&mut self, line: &[u8], offset: u64, problem: &str) {
        self.has_gap |= self.mapper.next_event() > 0;
        let problem = format!("no event: {problem}");
        self.rejected.reject(self.lines + 1, offset, line, &problem);
    }

    fn push(&mut self, row: &Row, line: &[u8], offset: u64) {
        let event = row.text(self.columns.event);
        let time = row.text(self.columns.time);
        let exponent = |unit: Option<i32>| unit.map_or(0, |unit| TICK_EXPONENT + unit);
        let Some(mut ticks) = decimal(time, exponent(self.columns.unit)) else {
            return self.reject(line, offset, "the time is no number");
        };
        if event.is_empty() {
            return self.reject(line, offset, "it has no name");
        }
        let core = row.number(self.columns.core);
        if core.is_none() && !row.text(self.columns.core).is_empty() {
            return self.reject(line, offset, "the core is no number");
        }
        // Counts of ticks have no fraction: a column without a unit is in seconds if any time has
        // one, and so were the times before it.
        if self.columns.unit.is_none()
            && has_fraction(time)
            && let Some(in_seconds) = decimal(time, TICK_EXPONENT)
        {
            self.columns.unit = Some(0);
            self.base = self
                .base
                .map(|it| it.saturating_mul(TICKS_PER_SECOND.into()));
            self.mapper.scale_times(TICKS_PER_SECOND);
            ticks = in_seconds;
        }
        let first = *self.base.get_or_insert(ticks);
        let time = ticks.saturating_sub(first);
        if u64::try_from(time.max(0)).is_err() {
            return self.reject(line, offset, "its time is beyond the range of the clock");
        }
        if std::mem::take(&mut self.has_gap) {
            let cause = GapCause::Damage { offset, bytes: 0 };
            self.mapper.lose(cause, None, None);
        }
        let mut values = [FieldValue::Unsigned(0); super::row::MAX_COLUMNS];
        let mut count = 0;
        self.key.clear();
        for ((column, value), place) in row.fields(&self.columns).zip(&mut values) {
            let value_type = match value {
                FieldValue::Unsigned(_) => 0,
                FieldValue::Signed(_) => 1,
                FieldValue::Text(_) => 2,
            };
            self.key.extend_from_slice(&[column as u8, value_type]);
            *place = value;
            count += 1;
        }
        // Columns are below 64.
        self.key.push(u8::MAX);
        self.key.extend_from_slice(event);
        let class = match self.classes.get(self.key.as_slice()) {
            Some(known) => *known,
            None => self.add_class(row, event),
        };
        match class {
            Some(class) => {
                let values = values.get(..count).unwrap_or_default();
                self.mapper.push_at(class, time, core, values);
            }
            None => self.reject(line, offset, "there are too many kinds of events"),
        }
    }

    fn add_class(&mut self, row: &Row, event: &[u8]) -> Option<ClassId> {
        let fields = row.fields(&self.columns).map(|(column, value)| {
            let name = self.columns.names.get(column);
            field(name.map_or("", String::as_str), value)
        });
        let fields: Vec<_> = fields.collect();
        let name = String::from_utf8_lossy(event);
        let class = self
            .mapper
            .add_class(&name, &fields, "events", &self.environment);
        // Hostile texts can name any number of events.
        if class.is_some() {
            self.classes.insert(self.key.as_slice().into(), class);
        }
        class
    }

    fn finish(mut self, bytes: usize) -> Result<DecodedRecording, DecodeError> {
        let page = self.mapper.take_page();
        if page.events.len() == 0 {
            let problem = match self.columns.is_complete() {
                true => self.rejected.first_problem(),
                false => Some("no column has the time, or none has the name of the event"),
            };
            return Err(no_event(bytes, problem));
        }
        let mut diagnostics = Diagnostics::default();
        if let Some((offset, column)) = self.repeated
            && let Some(name) = self.columns.names.get(column)
        {
            let name = Printable::text(name);
            let message =
                format!("several columns have the name `{name}`: only the last of them is read");
            let diagnostic = Diagnostic::new(DiagnosticKind::BadRecord, message);
            diagnostics.push(diagnostic.at_offset(offset));
        }
        let (one, several) = ("more line is no event", "more lines are no events");
        diagnostics.extend(self.rejected.diagnostics(one, several));
        // Rejected lines have their own diagnostics.
        let gaps = gap_diagnostics(&page.events, ["event", "events"]);
        diagnostics.extend(gaps.filter(|it| it.kind != DiagnosticKind::BadFrame));
        let unit = self.columns.unit;
        let frequency = unit.and_then(|_| Frequency::from_hertz(TICKS_PER_SECOND));
        let clock = ClockInfo {
            options: self.options.clock,
            frequency,
        };
        let (trace, meanings) = mapping::build_with_gaps(page, &self.mapper, clock, diagnostics);
        let info = FileInfo {
            syntax: if self.is_json { "JSON lines" } else { "CSV" },
            lines: self.lines,
            rejected_lines: self.rejected.count,
            columns: self.columns.names,
            meanings,
        };
        Ok(DecodedRecording {
            trace,
            format_info: FormatInfo::new(info),
        })
    }
}
