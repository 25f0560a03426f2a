//! Lines as events: follows what the header says and what lines name.

use super::catalogue::{self, id};
use super::entities::{EntityId, EntityTable, EntityType, LoggedName};
use super::{BtfOptions, FORMAT, trace_builder};
use crate::packet_stream::{
    Alignment, EventPage, GapCause, PacketError, PacketReader, StoredEvent, StreamGap,
    StreamStatus, UnreadBytes,
};
use crate::rejected_texts::RejectedTexts;
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{ContextId, Contexts};
use rtoscope_wire::btf::{BtfLine, EventLine, TimeScale};
use std::sync::Arc;

/// Reads lines, one after the other.
#[derive(Debug, Clone)]
pub(super) struct LineReader {
    page: EventPage,
    pub(super) entities: Arc<EntityTable>,
    pub(super) header: Arc<Header>,
    pub(super) state: ReadState,
    /// The state before the last event.
    before_last: ReadState,
    /// Whether a line that is too long goes on.
    is_in_excess: bool,
    pub(super) rejected: RejectedLines,
    gaps: u64,
    pub(super) options: BtfOptions,
}

/// The state between two lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct ReadState {
    /// The time of the last event.
    pub(super) time: u64,
    /// Number of lines so far.
    pub(super) lines: u64,
    /// What is missing before the next event.
    pub(super) pending_gap: Option<GapCause>,
}

/// What the header says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Header {
    /// The parameters as they are written, without those of tables.
    pub(super) parameters: Vec<(String, String)>,
    pub(super) unit: Option<TimeScale>,
}

/// Maximum number of parameters, and length of one.
const MAX_PARAMETERS: usize = 32;
const MAX_PARAMETER_BYTES: usize = 1 << 10;

/// Lines that are neither events nor comments.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct RejectedLines {
    /// Those that might have been events.
    pub(super) invalid: RejectedTexts,
    /// Number of lines of other text.
    pub(super) other: u64,
    /// The number and the offset of the first line of other text.
    pub(super) first_other: Option<(u64, u64)>,
    /// Number of events that are earlier than one before.
    pub(super) backward: u64,
    /// The event, and the line, of the first of them.
    pub(super) first_backward: Option<(u64, u64)>,
    /// Number of events of cores beyond the number that a trace can have.
    pub(super) excess_cores: u64,
    /// Bytes of all those lines.
    pub(super) bytes: u64,
}

/// Why a line with the fields of an event is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum EventError {
    #[error("BTF has no such event of the type `{}`", .0.name())]
    UnknownEvent(EntityType),
    /// The trace cannot have its core.
    #[error("it has more than 256 cores")]
    TooManyCores,
}

/// Whether a line has bytes that no text has: erased or zeroed memory replaces the ends of its
/// lines, too. Loggers use tabs, and escape sequences for colours.
fn is_binary(line: &[u8]) -> bool {
    let is_control = |byte: &u8| match byte {
        b'\t' | b'\n' | b'\r' | b'\x1B' => false,
        _ => byte.is_ascii_control(),
    };
    // Without an early end, the compiler checks many bytes at once.
    let has_control = line.iter().fold(false, |found, it| found | is_control(it));
    // One 0xFF may be a letter of a name that is not UTF-8.
    let mut ones = memchr::memchr_iter(0xFF, line);
    has_control || ones.any(|at| line.get(at + 1) == Some(&0xFF))
}

/// Argument of an event without a note: the position of no text.
const NO_TEXT: u32 = u32::MAX;

/// Maximum length of a line.
const MAX_LINE_BYTES: usize = 1 << 14;

impl PacketReader for LineReader {
    const FORMAT: Format = FORMAT;
    const PACKET_BYTES: usize = 40;

    fn new(options: &DecodeOptions) -> Self {
        Self {
            page: EventPage::default(),
            entities: Arc::default(),
            header: Arc::default(),
            state: ReadState::default(),
            before_last: ReadState::default(),
            is_in_excess: false,
            rejected: RejectedLines::default(),
            gaps: 0,
            options: options.btf,
        }
    }

    fn page(&self) -> &EventPage {
        &self.page
    }

    fn page_mut(&mut self) -> &mut EventPage {
        &mut self.page
    }

    fn without_page(&self) -> Self {
        Self {
            page: self.page.continuation(),
            entities: Arc::clone(&self.entities),
            header: Arc::clone(&self.header),
            rejected: self.rejected.clone(),
            ..*self
        }
    }

    fn step_back(&mut self) {
        self.state = self.before_last;
        self.rejected = RejectedLines::default();
        self.gaps = 0;
    }

    fn set_options(&mut self, options: &DecodeOptions) {
        self.options = options.btf;
    }

