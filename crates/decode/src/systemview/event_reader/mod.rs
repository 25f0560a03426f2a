//! Packets as events: follows what runs on each core, and what the target says about itself.

use super::catalogue::{CALL_END, CALL_RETURN, EXTENDED};
use super::descriptions::{EventDescription, ValueFormat};
use super::target::{DataSeries, Initialisation, Target, ValueType};
use super::{SystemViewOptions, alignment, trace_builder};
use crate::format::TargetCommand;
use crate::format_strings::render_text;
use crate::packet_stream::{
    self, Alignment, EventPage, GapCause, PacketReader, StoredEvent, StreamGap, StreamStatus,
    UnreadBytes,
};
use crate::{DecodeError, DecodeOptions, DecodedRecording, Format};
use rtoscope_trace::event::PriorityWord;
use rtoscope_trace::extras::{ItemType, ItemValue, TypedItem};
use rtoscope_trace::{ContextId, Contexts};
use rtoscope_wire::systemview::header::TextHeader;
use rtoscope_wire::systemview::packet::ArgumentReader;
use rtoscope_wire::systemview::{
    FIRST_ID_WITH_LENGTH, Framing, Packet, PacketError, extended_id, id,
};
use std::sync::Arc;

/// Number of cores that a stream can have.
const MAX_CORES: usize = 2;

/// Maximum length of the payload of an event that occurred before, to accept it as it is.
const MAX_USUAL_BYTES: usize = 80;

/// Maximum length of a text header.
const MAX_HEADER_BYTES: usize = 1 << 14;

/// Reads the packets of a stream, one after the other.
#[derive(Debug, Clone)]
pub(super) struct EventReader {
    pub(super) page: EventPage,
    pub(super) target: Arc<Target>,
    pub(super) state: RunState,
    /// The state before the last event.
    pub(super) before_last: RunState,
    pub(super) options: SystemViewOptions,
    pub(super) framing: Framing,
    /// The core with packets of its own, and the number of its first event.
    part: Option<(u8, u64)>,
    /// Total number of packets that are known to be missing, and of gaps.
    pub(super) missing: u64,
    pub(super) gaps: u64,
}

/// The state between two packets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct RunState {
    /// Ticks since the start of the stream.
    pub(super) time: u64,
    cores: [CoreState; MAX_CORES],
    /// The number in the last overflow packet; `None` if it is not known.
    drops: Option<u32>,
    /// Whether the target has stopped recording.
    is_stopped: bool,
    /// What is missing before the next event.
    pending_gap: Option<GapCause>,
}

/// What runs on a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct CoreState {
    /// The context outside of interrupts.
    context: ContextId,
    /// Number of interrupts that have begun and not ended.
    interrupts: u32,
}

impl CoreState {
    const UNKNOWN: Self = Self {
        context: ContextId::UNKNOWN,
        interrupts: 0,
    };

    #[inline(always)]
    const fn running(self) -> (ContextId, PriorityWord) {
        match self.interrupts {
            0 => (self.context, PriorityWord::NO_PRIORITY),
            _ => (Contexts::INTERRUPT, PriorityWord::interrupted(self.context)),
        }
    }
}

impl RunState {
    pub(super) const START: Self = Self {
        time: 0,
        cores: [CoreState::UNKNOWN; MAX_CORES],
        drops: None,
        is_stopped: false,
        pending_gap: None,
    };

    fn forget_running(&mut self) {
        self.cores = [CoreState::UNKNOWN; MAX_CORES];
    }
}

impl PacketReader for EventReader {
    const FORMAT: Format = super::FORMAT;
    const PACKET_BYTES: usize = 6;

