//! A stream: packets of events of one core.

use super::bit_reader::BitReader;
use super::layout::{EventField, StreamLayout, TraceLayout};
use super::record::{ReadError, RecordReader, RoleValues, SizedNumber};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::printable::Printable;
use rtoscope_trace::{Diagnostic, DiagnosticKind};

/// Reads the events of a stream in order.
#[derive(Debug)]
pub(super) struct StreamReader<'b> {
    name: &'b str,
    bytes: &'b [u8],
    /// The packets that are not read yet, in the order of their numbers.
    packets: std::vec::IntoIter<PacketStart>,
    /// The layout of the current packet's stream.
    pub(super) layout: usize,
    /// The offset of the current packet.
    offset: usize,
    bits: BitReader<'b>,
    pub(super) record: RecordReader<'b>,
    pub(super) core: Option<u64>,
    clock: u64,
    /// The event whose header is read: its number in the layout.
    event: Option<usize>,
    /// Where its header begins.
    event_start: u64,
    /// What is missing before the next event.
    pub(super) losses: Vec<Loss>,
    /// Number of bits of the contents of the events so far.
    pub(super) event_bits: u64,
    last_discarded: Option<u64>,
    last_packet: Option<SizedNumber>,
    /// Whether a packet has the UUID of another trace.
    has_other_uuid: bool,
    pub(super) problems: StreamProblems,
}

/// A packet of a stream.
#[derive(Debug, Clone, Copy)]
struct PacketStart {
    offset: usize,
    number: Option<u64>,
}

/// Events that are missing before the next one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Loss {
    /// The recorder's buffer was full.
    Discarded(u64),
    /// Packets are missing; their events cannot be counted.
    Packets,
    /// The offset and the number of bytes that cannot be read.
    Damage(u64, u64),
}

/// What is wrong with a stream.
#[derive(Debug, Default)]
pub(super) struct StreamProblems {
    pub(super) diagnostics: Vec<Diagnostic>,
    /// Number of problems that are not described.
    pub(super) more: u64,
    pub(super) packets: u64,
    pub(super) missing_packets: u64,
    pub(super) discarded: u64,
}

/// Maximum number of problems of a stream to describe one by one.
const MAX_DESCRIBED: usize = 10;

/// The magic number of packets.
const MAGIC: u32 = 0xC1FC_1FC1;

/// Whether bytes begin as packets do that have a magic number.
pub(super) fn is_packet(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC.to_le_bytes()) || bytes.starts_with(&MAGIC.to_be_bytes())
}

impl<'b> StreamReader<'b> {
    pub(super) fn new(name: &'b str, bytes: &'b [u8], layout: &TraceLayout) -> Self {
        let mut reader = Self {
            name,
            bytes,
            packets: Vec::new().into_iter(),
            layout: 0,
            offset: 0,
            bits: BitReader::new(&[]),
            record: RecordReader::new(layout.leaves),
            core: None,
            clock: 0,
            event: None,
            event_start: 0,
            losses: Vec::new(),
            event_bits: 0,
            last_discarded: None,
            last_packet: None,
            has_other_uuid: false,
            problems: StreamProblems::default(),
        };
        reader.packets = reader.find_packets(layout).into_iter();
        reader
    }

    #[cold]
    fn problem(&mut self, kind: DiagnosticKind, offset: u64, problem: &str) {
        if self.problems.diagnostics.len() >= MAX_DESCRIBED {
            self.problems.more += 1;
            return;
        }
        let name = Printable::text(self.name);
        let message = format!("stream `{name}`, offset {offset:#x}: {problem}");
        let diagnostic = Diagnostic::new(kind, message).at_offset(offset);
        self.problems.diagnostics.push(diagnostic);
    }

    /// The starts of all packets. A ring of packets begins with the oldest one.
    fn find_packets(&mut self, layout: &TraceLayout) -> Vec<PacketStart> {
        let mut packets = Vec::new();
        let mut offset = 0;
        while offset < self.bytes.len() {
            let Some((_, header, _)) = self.read_packet(layout, offset) else {
                break;
            };
            let length = self.packet_length(offset, &header);
            let number = header.packet_number.map(|(number, _)| number);
            // A slot of a ring that was never used.
            if !(number == Some(0) && header.content_size == Some(0)) {
                packets.push(PacketStart { offset, number });
            }
            if length == 0 {
                break;
            }
            offset += length;
        }
        let is_ring = packets.is_sorted_by_key(|packet| packet.number);
        if !is_ring {
            let oldest = packets.windows(2).position(|pair| match pair {
                [one, next] => one.number > next.number,
                _ => false,
            });
            packets.rotate_left(oldest.map_or(0, |before| before + 1));
        }
        packets
    }