    #[inline]
    fn read(&mut self, unread: UnreadBytes<'_>) -> Result<usize, PacketError> {
        let UnreadBytes { bytes, offset, .. } = unread;
        let end = memchr::memchr(b'\n', bytes);
        if end.is_none() && !unread.is_end && bytes.len() <= MAX_LINE_BYTES && !self.is_in_excess {
            return Err(PacketError::Incomplete);
        }
        let length = end.map_or(bytes.len(), |end| end + 1);
        let line = bytes.get(..length).unwrap_or(bytes);
        if self.is_in_excess {
            self.rejected.bytes += length as u64;
            self.is_in_excess = end.is_none();
        } else if length > MAX_LINE_BYTES {
            self.state.lines += 1;
            let problem = format!("it has more than {MAX_LINE_BYTES} bytes");
            self.reject(line, offset, &problem);
            self.is_in_excess = end.is_none();
        } else {
            self.read_line(line, offset);
        }
        Ok(length)
    }

    /// A line begins where another one ends.
    fn find(&self, _bytes: &[u8], _is_end: bool) -> Alignment {
        Alignment::At(0)
    }

    fn lose(&mut self, cause: GapCause) {
        self.is_in_excess = false;
        self.state.pending_gap = Some(cause);
    }

    fn missing(&self) -> (u64, u64) {
        (0, self.gaps)
    }

    fn rejected(&self) -> (u64, u64) {
        (self.rejected.invalid.count, self.rejected.bytes)
    }

    fn metadata(&self) -> Vec<u8> {
        let parameters = self.header.parameters.iter();
        let lines: Vec<_> = parameters
            .map(|(key, value)| format!("#{key} {value}\n"))
            .collect();
        lines.concat().into_bytes()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        let state = self.state;
        for line in metadata.split(|byte| *byte == b'\n') {
            if line.starts_with(b"#") {
                self.read_line(line, 0);
            }
        }
        self.state = state;
    }

    fn build(&self, page: EventPage, status: &StreamStatus) -> DecodedRecording {
        trace_builder::build(page, self, status)
    }

    fn no_packet(&self, bytes: u64) -> DecodeError {
        let problem = self.rejected.invalid.first_problem();
        Self::FORMAT.no_event(bytes, problem.unwrap_or("no line is an event"))
    }
}

impl LineReader {
    /// Reads a line that begins at an offset.
    fn read_line(&mut self, text: &[u8], offset: u64) {
        let before = self.state;
        self.state.lines += 1;
        let text = match self.state.lines {
            1 => rtoscope_trace::text::strip_bom(text),
            _ => text,
        };
        if is_binary(text) {
            return self.reject(text, offset, "it has bytes that are no text");
        }
        match BtfLine::read(text) {
            Ok(BtfLine::Event(line)) => match self.read_event(&line) {
                Ok(()) => self.before_last = before,
                Err(error @ EventError::TooManyCores) => {
                    self.rejected.excess_cores += 1;
                    self.reject(text, offset, &error.to_string());
                }
                Err(error) => self.reject_end(text, offset, &error.to_string()),
            },
            Ok(BtfLine::Parameter { key, value }) => self.read_parameter(key, value),
            Ok(BtfLine::Empty | BtfLine::Comment) => {}
            Err(error) => {
                // What a logger prints in between is no event.
                match text.trim_ascii_start() {
                    [b'0'..=b'9', ..] => self.reject_end(text, offset, &error.to_string()),
                    _ => {
                        let place = (self.state.lines, offset);
                        self.rejected.first_other.get_or_insert(place);
                        self.rejected.other += 1;
                        self.rejected.bytes += text.len() as u64;
                    }
                }
            }
        }
    }

    /// Rejects a line, which may be the last one, whose end may be missing.
    #[cold]
    fn reject_end(&mut self, text: &[u8], offset: u64, problem: &str) {
        match text.ends_with(b"\n") {
            true => self.reject(text, offset, problem),
            false => {
                let problem = format!("{problem}; the file ends within the line");
                self.reject(text, offset, &problem);
            }
        }
    }

    /// A line that might have been an event is none: what runs is not known any more.
    #[cold]
    fn reject(&mut self, text: &[u8], offset: u64, problem: &str) {
        let bytes = text.len() as u64;
        self.rejected.bytes += bytes;
        let problem = format!("no event: {problem}");
        let lines = self.state.lines;
        self.rejected.invalid.reject(lines, offset, text, &problem);
        if self.page.end() > 0 {
            self.state.pending_gap = Some(GapCause::Damage { offset, bytes });
        }
    }

    fn read_parameter(&mut self, key: &[u8], value: &[u8]) {
        let is_unit = key.eq_ignore_ascii_case(TimeScale::KEY.as_bytes());
        // Tables follow these.
        if value.is_empty() || key.len() + value.len() > MAX_PARAMETER_BYTES {
            return;
        }
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let header = Arc::make_mut(&mut self.header);
        if is_unit && header.unit.is_none() {
            header.unit = TimeScale::from_name(value);
        }
        if header.parameters.len() < MAX_PARAMETERS {
            header.parameters.push((text(key), text(value)));
        }
    }

