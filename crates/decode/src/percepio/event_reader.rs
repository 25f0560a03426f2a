//! The events of a stream: follows what runs on each core, and the counts of events.

use super::event_content::Words;
use super::kernel::{Kernel, RETURN, Role, Shape};
use super::stream_format::{MAX_CORES, StreamFormat, USUAL_TICKS};
use super::target::Target;
use super::{PercepioOptions, alignment, trace_builder};
use crate::packet_stream::{
    Alignment, EventPage, GapCause, PacketError, PacketReader, StoredEvent, StreamGap,
    StreamStatus, UnreadBytes,
};
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::{ContextId, Contexts};
use rtoscope_wire::percepio::{EventHeader, HeaderError, StreamHeader};
use std::sync::Arc;

/// The value of the first event before the first task runs.
pub(super) const NO_TASK: u64 = 2;

/// Reads the events of a stream, one after the other.
#[derive(Debug, Clone)]
pub(super) struct EventReader {
    pub(super) page: EventPage,
    pub(super) target: Arc<Target>,
    /// `None` before the first header or event.
    pub(super) stream: Option<StreamFormat>,
    pub(super) state: RunState,
    /// What the last event changed.
    before_last: StateChange,
    pub(super) options: PercepioOptions,
    /// Total number of events that are known to be missing, and of gaps.
    pub(super) missing: u64,
    gaps: u64,
}

/// The state between two events.
#[derive(Debug, Clone, Copy)]
pub(super) struct RunState {
    clock: ClockState,
    pub(super) cores: [CoreState; MAX_CORES],
}

#[derive(Debug, Clone, Copy)]
pub(super) struct ClockState {
    /// Ticks since the start of the stream.
    time: u64,
    timestamp: Option<u32>,
    /// Why events may be missing before the next one.
    pending_gap: Option<GapCause>,
}

/// What runs on a core.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoreState {
    /// The context outside of interrupts.
    pub(super) context: ContextId,
    /// Number of active interrupt handlers.
    handlers: u32,
    /// The count of the next event.
    next_count: Option<u16>,
}

impl CoreState {
    const UNKNOWN: Self = Self {
        context: ContextId::UNKNOWN,
        handlers: 0,
        next_count: None,
    };

    const fn forget_running(&mut self) {
        (self.context, self.handlers) = (ContextId::UNKNOWN, 0);
    }
}

/// The state of the clock, and of a core, before an event.
#[derive(Debug, Clone, Copy)]
struct StateChange {
    clock: ClockState,
    place: usize,
    core: CoreState,
}

const NO_CLOCK: ClockState = ClockState {
    time: 0,
    timestamp: None,
    pending_gap: None,
};

impl PacketReader for EventReader {
    const FORMAT: Format = super::FORMAT;
    const PACKET_BYTES: usize = 12;

    fn new(options: &DecodeOptions) -> Self {
        Self {
            page: EventPage::default(),
            target: Arc::default(),
            stream: None,
            state: RunState {
                clock: NO_CLOCK,
                cores: [CoreState::UNKNOWN; MAX_CORES],
            },
            before_last: StateChange {
                clock: NO_CLOCK,
                place: 0,
                core: CoreState::UNKNOWN,
            },
            options: options.percepio.clone(),
            missing: 0,
            gaps: 0,
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
            target: Arc::clone(&self.target),
            options: self.options.clone(),
            ..*self
        }
    }

    fn step_back(&mut self) {
        self.state.clock = self.before_last.clock;
        if let Some(core) = self.state.cores.get_mut(self.before_last.place) {
            *core = self.before_last.core;
        }
        (self.missing, self.gaps) = (0, 0);
    }

    fn set_options(&mut self, options: &DecodeOptions) {
        self.options = options.percepio.clone();
    }

