//! Frames as events.

use super::FORMAT;
use super::frame::{self, Frame, FrameEvent, MAX_FIELDS};
use super::names::Names;
use super::stream_info::StreamInfo;
use crate::mapping::{
    self, ClassId, ClockInfo, EventMapper, EventTime, FieldDef, FieldType, FieldValue,
    MappingOptions,
};
use crate::packet_stream::GapCause;
use crate::{DecodeError, DecodedRecording, FormatInfo};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};
use std::collections::{BTreeMap, HashMap};

/// Decodes a stream, with the metadata buffer in front of it or without.
pub(super) fn decode(
    bytes: &[u8],
    options: &MappingOptions,
) -> Result<DecodedRecording, DecodeError> {
    let mut reader = StreamReader::new(options);
    let mut decoded = Vec::new();
    for (_, encoded) in frames(bytes) {
        if let Frame::Event(event) = frame::read(encoded, &mut decoded)
            && event.time.is_none()
        {
            reader.names.add(&event);
        }
    }
    for (offset, encoded) in frames(bytes) {
        let is_last = offset + encoded.len() == bytes.len();
        reader.read(encoded, offset as u64, is_last, &mut decoded);
    }
    reader.finish(bytes.len() as u64)
}

/// The frames with their offsets, without the zero bytes that end them.
fn frames(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut start = 0;
    std::iter::from_fn(move || {
        let rest = bytes.get(start..).filter(|rest| !rest.is_empty())?;
        let length = memchr::memchr(0, rest).unwrap_or(rest.len());
        let frame = (start, rest.get(..length).unwrap_or(rest));
        start += length + 1;
        Some(frame)
    })
}

/// Reads frames, one after the other.
struct StreamReader<'o> {
    options: &'o MappingOptions,
    mapper: EventMapper,
    names: Names,
    environment: BTreeMap<String, String>,
    classes: HashMap<u8, ClassId>,
    core: u32,
    /// The time of the first event.
    base: Option<u64>,
    /// The last total of dropped events.
    dropped: Option<u64>,
    missing: u64,
    status: StreamStatus,
    damage: Option<(u64, u64)>,
}

/// What is not an event.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct StreamStatus {
    pub(super) frames: u64,
    pub(super) damaged: u64,
    pub(super) unknown: u64,
    /// Bytes of a frame that was under way at the start.
    leading: u64,
    /// Bytes of a frame that is cut at the end.
    cut: u64,
}

/// Fields that are no fields of the frame: names of its ids, and properties.
const MAX_ADDED_FIELDS: usize = 2;

impl<'o> StreamReader<'o> {
    fn new(options: &'o MappingOptions) -> Self {
        let recorder = ("recorder".to_owned(), "tonbandgeraet".to_owned());
        Self {
            options,
            mapper: EventMapper::new(options.tables.clone(), options.text_encoding),
            names: Names::default(),
            environment: BTreeMap::from([recorder]),
            classes: HashMap::new(),
            core: 0,
            base: None,
            dropped: None,
            missing: 0,
            status: StreamStatus::default(),
            damage: None,
        }
    }

    fn read(&mut self, encoded: &[u8], offset: u64, is_last: bool, decoded: &mut Vec<u8>) {
        let bytes = encoded.len() as u64;
        let event = match frame::read(encoded, decoded) {
            _ if is_last && bytes > 0 => {
                self.status.cut = bytes;
                return;
            }
            Frame::Empty => return,
            Frame::Unknown => {
                self.status.frames += 1;
                self.status.unknown += 1;
                return;
            }
            // A ring buffer begins in the middle of a frame.
            Frame::Damaged if self.status.frames == 0 => {
                self.status.leading += bytes;
                return;
            }
            Frame::Damaged => {
                self.status.damaged += 1;
                self.damage.get_or_insert((offset, 0)).1 += bytes;
                return;
            }
            Frame::Event(event) => event,
        };
        self.status.frames += 1;
        let Some(time) = event.time else {
            return;
        };
        let time = time.saturating_sub(*self.base.get_or_insert(time));
        match event.layout.name {
            "core_id" => {
                let core = event.number("core_id").unwrap_or_default();
                self.core = u32::try_from(core).unwrap_or(u32::MAX);
            }
            "dropped_evt_cnt" => self.count_dropped(&event),
            _ => {}
        }
        if let Some((offset, bytes)) = self.damage.take() {
            self.mapper
                .lose(GapCause::Damage { offset, bytes }, None, None);
        }
        self.push(&event, time);
    }

    /// The total of all cores: what it grew by is missing before this event.
    fn count_dropped(&mut self, event: &FrameEvent<'_>) {
        let total = event.number("cnt").unwrap_or_default();
        let before = self.dropped.replace(total);
        // A recorder that was started again counts anew.
        let missing = before.map_or(0, |before| total.checked_sub(before).unwrap_or(total));
        if missing > 0 {
            self.missing += missing;
            self.mapper.lose(GapCause::Overflow, Some(missing), None);
        }
    }