    fn new(options: &DecodeOptions) -> Self {
        Self {
            page: EventPage::default(),
            target: Arc::new(Target::new(options.systemview.descriptions.clone())),
            state: RunState::START,
            before_last: RunState::START,
            options: options.systemview.clone(),
            framing: Framing::Plain,
            part: None,
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
        self.state = self.before_last;
        (self.missing, self.gaps) = (0, 0);
    }

    fn set_options(&mut self, options: &DecodeOptions) {
        self.options = options.systemview.clone();
    }

    /// The length of a text header, 0 without one.
    fn read_start(&mut self, bytes: &[u8], is_end: bool) -> Option<usize> {
        let header = TextHeader::read(bytes);
        let may_grow = bytes.first().is_none_or(|byte| *byte == b';');
        if header.is_none() && may_grow && bytes.len() < MAX_HEADER_BYTES && !is_end {
            return None;
        }
        self.framing = header.map_or(Framing::Plain, super::framing);
        Some(header.map_or(0, |header| header.bytes))
    }

    #[inline]
    fn read(&mut self, unread: UnreadBytes<'_>) -> Result<usize, packet_stream::PacketError> {
        let packet = Packet::read(unread.bytes, self.framing).map_err(|error| match error {
            PacketError::Incomplete if !alignment::is_zeroed(unread.bytes) => {
                packet_stream::PacketError::Incomplete
            }
            _ => packet_stream::PacketError::Damaged,
        })?;
        if packet.is_sync() {
            return match alignment::is_zeroed(unread.bytes) {
                true => Err(packet_stream::PacketError::Damaged),
                false => Ok(packet.bytes),
            };
        }
        if !self.is_sound(&packet) {
            return Err(packet_stream::PacketError::Damaged);
        }
        check_end(unread, packet.bytes)?;
        self.read_packet(&packet);
        Ok(packet.bytes)
    }

    fn find(&self, bytes: &[u8], is_end: bool) -> Alignment {
        alignment::find(bytes, self.framing, &self.target, is_end)
    }

    fn lose(&mut self, cause: GapCause) {
        self.state.forget_running();
        self.state.pending_gap = Some(cause);
        // Damaged bytes may have contained overflow packets.
        if matches!(cause, GapCause::Damage { .. }) {
            self.state.drops = None;
        }
    }

    fn missing(&self) -> (u64, u64) {
        (self.missing, self.gaps)
    }

    fn request(&self) -> Option<TargetCommand> {
        let lacks_start = self.page.end() > 0 && self.target.initialisation.is_none();
        lacks_start.then_some(TargetCommand::Start)
    }

    fn metadata(&self) -> Vec<u8> {
        self.target.to_packets()
    }

    fn load_metadata(&mut self, metadata: &[u8]) {
        let mut reader = self.clone();
        reader.target = Arc::new(Target::new(self.options.descriptions.clone()));
        let mut rest = metadata;
        while let Ok(packet) = Packet::read(rest, Framing::Plain) {
            reader.read_packet(&packet);
            rest = rest.get(packet.bytes..).unwrap_or_default();
        }
        let mut target = Arc::unwrap_or_clone(reader.target);
        target
            .tasks
            .iter_mut()
            .for_each(|task| task.first_event = 0);
        self.target = Arc::new(target);
    }

    fn parts(bytes: &[u8]) -> Vec<&[u8]> {
        let header = TextHeader::read(bytes);
        let offsets = header.iter().flat_map(|header| {
            let offsets = header.offsets.iter().skip(1).map_while(|offset| *offset);
            offsets.map(|offset| header.bytes.saturating_add(offset))
        });
        let mut parts = Vec::new();
        let mut start = 0;
        for end in offsets {
            let Some(part) = bytes.get(start..end) else {
                break;
            };
            parts.push(part);
            start = end;
        }
        parts.push(bytes.get(start..).unwrap_or_default());
        parts
    }

    fn begin_core(&mut self, core: u8) {
        self.part = Some((core, self.page.end()));
        self.state = RunState::START;
        self.before_last = RunState::START;
    }

    fn merge_cores(&mut self) {
        let places = self.page.sort_by_time();
        let place = |event: u64| places.get(usize::try_from(event).ok()?).copied();
        for task in &mut self.target_mut().tasks {
            task.first_event = place(task.first_event).map_or(task.first_event, u64::from);
        }
    }

    fn build(&self, page: EventPage, status: &StreamStatus) -> DecodedRecording {
        trace_builder::build(page, self, status)
    }

    fn no_packet(&self, bytes: u64) -> DecodeError {
        super::no_packet(bytes)
    }
}

/// Checks that a packet of that length does not end within zeroed bytes: it would have lost its
/// end to them.
///
/// # Errors
///
/// If it does, or if that needs more bytes.
#[inline]
fn check_end(unread: UnreadBytes<'_>, length: usize) -> Result<(), packet_stream::PacketError> {
    let Some((packet, after)) = unread.bytes.split_at_checked(length) else {
        return Ok(());
    };
    if packet.last() != Some(&0) || after.first().is_some_and(|byte| *byte != 0) {
        return Ok(());
    }
    // A sync may follow.
    if alignment::is_zeroed(after) {
        Err(packet_stream::PacketError::Damaged)
    } else if unread.is_end || after.iter().any(|byte| *byte != 0) {
        Ok(())
    } else {
        Err(packet_stream::PacketError::Incomplete)
    }
}

impl EventReader {
    /// Whether a packet can be one of the recorder. Those without a length have no redundancy but
    /// in their texts.
    #[inline]
    fn is_sound(&self, packet: &Packet<'_>) -> bool {
        if packet.id < FIRST_ID_WITH_LENGTH {
            return packet.text.is_empty() || alignment::has_sound_text(packet);
        }
        packet.payload.len() <= MAX_USUAL_BYTES
            && packet.id >= id::FIRST_CALL
            && self.target.has_seen(packet.id, 0)
            || alignment::has_sound_payload(packet, &self.target)
    }