    #[inline]
    fn read(&mut self, unread: UnreadBytes<'_>) -> Result<usize, PacketError> {
        let UnreadBytes {
            bytes,
            is_end,
            is_found,
            ..
        } = unread;
        if StreamHeader::may_begin(bytes) {
            return self.read_header(bytes);
        }
        let stream = match (self.stream, is_found) {
            (Some(stream), _) => stream,
            (None, true) => StreamFormat::without_header(),
            (None, false) => return Err(PacketError::Damaged),
        };
        self.stream = Some(stream);
        let event = EventHeader::read(bytes, stream.layout).ok_or(PacketError::Incomplete)?;
        let length = event.event_bytes(stream.layout);
        let body = bytes.get(EventHeader::BYTES..length);
        let body = body.ok_or(PacketError::Incomplete)?;
        let shape = stream.kernel.shape(event.code);
        if !is_found && !self.is_usual(&stream, &event, shape) {
            let rest = bytes.get(length..).unwrap_or_default();
            self.confirm(&stream, &event, rest, is_end)?;
        }
        self.read_event(&stream, &event, shape, body);
        Ok(length)
    }

    fn find(&self, bytes: &[u8], is_end: bool) -> Alignment {
        let last = self.state.clock.timestamp;
        alignment::find(bytes, self.stream.as_ref(), last, is_end)
    }

    fn lose(&mut self, cause: GapCause) {
        self.state.clock.pending_gap = Some(cause);
        if cause == GapCause::Disconnected {
            for core in &mut self.state.cores {
                core.forget_running();
                core.next_count = None;
            }
        }
    }

    fn missing(&self) -> (u64, u64) {
        (self.missing, self.gaps)
    }

    fn metadata(&self) -> Vec<u8> {
        let header = self.stream.and_then(|stream| stream.header);
        header.map_or_else(Vec::new, |header| self.target.to_start(&header))
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        // Not a restart: nothing precedes it.
        let _ = self.read_header(metadata);
        self.state.clock.pending_gap = None;
    }

    fn build(&self, page: EventPage, status: &StreamStatus) -> DecodedRecording {
        trace_builder::build(page, self, status)
    }

    fn no_packet(&self, bytes: u64) -> DecodeError {
        Self::FORMAT.no_event(bytes, "no byte is the start of an event")
    }
}

impl EventReader {
    pub(super) fn target_mut(&mut self) -> &mut Target {
        Arc::make_mut(&mut self.target)
    }

    /// A recording begins, perhaps after an earlier one.
    #[cold]
    fn read_header(&mut self, bytes: &[u8]) -> Result<usize, PacketError> {
        let header = StreamHeader::read(bytes).map_err(|error| match error {
            HeaderError::Incomplete => PacketError::Incomplete,
            HeaderError::Damaged => PacketError::Damaged,
        })?;
        let (encoding, is_image) = (self.options.text_encoding, self.options.is_image);
        for entry in header.entries(bytes) {
            let name = encoding.name(entry.symbol);
            self.target_mut().add_entry(&entry, name, is_image);
        }
        self.stream = Some(StreamFormat::new(&header));
        for core in &mut self.state.cores {
            // The header takes part in the counts.
            *core = CoreState::UNKNOWN;
        }
        if self.page.end() > 0 {
            self.state.clock.pending_gap = Some(GapCause::Pause);
        }
        Ok(header.bytes())
    }

    /// Number of events of the core that are missing before this one.
    #[inline]
    fn loss(&self, stream: &StreamFormat, event: &EventHeader) -> u16 {
        let (place, count) = stream.core_and_count(event);
        let next = self.state.cores.get(place).and_then(|it| it.next_count);
        next.map_or(0, |next| stream.counts_between(next, count))
    }

    /// Ticks since the last event; 0 for an earlier timestamp.
    #[inline]
    fn ticks(&self, stream: &StreamFormat, event: &EventHeader) -> Option<u64> {
        let last = self.state.clock.timestamp;
        last.map_or(Some(0), |last| stream.counter.ticks(last, event.timestamp))
    }

