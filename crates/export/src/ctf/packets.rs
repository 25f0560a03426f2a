//! The packets of a core's stream.

use super::digest::TraceDigest;
use super::trace_folder;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// What stands before the events of a packet; [`CoreStream::close`] writes it.
pub(super) const PACKET_HEADER: &str =
    "\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n";

/// What stands between that and the events.
pub(super) const PACKET_CONTEXT: &str = "\
\tpacket.context := struct {
		clock_t timestamp_begin;
		clock_t timestamp_end;
		uint64_t content_size;
		uint64_t packet_size;
		uint64_t events_discarded;
		uint32_t cpu_id;
	};
	event.header := struct { uint32_t id; clock_t timestamp; };
";

/// The size of both, in bytes.
const HEADER_LEN: usize = 2 * 4 + 5 * 8 + 4;

/// What every packet begins with, by the format's specification.
const PACKET_MAGIC: u32 = 0xC1FC_1FC1;

/// A packet that has as many bytes is written.
const MAX_PACKET_LEN: usize = 128 << 10;

/// A stream: a file of packets. Of the packets only the last is in memory.
#[derive(Debug)]
pub(super) struct CoreStream {
    file: File,
    core: u8,
    /// The packet: room for its head, then events. Empty if there is none.
    packet: Vec<u8>,
    begin: u64,
    end: u64,
    /// Whether there was a packet before.
    has_packets: bool,
    /// Events that are missing up to the packet's end.
    discarded: u64,
    digest: TraceDigest,
}

impl CoreStream {
    /// A core's stream in a folder, of a trace that begins at a time.
    fn create(folder: &Path, core: u8, begin: u64) -> io::Result<Self> {
        Ok(Self {
            file: File::create(folder.join(trace_folder::stream_file(core)))?,
            core,
            packet: Vec::new(),
            begin,
            end: begin,
            has_packets: false,
            discarded: 0,
            digest: TraceDigest::new(),
        })
    }

    /// Begins an event, and says where to write its contexts and fields. Times
    /// never fall.
    #[inline]
    pub(super) fn begin_event(&mut self, class: u32, time: u64) -> &mut Vec<u8> {
        self.open(time);
        self.end = time;
        self.packet.extend_from_slice(&class.to_le_bytes());
        self.packet.extend_from_slice(&time.to_le_bytes());
        &mut self.packet
    }

    /// Ends an event.
    #[inline]
    pub(super) fn end_event(&mut self) -> io::Result<()> {
        if self.packet.len() < MAX_PACKET_LEN {
            return Ok(());
        }
        self.close()
    }

    /// Events are missing since a time and before the next one, `missing` as far
    /// as that is known.
    pub(super) fn add_lost_events(&mut self, missing: u64, since: u64) -> io::Result<()> {
        let is_behind_gap = self.packet.len() == HEADER_LEN;
        if !is_behind_gap {
            // To readers they are missing since the packet before has ended; so
            // there must be one, be it empty.
            if !self.has_packets || since > self.end {
                self.open(self.end);
                self.end = self.end.max(since);
            }
            self.close()?;
            self.open(self.end);
        }
        self.discarded = self.discarded.saturating_add(missing);
        Ok(())
    }

    /// The time of the last event or, behind it, of a gap's beginning; that of the
    /// trace's beginning before the first.
    pub(super) fn time(&self) -> u64 {
        self.end
    }

    /// Begins a packet, if there is none.
    #[inline]
    fn open(&mut self, begin: u64) {
        if self.packet.is_empty() {
            self.packet.resize(HEADER_LEN, 0);
            self.begin = begin;
        }
    }

    /// Ends the packet, if there is one, and writes it.
    pub(super) fn close(&mut self) -> io::Result<()> {
        if self.packet.is_empty() {
            return Ok(());
        }
        let bits = self.packet.len() as u64 * 8;
        let mut head = Vec::with_capacity(HEADER_LEN);
        // The stream's class, of which there is one.
        head.extend([PACKET_MAGIC, 0].iter().flat_map(|word| word.to_le_bytes()));
        let numbers = [self.begin, self.end, bits, bits, self.discarded];
        head.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
        head.extend(u32::from(self.core).to_le_bytes());
        if let Some(place) = self.packet.first_chunk_mut::<HEADER_LEN>() {
            place.copy_from_slice(&head);
        }
        self.file.write_all(&self.packet)?;
        self.digest.update(&self.packet);
        self.packet.clear();
        self.has_packets = true;
        Ok(())
    }
}

/// The streams of a trace, made when their core has its first event.
#[derive(Debug)]
pub(super) struct CoreStreams<'f> {
    folder: &'f Path,
    begin: u64,
    /// By the core's number.
    all: Vec<Option<CoreStream>>,
}

impl<'f> CoreStreams<'f> {
    /// Of a trace that begins at a time.
    pub(super) fn new(folder: &'f Path, begin: u64) -> Self {
        Self {
            folder,
            begin,
            all: Vec::new(),
        }
    }

    /// A core's stream.
    #[inline]
    pub(super) fn stream(&mut self, core: u8) -> io::Result<&mut CoreStream> {
        let place = usize::from(core);
        if self.all.len() <= place {
            self.all.resize_with(place + 1, || None);
        }
        let slot = &mut self.all[place];
        match slot {
            Some(stream) => Ok(stream),
            None => Ok(slot.insert(CoreStream::create(self.folder, core, self.begin)?)),
        }
    }

    /// Ends all packets. The digest is that of all streams.
    pub(super) fn close(&mut self) -> io::Result<TraceDigest> {
        let mut digest = TraceDigest::new();
        for stream in self.all.iter_mut().flatten() {
            stream.close()?;
            digest.update(&stream.digest.to_bytes());
        }
        Ok(digest)
    }
}
