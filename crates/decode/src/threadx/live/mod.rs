//! Decodes ThreadX trace buffers that arrive one after the other.
//!
//! ```text
//! bytes ──assembler──▶ buffers ──overlap──▶ new entries ──▶ entry_store ──▶ chunk
//!       └─framer─────▶ packets ──packet_stream──▶ ┘
//! ```
//!
//! The input consists of copies of a buffer from the target's memory, from its
//! control header to the end of its ring: the same ring repeatedly while it is
//! written, or each time that it is full. Or it consists of packets, each with the entries
//! that are new. The first of either decides. Bytes between them are skipped.

mod assembler;
mod chunk;
mod clock_tracker;
mod common_layout;
mod core_bits_detector;
mod entry_gaps;
mod entry_store;
mod gap_times;
mod object_names;
mod overlap;
mod packet_stream;
mod registry_mirror;
mod snapshot;
mod stitcher;

use super::{FORMAT, ThreadXOptions, packet};
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
    assembler: BufferAssembler,
    packets: PacketDetection,
    stitcher: BufferStitcher,
    /// Unusable complete buffers and packets, and their bytes.
    unusable: u64,
    unusable_bytes: u64,
}

/// Whether the target sends packets.
enum PacketDetection {
    /// Neither has arrived.
    Undecided {
        /// The last bytes, which may be the start of a packet's signature.
        held: Vec<u8>,
        /// The offset of the next byte.
        offset: u64,
        /// Objects from the metadata of a recording.
        stream: PacketStream,
    },
    /// It sends buffers.
    Buffers,
    Packets(ContainerFramer<PacketHeader>, PacketStream),
}

impl ThreadXLiveDecoder {
    /// Creates a decoder; `offset` unusable bytes precede it.
    pub(crate) fn new(options: &ThreadXOptions, offset: u64) -> Self {
        let packets = PacketDetection::Undecided {
            held: Vec::new(),
            offset,
            stream: PacketStream::default(),
        };
        Self::from_parts(packets, BufferStitcher::new(options), offset)
    }

    /// Resumes a recording at a checkpoint.
    pub(crate) fn resume(options: &ThreadXOptions, point: &ResumePoint) -> Self {
        let Some(state) = point.state.downcast_ref::<ThreadXResumeState>() else {
            return Self::new(options, point.offset);
        };
        let stitcher =
            BufferStitcher::resume(options, point.event, &state.clock, state.start_is_lost);
        let packets = match &state.packets {
            Some(stream) => {
                PacketDetection::Packets(ContainerFramer::new(point.offset), stream.clone())
            }
            None => PacketDetection::Buffers,
        };
        let mut decoder = Self::from_parts(packets, stitcher, point.offset);
        if let PacketDetection::Packets(_, stream) = &mut decoder.packets {
            stream.resume(&mut decoder.stitcher);
        }
        decoder
    }

    fn from_parts(packets: PacketDetection, stitcher: BufferStitcher, offset: u64) -> Self {
        Self {
            assembler: BufferAssembler::new(offset),
            packets,
            stitcher,
            unusable: 0,
            unusable_bytes: 0,
        }
    }

    /// Adds bytes until the first buffer or packet decides what the target sends.
    fn push_undecided(&mut self, bytes: &[u8], at: HostTime) {
        let PacketDetection::Undecided {
            held,
            offset,
            stream,
        } = &mut self.packets
        else {
            return;
        };
        let mut before = std::mem::take(held);
        let start = *offset - before.len() as u64;
        before.extend_from_slice(bytes);
        *offset += bytes.len() as u64;
        let first = packet::find(&before);
        let end = first
            .unwrap_or_else(|| before.len() - sections::partial_signature::<PacketHeader>(&before));
        let rest = before.split_off(end);
        let stream = std::mem::take(stream);
        self.push_buffers(&before, at);
        if self.assembler.has_header() {
            self.packets = PacketDetection::Buffers;
            self.push_buffers(&rest, at);
        } else if first.is_some() {
            self.assembler.discard_partial();
            let mut framer = ContainerFramer::new(start + end as u64);
            framer.push(&rest);
            self.packets = PacketDetection::Packets(framer, stream);
        } else if let PacketDetection::Undecided {
            held,
            stream: objects,
            ..
        } = &mut self.packets
        {
            *held = rest;
            *objects = stream;
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

    fn read_packets(&mut self, at: HostTime) {
        if let PacketDetection::Packets(framer, stream) = &mut self.packets {
            while let Some(whole) = framer.next() {
                if !stream.push(&whole, &mut self.stitcher, at) {
                    self.unusable += 1;
                    self.unusable_bytes += whole.bytes.len() as u64;
                }
            }
            stream.finish(&mut self.stitcher);
        }
    }
}

impl live::FormatDecoder for ThreadXLiveDecoder {
    fn push(&mut self, bytes: &[u8], at: HostTime) {
        match &mut self.packets {
            PacketDetection::Buffers => self.push_buffers(bytes, at),
            PacketDetection::Packets(framer, _) => framer.push(bytes),
            PacketDetection::Undecided { .. } => self.push_undecided(bytes, at),
        }
        self.read_packets(at);
    }

    fn connection_lost(&mut self) {
        match &mut self.packets {
            PacketDetection::Packets(framer, _) => framer.discard_partial(),
            PacketDetection::Undecided { held, .. } => {
                let held = std::mem::take(held);
                self.assembler.push(&held);
            }
            PacketDetection::Buffers => {}
        }
        self.assembler.discard_partial();
        self.stitcher.accept_doubtful();
    }

    fn event_range(&self) -> Range<u64> {
        self.stitcher.entries.entry_range()
    }

    fn discard_before(&mut self, before: u64) {
        self.stitcher.discard_before(before);
    }

    fn chunk(&self, numbers: Range<u64>) -> Box<dyn live::EventChunk> {
        Box::new(self.stitcher.chunk(&numbers))
    }

    fn stats(&self) -> LiveStats {
        let (damaged, damaged_bytes) = match &self.packets {
            PacketDetection::Packets(framer, _) => (framer.damaged, framer.damaged_bytes),
            _ => (0, 0),
        };
        LiveStats {
            events: self.event_range().end,
            missing_events: self.stitcher.missing_entries,
            gaps: self.stitcher.gaps,
            unusable: self.assembler.damaged + self.unusable + damaged,
            truncated: self.assembler.truncated,
            unusable_bytes: self.assembler.lost_bytes + self.unusable_bytes + damaged_bytes,
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
                packets: match &self.packets {
                    PacketDetection::Packets(_, stream) => Some(stream.clone()),
                    _ => None,
                },
            }),
        })
    }

    fn set_clock(&mut self, clock: &Clock) {
        self.stitcher.clock.set_direction(clock.direction);
    }

    fn metadata(&self) -> Vec<u8> {
        match &self.packets {
            PacketDetection::Packets(_, stream) => stream.metadata(),
            _ => Vec::new(),
        }
    }

    fn load_metadata(&mut self, preface: &[u8]) {
        if let PacketDetection::Undecided { stream, .. } | PacketDetection::Packets(_, stream) =
            &mut self.packets
        {
            stream.load_objects(preface, &mut self.stitcher);
        }
    }
}