    /// Whether an event continues the last one as nearly all do.
    #[inline]
    fn is_usual(&self, stream: &StreamFormat, event: &EventHeader, shape: Shape) -> bool {
        let parameters = event.parameters;
        let is_shape =
            shape.parameters == Some(parameters) || shape.role == Role::Activate && parameters == 1;
        is_shape
            && !shape.has_text
            && self.loss(stream, event) == 0
            && stream.needs_no_confirmation(self.ticks(stream, event))
    }

    /// Compares an unusual event with the next one.
    ///
    /// # Errors
    ///
    /// If one of them is damaged, or if the bytes end within the next one.
    #[cold]
    fn confirm(
        &self,
        stream: &StreamFormat,
        event: &EventHeader,
        rest: &[u8],
        is_end: bool,
    ) -> Result<(), PacketError> {
        let (loss, ticks) = (self.loss(stream, event), self.ticks(stream, event));
        let shape = stream.kernel.shape(event.code);
        let is_next = loss == 0 && stream.is_soon(ticks);
        let fits = stream.has_plausible_parameters(shape, event.parameters);
        let is_alone = match is_next && fits {
            true => Ok(()),
            false => Err(PacketError::Damaged),
        };
        if StreamHeader::may_begin(rest) {
            return is_alone;
        }
        let Some(next) = EventHeader::read(rest, stream.layout) else {
            return if is_end {
                is_alone
            } else {
                Err(PacketError::Incomplete)
            };
        };
        if !alignment::follows(stream, event, &next) {
            return Err(PacketError::Damaged);
        }
        // Only this event's count or timestamp is different: it is damaged. If the next one is
        // earlier than the last one, too, that one had a damaged timestamp.
        let is_before = match (ticks, self.ticks(stream, &next)) {
            (Some(ticks), Some(to_next)) => ticks <= to_next,
            // The next one is earlier than the last one, too: its timestamp is damaged.
            (Some(_), None) if is_next => true,
            (None, None) if loss == 0 => {
                let ticks = stream.counter.ticks(event.timestamp, next.timestamp);
                ticks.is_some_and(|ticks| ticks < USUAL_TICKS)
            }
            _ => stream.counter.may_go_back(),
        };
        let is_counted = loss == 0 || self.loss(stream, &next) > loss || {
            let core = |event| stream.core_and_count(event).0;
            core(event) != core(&next)
        };
        match is_before && is_counted {
            true => Ok(()),
            false => Err(PacketError::Damaged),
        }
    }

    /// The context of the task at an address.
    pub(super) fn running(&mut self, kernel: &Kernel, address: u64) -> ContextId {
        let task = self.task(kernel, address);
        match self.target.idle_tasks.contains(&task) {
            true => Contexts::IDLE,
            false => task,
        }
    }

    #[inline]
    pub(super) fn task(&mut self, kernel: &Kernel, address: u64) -> ContextId {
        match self.target.find_task(address) {
            Some(task) => task,
            None => {
                let event = self.page.end();
                self.target_mut().task(kernel, address, event)
            }
        }
    }

