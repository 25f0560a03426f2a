//! A channel of SEGGER's Real Time Transfer, in the memory of a target.
//!
//! The control block has an identification, the numbers of channels to the host and to
//! the target, and the descriptors of both: name, buffer, size, position of the writer
//! and of the reader, flags. A buffer whose positions are equal is empty. See SEGGER's
//! user guide of J-Link (UM08001), "RTT".

use super::error::StubError;
use super::memory_trace::{MemoryTrace, PollOutcome};
use super::stub::Stub;
use rtoscope_trace::Address;
use rtoscope_wire::{ByteOrder, PointerSize, Word as _};

/// The variable of the control block.
pub(super) const CONTROL_BLOCK: &str = "_SEGGER_RTT";

/// The name of the channel that rtoscope's recorders write to.
const CHANNEL_NAME: &str = "rtoscope";

/// The identification at the start of a control block, and its size with padding.
const IDENTIFICATION: &[u8] = b"SEGGER RTT\0";
const IDENTIFICATION_BYTES: usize = 16;

/// Size of the identification and the numbers of channels.
const HEADER_BYTES: usize = IDENTIFICATION_BYTES + 8;

/// Maximum number of channels of one direction.
const MAX_CHANNELS: u32 = 64;

/// Maximum size of a buffer in bytes.
const MAX_BUFFER_BYTES: u32 = 64 << 20;

/// Maximum length of a channel's name that is compared or shown.
const MAX_NAME_BYTES: usize = 32;

/// What to search for, and the form of its words.
#[derive(Debug, Clone, Copy)]
pub(super) struct RttSearch {
    /// The channel; without it, the one that is named "rtoscope", else 0.
    pub(super) channel: Option<u8>,
    pub(super) pointer_size: PointerSize,
    pub(super) byte_order: ByteOrder,
}

/// Whether `bytes` start with the identification of a control block.
pub(super) fn is_control_block(bytes: &[u8]) -> bool {
    bytes.starts_with(IDENTIFICATION)
}

/// A channel to the host, and the one to the target with its number.
pub(super) struct RttChannel {
    /// Address of the control block.
    address: u64,
    form: RttSearch,
    number: u32,
    name: String,
    /// Offset in the control block of the descriptor of the channel to the host.
    up_offset: usize,
    /// The same of the channel to the target.
    down_offset: Option<usize>,
    /// The bytes of the last poll with new data.
    bytes: Vec<u8>,
    /// The reader's position after these bytes, until the target is known to have it.
    unconfirmed: Option<u32>,
}

/// A ring of a channel.
#[derive(Debug, Clone, Copy)]
struct RttRing {
    name: u64,
    buffer: u64,
    size: u32,
    write: u32,
    read: u32,
}

impl RttRing {
    /// Reads a descriptor; `None` if it is impossible.
    fn read(bytes: &[u8], form: RttSearch) -> Option<Self> {
        let pointer = form.pointer_size.bytes();
        let order = form.byte_order;
        let address = |at: usize| {
            let bytes = bytes.get(at..)?;
            match form.pointer_size {
                PointerSize::Four => u32::read(bytes, order).map(u64::from),
                PointerSize::Eight => u64::read(bytes, order),
            }
        };
        let word = |index: usize| u32::read(bytes.get(2 * pointer + 4 * index..)?, order);
        let ring = Self {
            name: address(0)?,
            buffer: address(pointer)?,
            size: word(0)?,
            write: word(1)?,
            read: word(2)?,
        };
        let is_unused = ring.size == 0 && ring.write == 0 && ring.read == 0;
        let is_sound = ring.size <= MAX_BUFFER_BYTES
            && ring.write < ring.size
            && ring.read < ring.size
            && ring.buffer != 0;
        (is_unused || is_sound).then_some(ring)
    }

    /// Number of bytes that can be read.
    fn filled(self) -> u32 {
        match self.write >= self.read {
            true => self.write - self.read,
            false => self.size - self.read + self.write,
        }
    }

    /// Number of bytes that can be written.
    fn room(self) -> u32 {
        match self.size {
            0 => 0,
            size => size - 1 - self.filled(),
        }
    }

    /// The position `count` bytes after the writer's.
    fn write_after(self, count: u32) -> u32 {
        let left = self.size - self.write;
        match count < left {
            true => self.write + count,
            false => count - left,
        }
    }

    /// The pieces of `count` bytes from a position on: address and length.
    fn pieces(self, from: u32, count: u32) -> [(u64, usize); 2] {
        let first = count.min(self.size - from);
        let at = self.buffer.wrapping_add(u64::from(from));
        [
            (at, first as usize),
            (self.buffer, (count - first) as usize),
        ]
    }
}

/// A position in a ring.
#[derive(Debug, Clone, Copy)]
enum RingPosition {
    Write = 0,
    Read = 1,
}

impl RttSearch {
    fn descriptor_bytes(self) -> usize {
        2 * self.pointer_size.bytes() + 16
    }

    /// Offset of a position in a descriptor.
    fn position_offset(self, position: RingPosition) -> usize {
        2 * self.pointer_size.bytes() + 4 + 4 * position as usize
    }
}

