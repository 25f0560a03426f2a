//! Decodes ThreadX trace buffers that arrive one after the other.
//!
//! ```text
//! bytes ──assembler──▶ buffers ──checked_ring, overlap──▶ new entries ──▶ store ──▶ chunk
//!       └─framer─────▶ packets ──packet_stream───────────▶ ┘
//! ```
//!
//! The input consists of copies of a buffer from the target's memory, from its
//! control header to the end of its ring: the same ring repeatedly while it is
//! written, or each time that it is full. Or it consists of packets, each with the entries
//! that are new. The first of either decides. Bytes between them are skipped.

mod assembler;
mod checked_ring;
mod chunk;
mod clock_tracker;
mod common_layout;
mod core_bits_detector;
mod object_names;
mod overlap;
mod packet_stream;
mod registry_mirror;
mod snapshot;
mod stitcher;

use super::{FORMAT, ThreadXOptions, packet};
use crate::DecodeOptions;
use crate::live::{self, HostTime, LiveStats, ResumePoint};
use crate::sections::{self, ContainerFramer};
use assembler::BufferAssembler;
use clock_tracker::ClockTracker;
use packet_stream::PacketStream;
use rtoscope_trace::Clock;
use rtoscope_wire::threadx::PacketHeader;
use std::ops::Range;
use std::sync::Arc;
use stitcher::BufferStitcher;

/// The state for resuming a recording.
#[derive(Debug, Clone)]
struct ThreadXResumeState {
    clock: ClockTracker,
    start_is_lost: bool,
    packets: Option<PacketStream>,
}

/// Decodes ThreadX traces live.
pub(crate) struct ThreadXLiveDecoder {
    transmission: Transmission,
    /// The last bytes of an undecided target, which may be the start of a packet's
    /// signature.
    held: Vec<u8>,
    assembler: BufferAssembler,
    framer: ContainerFramer<PacketHeader>,
    packets: PacketStream,
    stitcher: BufferStitcher,
    /// Unusable complete buffers and packets, and their bytes.
    unusable: u64,
    unusable_bytes: u64,
}

/// What the target sends.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Transmission {
    /// Nothing has arrived.
    Undecided,
    Buffers,
    Packets,
}

impl ThreadXLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &ThreadXOptions, offset: u64) -> Self {
        Self {
            transmission: Transmission::Undecided,
            held: Vec::new(),
            assembler: BufferAssembler::new(offset),
            framer: ContainerFramer::new(offset),
            packets: PacketStream::default(),
            stitcher: BufferStitcher::new(options),
            unusable: 0,
            unusable_bytes: 0,
        }
    }

    /// Adds bytes until the first buffer or packet decides what the target sends.
    fn push_undecided(&mut self, bytes: &[u8], at: HostTime) {
        let mut before = std::mem::take(&mut self.held);
        before.extend_from_slice(bytes);
        let first = packet::find(&before);
        let end = first
            .unwrap_or_else(|| before.len() - sections::partial_signature::<PacketHeader>(&before));
        let rest = before.split_off(end);
        self.push_buffers(&before, at);
        if self.assembler.has_header() {
            self.transmission = Transmission::Buffers;
            self.push_buffers(&rest, at);
        } else if first.is_some() {
            self.transmission = Transmission::Packets;
            self.assembler.discard_partial();
            self.framer = ContainerFramer::new(self.assembler.end());
            self.push_packets(&rest, at);
        } else {
            self.held = rest;
        }
    }

    fn push_buffers(&mut self, bytes: &[u8], at: HostTime) {
        self.assembler.push(bytes);
        while let Some(whole) = self.assembler.next() {
            let size = whole.bytes.len() - whole.doubtful_bytes;
            if !self.stitcher.push_buffer(whole, at) {
                self.unusable += 1;
                self.unusable_bytes += size as u64;
            }
        }
    }

    fn push_packets(&mut self, bytes: &[u8], at: HostTime) {
        self.framer.push(bytes);
        while let Some(whole) = self.framer.next() {
            if !self.packets.push(&whole, &mut self.stitcher, at) {
                self.unusable += 1;
                self.unusable_bytes += whole.bytes.len() as u64;
            }
        }
        self.packets.finish(&mut self.stitcher);
    }
}

impl live::ResumeState for ThreadXResumeState {
    fn resume(&self, options: &DecodeOptions, point: &ResumePoint) -> Box<dyn live::FormatDecoder> {
        let options = &options.threadx;
        let mut decoder = ThreadXLiveDecoder::new(options, point.offset);
        decoder.stitcher =
            BufferStitcher::resume(options, point.event, &self.clock, self.start_is_lost);
        decoder.transmission = Transmission::Buffers;
        if let Some(packets) = &self.packets {
            decoder.transmission = Transmission::Packets;
            decoder.packets = packets.clone();
            decoder.packets.resume(&mut decoder.stitcher);
        }
        Box::new(decoder)
    }
}

impl live::FormatDecoder for ThreadXLiveDecoder {
    fn push(&mut self, bytes: &[u8], at: HostTime) {
        match self.transmission {
            Transmission::Undecided => self.push_undecided(bytes, at),
            Transmission::Buffers => self.push_buffers(bytes, at),
            Transmission::Packets => self.push_packets(bytes, at),
        }
    }

    fn connection_lost(&mut self) {
        self.framer.discard_partial();
        self.assembler.push(&std::mem::take(&mut self.held));
        self.assembler.discard_partial();
        self.stitcher.accept_doubtful();
    }

    fn event_range(&self) -> Range<u64> {
        self.stitcher.entries.event_range()
    }

    fn discard_before(&mut self, before: u64) {
        self.stitcher.discard_before(before);
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        Box::new(self.stitcher.chunk(&numbers))
    }

    fn stats(&self) -> LiveStats {
        LiveStats {
            events: self.event_range().end,
            missing_events: self.stitcher.missing_entries,
            gaps: self.stitcher.gaps,
            unusable: self.assembler.damaged + self.framer.damaged + self.unusable,
            truncated: self.assembler.truncated,
            unusable_bytes: self.assembler.lost_bytes
                + self.framer.damaged_bytes
                + self.unusable_bytes,
        }
    }

    fn resume_point(&self) -> Option<ResumePoint> {
        let numbers = self.event_range();
        (!numbers.is_empty()).then(|| ResumePoint {
            offset: self.stitcher.newest_offset,
            event: numbers.end - 1,
            format: FORMAT,
            state: Arc::new(ThreadXResumeState {
                clock: self.stitcher.clock.clone(),
                start_is_lost: self.stitcher.start_is_lost,
                packets: (self.transmission == Transmission::Packets).then(|| self.packets.clone()),
            }),
        })
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.stitcher.clock.set_direction(clock.direction);
    }

    fn metadata(&self) -> Vec<u8> {
        match self.transmission {
            Transmission::Packets => self.packets.metadata(),
            _ => Vec::new(),
        }
    }

    fn load_metadata(&mut self, preface: &[u8]) {
        if self.transmission != Transmission::Buffers {
            self.packets.load_objects(preface, &mut self.stitcher);
        }
    }
}
