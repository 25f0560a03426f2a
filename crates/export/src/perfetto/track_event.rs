//! Track events: slices, instants and counter values.

use super::message::{Message, OpenMessage};
use super::packets::{PacketSequence, PacketWriter};
use super::track_writer::TrackId;
use std::borrow::Cow;
use std::io::Write;

/// `TracePacket.track_event`.
const TRACK_EVENT: u32 = 11;

/// Fields of `TrackEvent`.
mod event {
    pub(super) const CATEGORY: u32 = 3;
    pub(super) const ARGUMENT: u32 = 4;
    pub(super) const TYPE: u32 = 9;
    pub(super) const NAME: u32 = 10;
    pub(super) const TRACK: u32 = 11;
    pub(super) const COUNT: u32 = 30;
    pub(super) const FRACTION: u32 = 44;
    pub(super) const FLOW: u32 = 47;
    pub(super) const LAST_OF_FLOW: u32 = 48;
}

/// Fields of `DebugAnnotation`.
mod argument {
    pub(super) const NAME: u32 = 1;
    pub(super) const NUMBER: u32 = 3;
    pub(super) const SIGNED: u32 = 4;
    pub(super) const TEXT: u32 = 6;
    pub(super) const POINTER: u32 = 7;
    pub(super) const INTERNED: u32 = 17;
}

/// `TrackEvent.Type`.
#[derive(Debug, Clone, Copy)]
pub(super) enum TrackEventType {
    Begin = 1,
    End = 2,
    Instant = 3,
    Counter = 4,
}

/// The value of an argument.
pub(super) enum ArgumentValue<'t> {
    Number(u64),
    Signed(i64),
    /// A number that is displayed in hexadecimal.
    Pointer(u64),
    Interned(u64),
    Text(Cow<'t, str>),
}

/// A packet with a track event. Strings are given by their interned ids.
#[must_use]
pub(super) struct TrackEvent<'p> {
    message: &'p mut Message,
    packet: OpenMessage,
    event: OpenMessage,
}

impl<'p> TrackEvent<'p> {
    #[inline]
    pub(super) fn new<W: Write>(
        packets: &'p mut PacketWriter<W>,
        sequence: &mut PacketSequence,
        time: u64,
        kind: TrackEventType,
        track: TrackId,
    ) -> Self {
        let (message, packet) = packets.begin_at(sequence, time);
        let event = message.open(TRACK_EVENT);
        message.number(event::TYPE, kind as u64);
        message.number(event::TRACK, track.0);
        Self {
            message,
            packet,
            event,
        }
    }

    #[inline]
    pub(super) fn category(&mut self, category: u64) {
        self.message.number(event::CATEGORY, category);
    }

    #[inline]
    pub(super) fn name(&mut self, name: u64) {
        self.message.number(event::NAME, name);
    }

    /// Starts or continues the flow with this id.
    #[inline]
    pub(super) fn flow(&mut self, number: u64) {
        self.message.fixed(event::FLOW, number);
    }

    /// Ends the flow with this id.
    #[inline]
    pub(super) fn terminating_flow(&mut self, number: u64) {
        self.message.fixed(event::LAST_OF_FLOW, number);
    }

    /// Sets a counter's value. Unknown is NaN, which SQL shows as NULL.
    #[inline]
    pub(super) fn value(&mut self, value: Option<u32>) {
        match value {
            Some(value) => self.message.number(event::COUNT, value.into()),
            None => self.message.double(event::FRACTION, f64::NAN),
        }
    }

    #[inline]
    fn argument(&mut self, name: u64, value: &ArgumentValue<'_>) {
        let message = &mut *self.message;
        let opened = message.open(event::ARGUMENT);
        message.number(argument::NAME, name);
        match value {
            ArgumentValue::Number(number) => message.number(argument::NUMBER, *number),
            ArgumentValue::Signed(number) => message.signed(argument::SIGNED, *number),
            ArgumentValue::Pointer(number) => message.number(argument::POINTER, *number),
            ArgumentValue::Interned(text) => message.number(argument::INTERNED, *text),
            ArgumentValue::Text(text) => message.text(argument::TEXT, text),
        }
        message.close(opened);
    }

    /// Writes the arguments and clears them.
    #[inline]
    pub(super) fn arguments(&mut self, all: &mut Vec<(u64, ArgumentValue<'static>)>) {
        for (argument, value) in all.drain(..) {
            self.argument(argument, &value);
        }
    }

    #[inline]
    pub(super) fn end(self) {
        self.message.close(self.event);
        self.message.close(self.packet);
    }
}