    /// Reads the header and the context of a packet: its stream, what they say, and their end.
    fn read_packet(
        &mut self,
        layout: &TraceLayout,
        offset: usize,
    ) -> Option<(usize, RoleValues, u64)> {
        let bytes = self.bytes.get(offset..).unwrap_or_default();
        let mut bits = BitReader::new(bytes);
        self.record.roles = RoleValues::default();
        let at = offset as u64;
        let header = layout.packet_header.as_ref();
        if header.is_some_and(|node| self.record.read(node, &mut bits).is_err()) {
            let left = pluralise(bytes.len() as u64, "byte is", "bytes are");
            self.problem(
                DiagnosticKind::Truncated,
                at,
                &format!("{left} no packet header"),
            );
            return None;
        }
        if let Some(magic) = self
            .record
            .roles
            .magic
            .filter(|magic| *magic != u64::from(MAGIC))
        {
            // Padding at the end of a file.
            if bytes.iter().any(|byte| *byte != 0) {
                let problem = format!("no packet: its magic number is {magic:#x}, not {MAGIC:#x}");
                self.problem(DiagnosticKind::BadFrame, at, &problem);
            }
            return None;
        }
        if let (Some(found), Some(wanted)) = (self.record.roles.uuid, layout.uuid)
            && found != wanted
            && !std::mem::replace(&mut self.has_other_uuid, true)
        {
            let problem = "the packet has the UUID of another trace: its metadata may be wrong";
            self.problem(DiagnosticKind::BadFrame, at, problem);
        }
        let wanted = self.record.roles.stream_id;
        let found = match wanted {
            Some(id) => layout.streams.iter().position(|stream| stream.id == id),
            None => Some(0),
        };
        let Some((number, stream)) = found.and_then(|it| Some((it, layout.streams.get(it)?)))
        else {
            let problem = format!("the metadata have no stream {}", wanted.unwrap_or(0));
            self.problem(DiagnosticKind::BadFrame, at, &problem);
            return None;
        };
        let context = stream.packet_context.as_ref();
        if context.is_some_and(|node| self.record.read(node, &mut bits).is_err()) {
            let problem = "the file ends within the context of a packet";
            self.problem(DiagnosticKind::Truncated, at, problem);
            return None;
        }
        Some((number, self.record.roles, bits.position()))
    }

