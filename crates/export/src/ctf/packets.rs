//! The packets of a core's stream.

use super::digest::TraceDigest;
use super::trace_folder;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

/// The TSDL declaration of the packet header; [`CoreStream::close`] writes the
/// header.
pub(super) const PACKET_HEADER: &str =
    "\tpacket.header := struct { uint32_t magic; uint32_t stream_id; };\n";

/// The TSDL declaration of the packet context, which follows the header.
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

/// The size of header and context in bytes.
const HEADER_LEN: usize = 2 * 4 + 5 * 8 + 4;

/// The magic number of packets, from the specification.
const PACKET_MAGIC: u32 = 0xC1FC_1FC1;

/// A packet of this size is written.
const MAX_PACKET_LEN: usize = 128 << 10;

/// A stream: a file of packets. Only the last packet is in memory.
#[derive(Debug)]
pub(super) struct CoreStream {
    file: File,
    core: u8,
    /// The current packet: space for its header, then events. Empty if there is no
    /// packet.
    packet: Vec<u8>,
    begin: u64,
    end: u64,
    /// Whether a packet has been written.
    has_packets: bool,
    /// Missing events up to the end of the packet.
    discarded: u64,
    digest: TraceDigest,
}

impl CoreStream {
    /// Creates a core's stream in a folder, for a trace that starts at `begin`.
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

    /// Starts an event and returns the buffer for its contexts and fields. Times
    /// must not decrease.
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

    /// Records that events are missing from a time to the next event: `missing`, or
    /// an unknown number.
    pub(super) fn add_lost_events(&mut self, missing: u64, since: u64) -> io::Result<()> {
        let is_behind_gap = self.packet.len() == HEADER_LEN;
        if !is_behind_gap {
            // Readers assume that the events are missing since the end of the
            // previous packet, so there must be one, possibly empty.
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

    /// The time of the last event or of the start of a later gap; before the first
    /// event, the start of the trace.
    pub(super) fn time(&self) -> u64 {
        self.end
    }

    /// Starts a packet, if none is open.
    #[inline]
    fn open(&mut self, begin: u64) {
        if self.packet.is_empty() {
            self.packet.resize(HEADER_LEN, 0);
            self.begin = begin;
        }
    }

    /// Ends and writes the packet, if one is open.
    pub(super) fn close(&mut self) -> io::Result<()> {
        if self.packet.is_empty() {
            return Ok(());
        }
        let bits = self.packet.len() as u64 * 8;
        let mut head = Vec::with_capacity(HEADER_LEN);
        // The id of the only stream class.
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

/// The streams of a trace, created at the first event of their core.
#[derive(Debug)]
pub(super) struct CoreStreams<'f> {
    folder: &'f Path,
    begin: u64,
    /// The streams, by core number.
    all: Vec<Option<CoreStream>>,
}

impl<'f> CoreStreams<'f> {
    /// Creates the streams of a trace that starts at `begin`.
    pub(super) fn new(folder: &'f Path, begin: u64) -> Self {
        Self {
            folder,
            begin,
            all: Vec::new(),
        }
    }

    /// The stream of a core.
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

    /// Ends all packets. Returns the digest of all streams.
    pub(super) fn close(&mut self) -> io::Result<TraceDigest> {
        let mut digest = TraceDigest::new();
        for stream in self.all.iter_mut().flatten() {
            stream.close()?;
            digest.update(&stream.digest.to_bytes());
        }
        Ok(digest)
    }
}