    /// Reads a packet that is not a sync.
    #[inline]
    fn read_packet(&mut self, packet: &Packet<'_>) {
        self.before_last = self.state;
        self.state.time += u64::from(packet.delta);
        if self.state.pending_gap.is_some() {
            self.start_gap(None);
        }
        let place = usize::from(packet.core) % MAX_CORES;
        let core = self.state.cores.get(place).copied();
        let core = core.unwrap_or(CoreState::UNKNOWN);
        let (mut next, mut kind, mut arguments) = (core, packet.id, packet.values);
        // The context of an event is the one that runs from it on, but for the end of an interrupt.
        let mut running = None;
        match packet.id {
            id::ISR_ENTER => next.interrupts += 1,
            id::ISR_EXIT | id::ISR_TO_SCHEDULER => {
                next.interrupts = next.interrupts.saturating_sub(1);
                let interrupted = PriorityWord::interrupted(core.context);
                running = Some((Contexts::INTERRUPT, interrupted));
            }
            id::TASK_START_EXEC => {
                next = CoreState {
                    context: self.task(packet.values[0]),
                    interrupts: 0,
                };
                if self.target.has_candidate(next.context) {
                    self.target_mut().run(next.context);
                }
            }
            id::IDLE => {
                if self.target.has_candidates() {
                    self.target_mut().idle();
                }
                next = CoreState {
                    context: Contexts::IDLE,
                    interrupts: 0,
                };
            }
            id::TASK_STOP_EXEC => {
                running = Some(core.running());
                next = CoreState::UNKNOWN;
            }
            id::TASK_START_READY | id::TASK_STOP_READY => {
                self.task(packet.values[0]);
                let is_ready = packet.id == id::TASK_START_READY;
                if !is_ready && self.target.has_candidates() {
                    let task = self.task(packet.values[0]);
                    self.target_mut().run(task);
                }
                if !self.target.records_state(is_ready) {
                    self.target_mut().note_state(is_ready);
                }
            }
            id::END_CALL => (kind, arguments) = self.end_of_call(packet),
            id::FIRST_CALL.. => arguments = self.call(packet),
            _ => {
                (kind, arguments) = self.other(packet);
                // An overflow leaves nothing known.
                next = self.state.cores.get(place).copied().unwrap_or(next);
            }
        }
        if let Some(state) = self.state.cores.get_mut(place) {
            *state = next;
        }
        let (context, priority_word) = running.unwrap_or(next.running());
        self.page.push(&StoredEvent {
            time: self.state.time,
            timestamp: None,
            core: self.part.map_or(packet.core, |(core, _)| core),
            context,
            priority_word,
            kind,
            arguments,
            upper_halves: [0; 4],
        });
    }

    fn target_mut(&mut self) -> &mut Target {
        Arc::make_mut(&mut self.target)
    }

    #[inline]
    fn task(&mut self, id: u32) -> ContextId {
        match self.target.find_task(id) {
            Some(task) => task,
            None => {
                let event = self.page.end();
                self.target_mut().task(id, event)
            }
        }
    }

    /// Packets are missing before the next event; `drops` is their number after an overflow.
    #[cold]
    fn start_gap(&mut self, drops: Option<u64>) {
        let cause = self.state.pending_gap.take().unwrap_or(GapCause::Overflow);
        let next_event = self.page.end();
        match self.page.gaps.last_mut() {
            // The number of packets in damaged bytes is not known.
            Some(last) if last.next_event == next_event => last.missing = None,
            _ => {
                self.gaps += u64::from(next_event > 0);
                self.page.gaps.push(StreamGap {
                    next_event,
                    cause,
                    missing: drops,
                    core: self.part.map(|(core, _)| core),
                });
            }
        }
        self.missing = self.missing.saturating_add(drops.unwrap_or_default());
    }