    /// The length of a packet in bytes, within the file.
    fn packet_length(&mut self, offset: usize, header: &RoleValues) -> usize {
        let left = self.bytes.len() - offset;
        let Some(bits) = header.packet_size.or(header.content_size) else {
            return left;
        };
        let length = usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX);
        if length > left {
            let bytes = pluralise(left as u64, "byte is", "bytes are");
            let problem = format!("a packet has {length} bytes, but {bytes} left in the file");
            self.problem(DiagnosticKind::Truncated, offset as u64, &problem);
            return left;
        }
        if length == 0 {
            let problem = "a packet has the size 0: the rest of the file is not read";
            self.problem(DiagnosticKind::BadFrame, offset as u64, problem);
        }
        length
    }

    /// Starts the next packet. `None` at the end of the stream.
    fn next_packet(&mut self, layout: &TraceLayout) -> Option<()> {
        let PacketStart { offset, .. } = self.packets.next()?;
        // Its problems are reported already.
        let problems = std::mem::take(&mut self.problems);
        let found = self.read_packet(layout, offset);
        let length = found.map(|(_, header, _)| self.packet_length(offset, &header));
        self.problems = problems;
        let ((number, header, start), length) = found.zip(length)?;
        self.problems.packets += 1;
        self.layout = number;
        self.offset = offset;
        self.core = header.core.or(self.core);
        let bytes = self.bytes.get(offset..offset + length).unwrap_or_default();
        self.bits = BitReader::new(bytes);
        self.bits.seek(start);
        if let Some(content) = header.content_size {
            if content > length as u64 * 8 && header.packet_size.is_some_and(|it| content > it) {
                let problem = format!("a packet of {length} bytes has {content} bits of content");
                self.problem(DiagnosticKind::BadFrame, offset as u64, &problem);
            }
            self.bits.set_end(content.max(start));
        }
        self.count_losses(&header);
        if let Some(begin) = header.timestamp {
            self.clock = advance(self.clock, begin);
        }
        Some(())
    }

    fn count_losses(&mut self, header: &RoleValues) {
        if let Some((number, bits)) = header.packet_number {
            let missing = self.last_packet.map(|(last, _)| {
                number.wrapping_sub(last).wrapping_sub(1) & u64::MAX >> (64 - u32::from(bits))
            });
            if let Some(missing) = missing.filter(|missing| *missing > 0) {
                self.problems.missing_packets += missing;
                self.losses.push(Loss::Packets);
            }
            self.last_packet = header.packet_number;
        }
        if let Some((discarded, bits)) = header.discarded {
            let since = match self.last_discarded {
                Some(last) => discarded.wrapping_sub(last) & u64::MAX >> (64 - u32::from(bits)),
                None => discarded,
            };
            if since > 0 {
                self.problems.discarded = self.problems.discarded.saturating_add(since);
                self.losses.push(Loss::Discarded(since));
            }
            self.last_discarded = Some(discarded);
        }
    }

    /// Reads the header of the next event, and returns its time: clock value of the stream.
    pub(super) fn next_time(&mut self, layout: &TraceLayout) -> Option<u64> {
        loop {
            let stream = layout.streams.get(self.layout)?;
            if self.bits.left() == 0 || self.problems.packets == 0 {
                self.next_packet(layout)?;
                continue;
            }
            let start = self.bits.position();
            self.event_start = start;
            match self.read_header(stream) {
                Ok(Some(event)) => {
                    self.event = Some(event);
                    return Some(self.clock);
                }
                Ok(None) => {
                    let id = self.record.roles.event_id.unwrap_or(0);
                    self.skip_packet(start, &format!("the metadata have no event {id}"));
                }
                Err(error) => self.cut(start, error),
            }
        }
    }

    fn read_header(&mut self, stream: &StreamLayout) -> Result<Option<usize>, ReadError> {
        (self.record.roles.event_id, self.record.roles.timestamp) = (None, None);
        if let Some(node) = &stream.event_header {
            self.record.read(node, &mut self.bits)?;
        }
        let id = self.record.roles.event_id.unwrap_or(0);
        let event = stream.event(id);
        if event.is_some()
            && let Some(time) = self.record.roles.timestamp
        {
            self.clock = advance(self.clock, time);
        }
        Ok(event)
    }

    /// Reads the values of the event whose header is read; `None` if they cannot be read.
    pub(super) fn read_event<'l>(
        &mut self,
        layout: &'l TraceLayout,
    ) -> Option<(usize, &'l [EventField])> {
        let stream = layout.streams.get(self.layout)?;
        let number = self.event.take()?;
        let event = stream.events.get(number)?;
        let start = self.bits.position();
        self.record.begin(event.fields.len());
        for part in &event.parts {
            if let Err(error) = self.record.read(part, &mut self.bits) {
                self.cut(start, error);
                return None;
            }
        }
        if self.bits.position() == self.event_start {
            self.skip_packet(start, "an event without content repeats without end");
            return None;
        }
        self.event_bits += self.bits.position() - start;
        Some((number, &event.fields))
    }

    /// Whether bytes were no event.
    pub(super) fn is_damaged(&self) -> bool {
        self.losses
            .iter()
            .any(|loss| matches!(loss, Loss::Damage(..)))
    }

    /// The rest of the packet cannot be read.
    fn skip_packet(&mut self, start: u64, problem: &str) {
        let offset = self.offset as u64 + start / 8;
        let bytes = (self.bits.left() + self.bits.position() - start).div_ceil(8);
        let rest = pluralise(bytes, "byte of the packet is", "bytes of the packet are");
        let problem = format!("{problem}; {rest} not read");
        self.problem(DiagnosticKind::BadFrame, offset, &problem);
        self.losses.push(Loss::Damage(offset, bytes));
        self.end_packet();
    }

    /// An event ends the packet.
    fn cut(&mut self, start: u64, error: ReadError) {
        match error {
            ReadError::End => {
                let offset = self.offset as u64 + start / 8;
                let problem = "the content ends within an event, which is not read";
                self.problem(DiagnosticKind::CutFrame, offset, problem);
                self.end_packet();
            }
            ReadError::NoOption(selected) => {
                self.skip_packet(start, &format!("a variant has no option for {selected}"));
            }
            ReadError::Length => self.skip_packet(start, "an impossible length"),
        }
    }

    fn end_packet(&mut self) {
        self.bits.set_end(0);
    }
}

/// A clock that has the lowest bits of a timestamp next.
fn advance(clock: u64, (timestamp, bits): SizedNumber) -> u64 {
    if bits >= 64 {
        return timestamp;
    }
    let mask = (1_u64 << bits) - 1;
    let next = clock & !mask | timestamp;
    match next < clock {
        true => next.wrapping_add(mask + 1),
        false => next,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_timestamps_wrap() {
        assert_eq!(advance(0x1_0000_0005, (0x10, 32)), 0x1_0000_0010);
        assert_eq!(advance(0x1_0000_0005, (0x4, 32)), 0x2_0000_0004);
        assert_eq!(advance(0x1F0, (0x0F, 8)), 0x20F);
        assert_eq!(advance(9, (3, 64)), 3);
    }
}
