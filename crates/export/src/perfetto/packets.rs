//! Packets and sequences.

use super::blocks::BlockCompressor;
use super::message::{Message, OpenMessage};
use std::collections::HashMap;
use std::io::{self, Write};

/// `Trace.packet`.
const PACKET: u32 = 1;
/// `TracePacket.clock_snapshot`.
const CLOCK_SNAPSHOT: u32 = 6;
/// `TracePacket.timestamp`.
const TIMESTAMP: u32 = 8;
/// `TracePacket.trusted_packet_sequence_id`.
const SEQUENCE: u32 = 10;
/// `TracePacket.interned_data`.
const INTERNED_DATA: u32 = 12;
/// `TracePacket.sequence_flags`.
const SEQUENCE_FLAGS: u32 = 13;
/// `TracePacket.timestamp_clock_id`, also of `TracePacketDefaults`.
const CLOCK: u32 = 58;
/// `TracePacket.trace_packet_defaults`.
const DEFAULTS: u32 = 59;

/// `BUILTIN_CLOCK_BOOTTIME`: the clock of packets that name none.
const BOOT_TIME: u64 = 6;
/// The first clock id that belongs to a sequence.
const SEQUENCE_CLOCK: u64 = 64;
/// `SEQ_INCREMENTAL_STATE_CLEARED`.
const STATE_CLEARED: u64 = 1;
/// `SEQ_NEEDS_INCREMENTAL_STATE`.
const NEEDS_STATE: u64 = 2;

/// The size of a block of packets that is compressed at once.
const BLOCK_LEN: usize = 256 << 10;

/// Writes packets in compressed blocks.
pub(super) struct PacketWriter<W: Write> {
    blocks: BlockCompressor<W>,
    /// The packets of the next block.
    block: Message,
    /// The number of the last sequence.
    last: u32,
}

/// A sequence of packets with shared interned strings and a clock for incremental
/// timestamps.
pub(super) struct PacketSequence {
    number: u32,
    /// The time of its last packet.
    last_time: u64,
    /// The ids of strings, by kind.
    interned: [HashMap<Box<str>, u64>; 4],
    /// The ids of words of this program, which are found by their addresses.
    words: Vec<(&'static str, InternedKind, u64)>,
}

/// The kinds of interned strings, by field of `InternedData`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum InternedKind {
    /// Categories of slices.
    Category = 1,
    /// Names of slices.
    Name = 2,
    /// Names of arguments.
    Argument = 3,
    /// Values of arguments.
    Value = 29,
}

impl<W: Write> PacketWriter<W> {
    pub(super) fn new(output: W) -> Self {
        Self {
            blocks: BlockCompressor::new(output),
            block: Message::default(),
            last: 0,
        }
    }

    /// Starts a sequence. Its clock starts at 0.
    pub(super) fn sequence(&mut self) -> PacketSequence {
        self.last += 1;
        let sequence = PacketSequence {
            number: self.last,
            last_time: 0,
            interned: Default::default(),
            words: Vec::new(),
        };
        let packet = self.begin(&sequence);
        self.block.number(SEQUENCE_FLAGS, STATE_CLEARED);
        let defaults = self.block.open(DEFAULTS);
        self.block.number(CLOCK, SEQUENCE_CLOCK);
        self.block.close(defaults);
        let snapshot = self.block.open(CLOCK_SNAPSHOT);
        for (clock, counts_steps) in [(BOOT_TIME, 0), (SEQUENCE_CLOCK, 1)] {
            // `ClockSnapshot.clocks`: its number, the time, whether it is incremental.
            let clocks = self.block.open(1);
            self.block.number(1, clock);
            self.block.number(2, 0);
            self.block.number(3, counts_steps);
            self.block.close(clocks);
        }
        // `ClockSnapshot.primary_trace_clock`.
        self.block.number(2, BOOT_TIME);
        self.block.close(snapshot);
        self.block.close(packet);
        sequence
    }

    /// Starts a packet without a timestamp. Returns the message to write to, and
    /// the handle for [`end`](Self::end).
    pub(super) fn begin_untimed(
        &mut self,
        sequence: &PacketSequence,
    ) -> (&mut Message, OpenMessage) {
        let packet = self.begin(sequence);
        (&mut self.block, packet)
    }

    /// Starts a packet with a timestamp in nanoseconds.
    #[inline]
    pub(super) fn begin_at(
        &mut self,
        sequence: &mut PacketSequence,
        time: u64,
    ) -> (&mut Message, OpenMessage) {
        // Perfetto's times are signed.
        let time = time.min(i64::MAX.cast_unsigned());
        let packet = self.begin(sequence);
        self.block.number(SEQUENCE_FLAGS, NEEDS_STATE);
        match time.checked_sub(sequence.last_time) {
            Some(step) => {
                self.block.number(TIMESTAMP, step);
                sequence.last_time = time;
            }
            None => {
                self.block.number(TIMESTAMP, time);
                self.block.number(CLOCK, BOOT_TIME);
            }
        }
        (&mut self.block, packet)
    }

    /// Ends a packet.
    #[inline]
    pub(super) fn end(&mut self, packet: OpenMessage) {
        self.block.close(packet);
    }

    /// Returns the id of a string, which the packets of the sequence may use from
    /// now on.
    pub(super) fn intern(
        &mut self,
        sequence: &mut PacketSequence,
        what: InternedKind,
        text: &str,
    ) -> u64 {
        let [categories, names, arguments, values] = &mut sequence.interned;
        let numbers = match what {
            InternedKind::Category => categories,
            InternedKind::Name => names,
            InternedKind::Argument => arguments,
            InternedKind::Value => values,
        };
        if let Some(number) = numbers.get(text) {
            return *number;
        }
        let number = numbers.len() as u64 + 1;
        numbers.insert(text.into(), number);
        let packet = self.begin(sequence);
        let data = self.block.open(INTERNED_DATA);
        let entry = self.block.open(what as u32);
        self.block.number(1, number);
        self.block.text(2, text);
        self.block.close(entry);
        self.block.close(data);
        self.block.close(packet);
        number
    }

    /// Returns the id of a word of this program.
    pub(super) fn intern_word(
        &mut self,
        sequence: &mut PacketSequence,
        what: InternedKind,
        word: &'static str,
    ) -> u64 {
        let mut known = sequence.words.iter();
        let known = known.find(|(one, kind, _)| std::ptr::eq(*one, word) && *kind == what);
        if let Some((.., number)) = known {
            return *number;
        }
        let number = self.intern(sequence, what, word);
        sequence.words.push((word, what, number));
        number
    }

    /// Flushes the block if it is large enough; call it regularly.
    #[inline]
    pub(super) fn flush_full(&mut self) -> io::Result<()> {
        if self.block.0.len() >= BLOCK_LEN {
            let block = std::mem::take(&mut self.block.0);
            self.block.0 = self.blocks.push(block)?;
        }
        Ok(())
    }

    /// Writes the remaining packets and returns the output.
    pub(super) fn finish(self) -> io::Result<W> {
        self.blocks.finish(&self.block.0)
    }

    #[inline]
    fn begin(&mut self, sequence: &PacketSequence) -> OpenMessage {
        let packet = self.block.open(PACKET);
        self.block.number(SEQUENCE, sequence.number.into());
        packet
    }
}