    /// A call of the operating system, or an event of the application.
    #[inline]
    fn call(&mut self, packet: &Packet<'_>) -> [u32; 4] {
        let mut arguments = packet.arguments();
        let mut values = [0; 4];
        let mut count = 0;
        if packet.id < 512 {
            for value in &mut values {
                match arguments.number() {
                    Some(number) => *value = number,
                    None => break,
                }
                count += 1;
            }
            if arguments.is_empty() && self.target.has_seen(packet.id, count) {
                return values;
            }
        }
        self.described(packet)
    }

    /// The arguments of an event that occurs for the first time, or may have texts.
    fn described(&mut self, packet: &Packet<'_>) -> [u32; 4] {
        let target = Arc::clone(&self.target);
        let description = target.description(packet.id);
        let formats = description.map_or(&[][..], |it| &it.arguments);
        let mut formats = formats.iter().map(|(_, format)| *format);
        let mut arguments = packet.arguments();
        let mut values = [0; 4];
        let mut count = 0_u8;
        while !arguments.is_empty() && count < u8::MAX {
            let format = formats.next().unwrap_or(ValueFormat::Unsigned);
            let value = match format {
                ValueFormat::Text => arguments.text().map(|text| self.push_text(text)),
                _ => arguments.number(),
            };
            let Some(value) = value else { break };
            match values.get_mut(usize::from(count)) {
                Some(place) => *place = value,
                None => self.page.extras.push(match format {
                    ValueFormat::Task | ValueFormat::Resource => target.address(value).0 as u32,
                    _ => value,
                }),
            }
            count += 1;
        }
        // Events with texts always take this way.
        let has_text = description.is_some_and(EventDescription::has_text);
        if !has_text && !self.target.has_seen(packet.id, count) {
            self.target_mut().note_arguments(packet.id, count);
        }
        values
    }

    #[inline]
    fn end_of_call(&mut self, packet: &Packet<'_>) -> (u32, [u32; 4]) {
        let mut arguments = packet.arguments();
        let call = arguments.number().unwrap_or_default();
        if !self.target.has_seen(call, 0) {
            self.target_mut().note_arguments(call, 0);
        }
        match arguments.number() {
            Some(result) => (CALL_RETURN + call, [result, 0, 0, 0]),
            None => (CALL_END + call, [0; 4]),
        }
    }

    fn push_text(&mut self, text: &[u8]) -> u32 {
        let name = self.options.text_encoding.name(text);
        // A NUL would end the text.
        let end = memchr::memchr(0, name.as_bytes()).unwrap_or(name.as_bytes().len());
        let text = name.as_bytes().get(..end).unwrap_or_default();
        self.page.extras.push_text(text)
    }

    /// A packet about the target, the recording or what the application records.
    #[inline(never)]
    fn other(&mut self, packet: &Packet<'_>) -> (u32, [u32; 4]) {
        let event = self.page.end();
        let mut values = packet.values;
        let [first, second, ..] = values;
        let mut arguments = packet.arguments();
        if packet.id >= FIRST_ID_WITH_LENGTH
            && !matches!(packet.id, id::PRINT_FORMATTED | id::EX | id::NAME_RESOURCE)
        {
            for value in &mut values {
                *value = arguments.number().unwrap_or_default();
            }
        }
        match packet.id {
            id::OVERFLOW => self.overflow(first),
            id::TRACE_START => self.start(),
            id::TRACE_STOP => self.state.is_stopped = true,
            id::TASK_CREATE => {
                self.target_mut().create_task(first, event);
            }
            id::TASK_INFO => {
                self.task(first);
                if let Some(task) = self.target_mut().task_mut(first) {
                    task.name = Some(packet.text.to_vec());
                    task.priority = Some(second);
                }
                values[2] = self.push_text(packet.text);
            }
            id::STACK_INFO => {
                self.task(first);
                let [_, base, size, usage] = values;
                if let Some(task) = self.target_mut().task_mut(first) {
                    task.stack = Some([base, size, usage]);
                }
            }
            id::SYSDESC => {
                self.target_mut().describe_system(packet.text);
                values[0] = self.push_text(packet.text);
            }
            id::MODULEDESC => {
                self.target_mut().describe_module(second, packet.text);
                values[2] = self.push_text(packet.text);
            }
            id::DATA_SAMPLE => {
                self.sample(first, second);
                values = [first, 0, 0, 0];
            }
            id::INIT => {
                let [timestamp_hertz, cpu_hertz, ram_base, id_shift] = values;
                self.target_mut().initialisation = Some(Initialisation {
                    timestamp_hertz,
                    cpu_hertz,
                    ram_base,
                    id_shift,
                });
            }
            id::NAME_RESOURCE => {
                let object = arguments.number().unwrap_or_default();
                let text = arguments.text().unwrap_or_default();
                let name = self.options.text_encoding.name(text);
                self.target_mut().resources.insert(object, name);
                values = [object, self.push_text(text), 0, 0];
            }
            id::PRINT_FORMATTED => values = [self.print(arguments), 0, 0, 0],
            id::EX => return self.extended(arguments),
            _ => {}
        }
        (packet.id, values)
    }