    #[inline]
    fn read_event(
        &mut self,
        stream: &StreamFormat,
        event: &EventHeader,
        shape: Shape,
        body: &[u8],
    ) {
        let (place, count) = stream.core_and_count(event);
        let place = place % MAX_CORES;
        let core = self.state.cores.get(place).copied();
        self.before_last = StateChange {
            clock: self.state.clock,
            place,
            core: core.unwrap_or(CoreState::UNKNOWN),
        };
        let words = Words {
            layout: stream.layout,
            body,
        };
        let loss = self.loss(stream, event);
        let follows_gap = loss > 0 || self.state.clock.pending_gap.is_some();
        if follows_gap {
            let restarts = shape.role == Role::Start && words.get(0) == NO_TASK;
            self.start_gap(stream, place, loss, restarts);
        }
        let ticks = self.ticks(stream, event);
        if ticks.is_some() || follows_gap && !stream.counter.may_go_back() {
            let time = self.state.clock.time.saturating_add(ticks.unwrap_or(0));
            self.state.clock.time = time;
            self.state.clock.timestamp = Some(event.timestamp);
        }
        let core = self.state.cores.get(place).copied();
        let mut next = core.unwrap_or(CoreState::UNKNOWN);
        next.next_count = Some(stream.counts_between(0, count.wrapping_add(1)));
        let mut values = [words.get(0), words.get(1), words.get(2), words.get(3)];
        match shape.role {
            Role::Activate => {
                next.context = self.running(stream.kernel, values[0]);
                next.handlers = 0;
            }
            Role::BeginIsr => {
                next.handlers += 1;
                self.note_handler(values[0]);
            }
            Role::ResumeIsr => {
                next.handlers = next.handlers.saturating_sub(1).max(1);
                self.note_handler(values[0]);
            }
            Role::Other | Role::Unknown | Role::BeginInterval | Role::EndInterval => {}
            _ => self.describe(stream, shape.role, &words, &mut next),
        }
        if let Some(core) = self.state.cores.get_mut(place) {
            *core = next;
        }
        let continues = shape.role == Role::Activate && event.parameters == 1;
        if shape.has_text {
            self.read_text(shape, &words, &mut values);
        } else if !continues && shape.parameters != Some(event.parameters) || event.parameters > 4 {
            self.read_further(event, shape, &words);
        }
        let kind = u32::from(event.code) | if continues { RETURN } else { 0 };
        let (context, priority_word) = match next.handlers {
            0 => (next.context, PriorityWord::NO_PRIORITY),
            _ => (Contexts::INTERRUPT, PriorityWord::interrupted(next.context)),
        };
        self.page.push(&StoredEvent {
            time: self.state.clock.time,
            timestamp: Some(event.timestamp),
            core: place as u8,
            context,
            priority_word,
            kind,
            arguments: values.map(|value| value as u32),
            upper_halves: values.map(|value| (value >> 32) as u32),
        });
    }

    /// Events are missing before the next one, or damaged bytes precede it.
    #[cold]
    fn start_gap(&mut self, stream: &StreamFormat, place: usize, loss: u16, restarts: bool) {
        let mut cause = self.state.clock.pending_gap.take();
        if cause == Some(GapCause::Pause) && restarts {
            cause = Some(GapCause::Restart);
            self.state.clock.timestamp = None;
            self.target_mut().restart();
        }
        let cause = cause.unwrap_or(GapCause::Overflow);
        let missing = match cause {
            // The count goes back: that of an event before was damaged.
            GapCause::Damage { .. } if loss > stream.counts_between(0, u16::MAX) / 2 => None,
            GapCause::Overflow | GapCause::Damage { .. } => Some(u64::from(loss)),
            GapCause::MissingSwitchOut
            | GapCause::Disconnected
            | GapCause::Pause
            | GapCause::Restart => None,
        };
        let is_of_core = cause == GapCause::Overflow && stream.cores > 1;
        if missing != Some(0) {
            let cores = self.state.cores.iter_mut().enumerate();
            cores
                .filter(|(number, _)| !is_of_core || *number == place)
                .for_each(|(_, core)| core.forget_running());
        }
        let next_event = self.page.end();
        if next_event > 0 {
            self.gaps += u64::from(missing != Some(0));
            self.page.gaps.push(StreamGap {
                next_event,
                cause,
                missing,
                core: is_of_core.then_some(place as u8),
            });
            self.missing = self.missing.saturating_add(missing.unwrap_or_default());
        }
    }

    pub(super) fn note_handler(&mut self, address: u64) {
        if !self.target.handlers.contains(&address) {
            self.target_mut().handlers.push(address);
        }
    }
}