    fn push(&mut self, event: &FrameEvent<'_>, time: u64) {
        let mut values = [FieldValue::Unsigned(0); MAX_FIELDS + MAX_ADDED_FIELDS];
        let mut count = event.len();
        for (place, value) in values.iter_mut().zip(event.values).take(count) {
            *place = value;
        }
        let mut unnamed = String::new();
        for (_, value) in added(&self.names, event, &mut unnamed) {
            if let Some(place) = values.get_mut(count) {
                *place = value;
                count += 1;
            }
        }
        let class = match self.classes.get(&event.id) {
            Some(class) => *class,
            None => {
                let fields = fields(&self.names, event);
                let (name, environment) = (event.layout.name, &self.environment);
                let class = self
                    .mapper
                    .add_class(name, &fields, "tonbandgeraet", environment);
                let Some(class) = class else { return };
                self.classes.insert(event.id, class);
                class
            }
        };
        let at = EventTime {
            time,
            core: Some(self.core),
        };
        let values = values.get(..count).unwrap_or_default();
        self.mapper.push(class, at, values);
    }

    fn finish(mut self, bytes: u64) -> Result<DecodedRecording, DecodeError> {
        let page = self.mapper.take_page();
        if page.events.len() == 0 {
            return Err(FORMAT.no_event(bytes, "no frame has an event"));
        }
        let diagnostics = self.diagnostics();
        let clock = ClockInfo {
            options: self.options.clock,
            frequency: self.names.frequency(),
        };
        let (trace, meanings) = mapping::build(page, &self.mapper, clock, diagnostics);
        let info = StreamInfo {
            bytes,
            status: self.status,
            missing: self.missing,
            meanings,
        };
        Ok(DecodedRecording {
            trace,
            format_info: FormatInfo::new(info),
        })
    }

    fn diagnostics(&self) -> Diagnostics {
        let mut diagnostics = Diagnostics::default();
        let status = &self.status;
        if status.leading > 0 {
            let bytes = pluralise(status.leading, "byte", "bytes");
            let message = format!("{bytes} before the first frame");
            diagnostics.push(Diagnostic::new(DiagnosticKind::CutFrame, message));
        }
        if status.cut > 0 {
            let bytes = pluralise(status.cut, "byte", "bytes");
            let message = format!("the stream ends within a frame, after {bytes} of it");
            diagnostics.push(Diagnostic::new(DiagnosticKind::CutFrame, message));
        }
        if let Some((offset, bytes)) = self.damage {
            let bytes = pluralise(bytes, "byte", "bytes");
            let message = format!("{bytes} after the last event are no frame");
            let diagnostic = Diagnostic::new(DiagnosticKind::BadFrame, message);
            diagnostics.push(diagnostic.at_offset(offset));
        }
        if status.unknown > 0 {
            let frames = pluralise(status.unknown, "frame has", "frames have");
            let message = format!("{frames} an event of an unknown kind");
            let diagnostic = Diagnostic::new(DiagnosticKind::UnknownEvent, message);
            diagnostics.push(diagnostic.with_count(status.unknown));
        }
        diagnostics
    }
}

/// The names of the ids of an event, and properties that decide what it means. `unnamed` holds
/// the name of a marker without one.
fn added<'a>(
    names: &'a Names,
    event: &FrameEvent<'_>,
    unnamed: &'a mut String,
) -> impl Iterator<Item = (&'static str, FieldValue<'a>)> {
    let text = |field, id| FieldValue::Text(names.name(field, id).unwrap_or_default());
    let fields = event.layout.fields.iter();
    let id = fields.map(|(name, _)| *name).find_map(|field| {
        let is_id = matches!(
            field,
            "task_id" | "isr_id" | "queue_id" | "evtmarker_id" | "valmarker_id"
        );
        is_id.then(|| Some((field, event.number(field)?)))?
    });
    let [first, second] = match id {
        Some((field @ "task_id", id)) => {
            let is_idle = u64::from(names.is_idle_task(id));
            [
                Some(("task_name", text(field, id))),
                Some(("is_idle", FieldValue::Unsigned(is_idle))),
            ]
        }
        Some((field @ "isr_id", id)) => [Some(("isr_name", text(field, id))), None],
        Some((field @ "queue_id", id)) => [
            Some(("queue_name", text(field, id))),
            Some((
                "queue_kind",
                FieldValue::Text(names.queue_kind(id).as_bytes()),
            )),
        ],
        Some((field, id)) => {
            *unnamed = format!("{} {id}", field.trim_end_matches("_id"));
            let name = names.name(field, id).unwrap_or(unnamed.as_bytes());
            [Some(("marker", FieldValue::Text(name))), None]
        }
        None => [None, None],
    };
    first.into_iter().chain(second)
}

/// The fields of the events like this one.
fn fields(names: &Names, event: &FrameEvent<'_>) -> Vec<FieldDef> {
    let own = event.layout.fields.iter().map(|(name, _)| *name);
    let own = own.filter(|name| *name != super::catalogue::TIME);
    let own = own.zip(event.values);
    let mut unnamed = String::new();
    let added = added(names, event, &mut unnamed);
    let fields = own.chain(added).map(|(name, value)| FieldDef {
        name: name.to_owned(),
        field_type: match value {
            FieldValue::Unsigned(_) => FieldType::Unsigned,
            FieldValue::Signed(_) => FieldType::Signed,
            FieldValue::Text(_) => FieldType::Text,
        },
        bits: 64,
    });
    fields.collect()
}