    fn read_event(&mut self, line: &EventLine<'_>) -> Result<(), EventError> {
        let target_type = EntityType::from_name(line.target_type);
        let entities = Arc::make_mut(&mut self.entities);
        let kind = match catalogue::number(target_type, line.event) {
            Some(kind) => kind,
            // A damaged name must not add what the line names.
            None if !catalogue::is_specified(target_type, line.event) => {
                return Err(EventError::UnknownEvent(target_type));
            }
            None => entities.unnamed_kind(line.target_type, line.event),
        };
        let logged = LoggedName::read(line.target).filter(|_| target_type == EntityType::Task);
        let name = logged.as_ref().map_or(line.target, |logged| logged.task);
        let target = entities.find_or_add(target_type, name);
        let target = target.ok_or(EventError::TooManyCores)?;
        let source = source(entities, line.source, target_type, kind);
        let source = source.ok_or(EventError::TooManyCores)?;
        let logged_core = logged.map(|logged| logged.core);
        if let Some(core) = logged_core {
            entities.add_logged_core(core);
        }
        let core_of = |entity: EntityId| entities.get(entity).and_then(|entity| entity.core);
        let core = logged_core.or_else(|| core_of(source));
        let core = core.or_else(|| core_of(target)).unwrap_or(0);
        // An activation names a stimulus, which runs nowhere.
        if let Some(process) = entities.get_mut(target)
            && matches!(target_type, EntityType::Task | EntityType::Isr)
            && !matches!(kind, id::ACTIVATE | id::ISR_ACTIVATE)
            && process.core != Some(core)
        {
            process.core = Some(core);
        }
        let context = match (target_type, kind) {
            (EntityType::Task | EntityType::Isr, _) => entities.context(target),
            (_, id::IDLE) => Contexts::IDLE,
            _ => entities.context(source),
        };
        match kind {
            id::ACTIVATE | id::TERMINATE | id::WAIT | id::RELEASE => entities.has_states = true,
            id::IDLE | id::EXECUTE => entities.has_idle = true,
            id::ASSIGNED | id::RELEASED => {
                if let Some(semaphore) = entities.get_mut(target) {
                    semaphore.is_locked = true;
                }
            }
            _ => {}
        }
        self.push(line, core, context, kind, [target, source]);
        Ok(())
    }

    fn push(
        &mut self,
        line: &EventLine<'_>,
        core: u8,
        context: ContextId,
        kind: u32,
        entities: [EntityId; 2],
    ) {
        if let Some(cause) = self.state.pending_gap.take() {
            self.gaps += 1;
            self.page.gaps.push(StreamGap {
                next_event: self.page.end(),
                cause,
                missing: None,
                core: None,
            });
        }
        if line.time < self.state.time {
            let place = (self.page.end(), self.state.lines);
            self.rejected.first_backward.get_or_insert(place);
            self.rejected.backward += 1;
        }
        self.state.time = self.state.time.max(line.time);
        let note = match line.note {
            [] => NO_TEXT,
            note => self.page.extras.push_text(note),
        };
        let instance = line.target_instance.map(u32::try_from);
        let [target, source] = entities.map(|entity| entity.address().0 as u32);
        self.page.push(&StoredEvent {
            time: self.state.time,
            timestamp: None,
            core,
            context,
            priority_word: match context {
                Contexts::INTERRUPT => PriorityWord::interrupted(ContextId::UNKNOWN),
                _ => PriorityWord::NO_PRIORITY,
            },
            kind,
            arguments: [
                target,
                instance.and_then(Result::ok).unwrap_or(u32::MAX),
                source,
                note,
            ],
            upper_halves: [0; 4],
        });
    }
}

/// The source of an event. Lines do not have its type: it is that of something known with this
/// name, else the one that the specification gives the event.
fn source(
    entities: &mut EntityTable,
    name: &[u8],
    target_type: EntityType,
    kind: u32,
) -> Option<EntityId> {
    use EntityType::{Core, Isr, Runnable, Stimulus, Task};
    let is_process = matches!(target_type, Task | Isr);
    let usual = match target_type {
        Task | Isr if matches!(kind, id::ACTIVATE | id::ISR_ACTIVATE) => Stimulus,
        Task | Isr => Core,
        Runnable | EntityType::Semaphore | EntityType::Signal | EntityType::OsEvent => Task,
        other => other,
    };
    let whole = name;
    let name = LoggedName::read(name).map_or(name, |logged| logged.task);
    let likely = match is_process {
        true => [usual, Core, Task, Isr],
        // A state of the target has itself as its source.
        false => [usual, Task, target_type, Core],
    };
    let isr = || entities.find(Isr, name);
    let known = likely
        .into_iter()
        .find_map(|of_type| entities.find(of_type, name))
        .or_else(isr);
    match known {
        Some(known) => Some(known),
        // The task before may have no name.
        None if usual == Core && !name.contains(&b']') => entities.find_or_add(Core, name),
        None if matches!(usual, Core | Task) => entities.find_or_add(EntityType::Other, whole),
        None => entities.find_or_add(usual, name),
    }
}