impl RttChannel {
    /// Opens a channel of the control block at an address; `None` if there is none.
    pub(super) fn open(
        stub: &mut Stub,
        address: u64,
        search: RttSearch,
    ) -> Result<Option<Self>, StubError> {
        let Some(header) = readable(stub.read(address, HEADER_BYTES))? else {
            return Ok(None);
        };
        let count = |index: usize| {
            let bytes = header.get(IDENTIFICATION_BYTES + 4 * index..)?;
            u32::read(bytes, search.byte_order).filter(|count| *count <= MAX_CHANNELS)
        };
        let (Some(up), Some(down)) = (count(0), count(1)) else {
            return Ok(None);
        };
        if !is_control_block(&header) {
            return Ok(None);
        }
        let size = search.descriptor_bytes();
        let descriptors = address.wrapping_add(HEADER_BYTES as u64);
        let Some(bytes) = readable(stub.read(descriptors, up as usize * size))? else {
            return Ok(None);
        };
        let mut found = None;
        for (number, bytes) in (0..up).zip(bytes.chunks_exact(size)) {
            let is_asked_for = search.channel.is_none_or(|it| number == u32::from(it));
            let ring = RttRing::read(bytes, search).filter(|ring| ring.size > 1);
            let Some(ring) = ring.filter(|_| is_asked_for) else {
                continue;
            };
            let name = read_name(stub, ring.name)?;
            let is_ours = name == CHANNEL_NAME;
            if is_ours || search.channel.is_some() || number == 0 {
                found = Some((number, name));
            }
            if is_ours {
                break;
            }
        }
        Ok(found.map(|(number, name)| Self {
            address,
            form: search,
            number,
            name,
            up_offset: HEADER_BYTES + number as usize * size,
            down_offset: (number < down).then(|| HEADER_BYTES + (up + number) as usize * size),
            bytes: Vec::new(),
            unconfirmed: None,
        }))
    }

    /// Reads a ring, if the control block is still there.
    fn ring(&self, stub: &mut Stub, offset: usize) -> Result<RingState, StubError> {
        let block = stub.read(self.address, offset + self.form.descriptor_bytes())?;
        if !is_control_block(&block) {
            return Ok(RingState::Gone);
        }
        let ring = RttRing::read(block.get(offset..).unwrap_or_default(), self.form);
        Ok(ring.map_or(RingState::Torn, RingState::Ring))
    }

    fn write_position(
        &self,
        stub: &mut Stub,
        offset: usize,
        position: RingPosition,
        value: u32,
    ) -> Result<(), StubError> {
        let at = offset + self.form.position_offset(position);
        let mut bytes = [0; 4];
        // The word has the size of the array.
        let _ = value.write(&mut bytes, self.form.byte_order);
        stub.write(self.address.wrapping_add(at as u64), &bytes)
    }
}

/// A ring in memory.
enum RingState {
    Ring(RttRing),
    /// Its positions are impossible: it is being set up.
    Torn,
    /// The control block no longer exists.
    Gone,
}

impl MemoryTrace for RttChannel {
    fn poll(&mut self, stub: &mut Stub, _moves: bool) -> Result<PollOutcome, StubError> {
        let ring = match self.ring(stub, self.up_offset)? {
            RingState::Ring(ring) if ring.size > 1 => ring,
            RingState::Ring(_) | RingState::Torn => return Ok(PollOutcome::Retry),
            RingState::Gone => {
                let place = Address(self.address);
                return Ok(PollOutcome::Gone(format!(
                    "no RTT control block at {place} any more"
                )));
            }
        };
        let is_confirmed = self.unconfirmed.take() == Some(ring.read);
        let count = ring.filled();
        if !is_confirmed {
            if count == 0 {
                return Ok(PollOutcome::Unchanged { fill_ratio: 0.0 });
            }
            self.bytes.clear();
            for (at, length) in ring.pieces(ring.read, count) {
                self.bytes.extend(stub.read(at, length)?);
            }
            // If the answer is lost, the target shows whether it has the new position.
            self.unconfirmed = Some(ring.write);
            self.write_position(stub, self.up_offset, RingPosition::Read, ring.write)?;
            self.unconfirmed = None;
        }
        Ok(PollOutcome::New {
            fill_ratio: self.bytes.len() as f64 / f64::from(ring.size),
        })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn name(&self) -> String {
        let name = match self.name.as_str() {
            "" => String::new(),
            name => format!(" \"{name}\""),
        };
        let place = Address(self.address);
        format!("RTT channel {}{name} at {place}", self.number)
    }

    fn send(&mut self, stub: &mut Stub, bytes: &[u8]) -> Result<Option<usize>, StubError> {
        let Some(offset) = self.down_offset else {
            return Ok(None);
        };
        let RingState::Ring(ring) = self.ring(stub, offset)? else {
            return Ok(Some(0));
        };
        if ring.size < 2 {
            return Ok(None);
        }
        let sent = bytes.get(..ring.room() as usize).unwrap_or(bytes);
        let mut rest = sent;
        for (at, length) in ring.pieces(ring.write, sent.len() as u32) {
            let (piece, later) = rest.split_at_checked(length).unwrap_or((rest, &[]));
            stub.write(at, piece)?;
            rest = later;
        }
        let write = ring.write_after(sent.len() as u32);
        self.write_position(stub, offset, RingPosition::Write, write)?;
        Ok(Some(sent.len()))
    }
}

/// The bytes, unless the memory cannot be read.
fn readable(bytes: Result<Vec<u8>, StubError>) -> Result<Option<Vec<u8>>, StubError> {
    match bytes {
        Err(StubError::Unreadable { .. }) => Ok(None),
        bytes => bytes.map(Some),
    }
}

/// Reads the name of a channel; empty if there is none.
fn read_name(stub: &mut Stub, address: u64) -> Result<String, StubError> {
    if address == 0 {
        return Ok(String::new());
    }
    let bytes = readable(stub.read(address, MAX_NAME_BYTES))?.unwrap_or_default();
    let name = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
    let is_text = name.len() < bytes.len() && name.iter().all(|byte| (b' '..=b'~').contains(byte));
    Ok(match is_text {
        true => String::from_utf8_lossy(name).into_owned(),
        false => String::new(),
    })
}