    fn overflow(&mut self, drops: u32) {
        // The first packet that an episode loses is not in the count.
        let before = self.state.drops;
        let lost = before.map(|before| match drops.checked_sub(before) {
            Some(more) => u64::from(more) + 1,
            // The target restarted.
            None => u64::from(drops) + 1,
        });
        self.state.drops = Some(drops);
        self.lose(GapCause::Overflow);
        self.start_gap(lost);
    }

    fn start(&mut self) {
        if self.state.is_stopped {
            self.lose(GapCause::Pause);
            self.start_gap(None);
        }
        self.state.is_stopped = false;
        // A recording from its start on.
        if self.page.end() == self.part.map_or(0, |(_, first)| first) {
            self.state.drops = Some(0);
        }
    }

    /// Adds the text and the numbers of a print; returns its level.
    fn print(&mut self, mut arguments: ArgumentReader<'_>) -> u32 {
        let format = arguments.text().unwrap_or_default();
        let level = arguments.number().unwrap_or_default();
        let count = arguments.number().unwrap_or_default();
        let values: Vec<u32> = (0..count).map_while(|_| arguments.number()).collect();
        let format = self.options.text_encoding.name(format);
        let text = match values.is_empty() {
            // It was formatted on the target.
            true => None,
            false => render_text(format.as_bytes(), &values, |_| None),
        };
        let text = text.as_deref().map_or(format.as_bytes(), str::as_bytes);
        self.push_item(ItemType::Text, ItemValue::Text(text));
        for value in values {
            self.push_item(ItemType::U32, ItemValue::Number(value));
        }
        level
    }

    fn push_item(&mut self, item_type: ItemType, value: ItemValue<'_>) {
        let value = match value {
            ItemValue::Text(text) => {
                ItemValue::Text(text.split(|byte| *byte == 0).next().unwrap_or_default())
            }
            value => value,
        };
        self.page.extras.push_item(&TypedItem {
            item_type,
            width: 0,
            value,
        });
    }

    /// Adds the name and the value of a sample.
    fn sample(&mut self, data: u32, bits: u32) {
        let series = self.target.data.get(&data).cloned();
        if let Some(series) = &series {
            self.push_item(ItemType::Text, ItemValue::Text(series.name.as_bytes()));
        }
        match series.map(|series| series.value_type) {
            Some(ValueType::Unsigned) => self.push_item(ItemType::U32, ItemValue::Number(bits)),
            Some(ValueType::Signed) => {
                self.push_item(ItemType::I32, ItemValue::Signed(bits.cast_signed()));
            }
            Some(ValueType::Float) => {
                let text = f32::from_bits(bits).to_string();
                self.push_item(ItemType::Text, ItemValue::Text(text.as_bytes()));
            }
            None => self.push_item(ItemType::X32, ItemValue::Number(bits)),
        }
    }

    fn extended(&mut self, mut arguments: ArgumentReader<'_>) -> (u32, [u32; 4]) {
        let extended = arguments.number().unwrap_or_default();
        let mut values = [0; 4];
        match extended {
            extended_id::NAME_MARKER | extended_id::REGISTER_DATA => {
                let number = arguments.number().unwrap_or_default();
                let text = arguments.text().unwrap_or_default();
                let name = self.options.text_encoding.name(text);
                if extended == extended_id::NAME_MARKER {
                    self.target_mut().markers.insert(number, name);
                } else {
                    let value_type = match arguments.number() {
                        None | Some(0) => ValueType::Unsigned,
                        Some(1) => ValueType::Signed,
                        Some(_) => ValueType::Float,
                    };
                    let series = DataSeries { name, value_type };
                    self.target_mut().data.insert(number, series);
                }
                values = [number, self.push_text(text), 0, 0];
            }
            _ => {
                for value in &mut values {
                    *value = arguments.number().unwrap_or_default();
                }
            }
        }
        (EXTENDED.saturating_add(extended), values)
    }
}

#[cfg(test)]
mod tests;
