//! Finds the start of an event in the middle of a stream: after damage, or if the header is
//! missing.
//!
//! Events have no mark, but their counts are consecutive: a position is the start of one if
//! several events that continue each other follow.

use super::stream_format::{MAX_CORES, StreamFormat};
use crate::packet_stream::{Alignment, PacketError};
use rtoscope_wire::percepio::{EventHeader, HeaderError, StreamHeader};

/// Number of events that show that a position is right, in a known stream and in another one.
const MIN_EVENTS: usize = 4;
const MIN_UNKNOWN_EVENTS: usize = 8;

/// Maximum number of events that are missing between two events that continue each other.
const MAX_LOSS: u16 = 1 << 12;

/// Maximum ticks between two events that show that a position is right.
const MAX_TICKS: u64 = 1 << 28;

/// Finds the start of an event or of a header, given the timestamp of the last event. If nothing
/// follows (`is_end`), the bytes are decided as they are.
pub(super) fn find(
    bytes: &[u8],
    stream: Option<&StreamFormat>,
    last: Option<u32>,
    is_end: bool,
) -> Alignment {
    let least = match stream {
        Some(_) => MIN_EVENTS,
        None => MIN_UNKNOWN_EVENTS,
    };
    let assumed = StreamFormat::without_header();
    let stream = stream.unwrap_or(&assumed);
    for start in 0..bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        if StreamHeader::may_begin(rest) {
            match StreamHeader::read(rest) {
                Ok(_) => return Alignment::At(start),
                Err(HeaderError::Incomplete) if !is_end => return Alignment::NotBefore(start),
                Err(_) => continue,
            }
        }
        match sequence(rest, stream, last, least, is_end) {
            Ok(()) => return Alignment::At(start),
            Err(PacketError::Incomplete) => return Alignment::NotBefore(start),
            Err(PacketError::Damaged) => {}
        }
    }
    Alignment::NotBefore(bytes.len())
}

/// Checks that at least `least` events follow each other, or all up to the end. Of these, the first
/// one is taken next: its count and timestamp must fit those of the second.
fn sequence(
    bytes: &[u8],
    stream: &StreamFormat,
    last: Option<u32>,
    least: usize,
    is_end: bool,
) -> Result<(), PacketError> {
    let mut counts: [Option<(usize, u16)>; MAX_CORES] = [None; MAX_CORES];
    let mut before: Option<EventHeader> = None;
    let (mut at, mut losses) = (0, 0);
    for number in 0..least {
        let rest = bytes.get(at..).unwrap_or_default();
        if number > 0 && StreamHeader::may_begin(rest) {
            return Ok(());
        }
        let event = EventHeader::read(rest, stream.layout);
        let event = event.filter(|event| rest.len() >= event.event_bytes(stream.layout));
        let Some(event) = event else {
            return Err(match is_end {
                true if number >= 2 => return Ok(()),
                true => PacketError::Damaged,
                false if is_implausible_start(rest, stream) => PacketError::Damaged,
                false => PacketError::Incomplete,
            });
        };
        if !is_plausible(&event, stream) {
            return Err(PacketError::Damaged);
        }
        let (core, count) = stream.core_and_count(&event);
        let counted = counts.get_mut(core).ok_or(PacketError::Damaged)?;
        let step = counted.map_or(1, |(_, before)| stream.counts_between(before, count));
        let follows_first = counted.is_some_and(|(number, _)| number == 0);
        *counted = Some((number, count));
        losses += usize::from(step != 1);
        if step == 0 || step > MAX_LOSS || losses > 1 || step != 1 && follows_first {
            return Err(PacketError::Damaged);
        }
        if let (1, Some(last), Some(first)) = (number, last, before) {
            let to_first = stream.counter.ticks(last, first.timestamp);
            let to_second = stream.counter.ticks(last, event.timestamp);
            let is_between = match (to_first, to_second) {
                (Some(to_first), Some(to_second)) => to_first <= to_second,
                (None, Some(_)) => stream.counter.may_go_back(),
                _ => true,
            };
            if !is_between {
                return Err(PacketError::Damaged);
            }
        }
        let ticks = before.map(|it| stream.counter.ticks(it.timestamp, event.timestamp));
        let is_later = ticks.is_none_or(|ticks| match ticks {
            Some(ticks) => ticks <= MAX_TICKS,
            None => stream.counter.may_go_back(),
        });
        if !is_later {
            return Err(PacketError::Damaged);
        }
        before = Some(event);
        at += event.event_bytes(stream.layout);
    }
    Ok(())
}

/// Whether these bytes, which end within an event, cannot begin one.
fn is_implausible_start(bytes: &[u8], stream: &StreamFormat) -> bool {
    let event = EventHeader::read(bytes, stream.layout);
    event.is_some_and(|event| !is_plausible(&event, stream))
}

/// Whether the recorder could have sent an event.
fn is_plausible(event: &EventHeader, stream: &StreamFormat) -> bool {
    let shape = stream.kernel.shape(event.code);
    let (core, _) = stream.core_and_count(event);
    core < stream.cores.max(1) && stream.has_plausible_parameters(shape, event.parameters)
}

/// Whether an event can be the next one after another.
pub(super) fn follows(stream: &StreamFormat, event: &EventHeader, next: &EventHeader) -> bool {
    let (core, count) = stream.core_and_count(event);
    let (next_core, next_count) = stream.core_and_count(next);
    let step = stream.counts_between(count, next_count);
    let ticks = stream.counter.ticks(event.timestamp, next.timestamp);
    // Newer recorders have more codes.
    let is_next = core == next_core && step == 1;
    let shape = stream.kernel.shape(next.code);
    next_core < stream.cores.max(1)
        && (core != next_core || (1..=MAX_LOSS).contains(&step))
        && (is_next || stream.has_plausible_parameters(shape, next.parameters))
        // The next one has its number, and may have a damaged timestamp.
        && (is_next || ticks.is_none_or(|ticks| ticks < stream.counter.modulus / 2))
}
