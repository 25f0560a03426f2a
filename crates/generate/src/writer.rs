//! Buffered output.

use crate::GenerateError;
use rtoscope_wire::WireError;
use rtoscope_wire::threadx::EventEntry;
use rtoscope_wire::{ByteOrder, Word};
use std::io::Write;

/// Collects bytes and writes them in blocks.
pub(crate) struct BlockWriter<'a, O> {
    output: &'a mut O,
    block: Box<[u8]>,
    /// Filled bytes of the block.
    filled: usize,
    /// Bytes written.
    written: u64,
}

/// Large enough that the calls cost nothing, small enough for the second-level
/// cache.
const BLOCK_BYTES: usize = 256 * 1024;

impl<'a, O: Write> BlockWriter<'a, O> {
    pub(crate) fn new(output: &'a mut O) -> Self {
        Self {
            output,
            block: vec![0; BLOCK_BYTES].into_boxed_slice(),
            filled: 0,
            written: 0,
        }
    }

    /// Bytes appended so far.
    pub(crate) fn position(&self) -> u64 {
        self.written + self.filled as u64
    }

    /// Adds the position to an encoding error.
    pub(crate) fn encoded(&self, result: Result<usize, WireError>) -> Result<usize, GenerateError> {
        result.map_err(|source| GenerateError::Encode {
            at: self.position(),
            source,
        })
    }

    /// Appends any number of bytes.
    pub(crate) fn append(&mut self, mut bytes: &[u8]) -> Result<(), GenerateError> {
        while !bytes.is_empty() {
            if self.filled == self.block.len() {
                self.flush()?;
            }
            let room = self.block.get_mut(self.filled..).unwrap_or_default();
            let (now, later) = bytes.split_at(room.len().min(bytes.len()));
            for (to, from) in room.iter_mut().zip(now) {
                *to = *from;
            }
            self.filled += now.len();
            bytes = later;
        }
        Ok(())
    }

    /// Appends an event entry.
    #[inline]
    pub(crate) fn entry<W: Word>(
        &mut self,
        entry: &EventEntry<W>,
        order: ByteOrder,
    ) -> Result<(), GenerateError> {
        if self.block.len() - self.filled < EventEntry::<W>::BYTES {
            self.flush()?;
        }
        let room = self.block.get_mut(self.filled..).unwrap_or_default();
        let written = entry.write(order, room);
        self.filled += self.encoded(written)?;
        Ok(())
    }

    /// Writes the remaining bytes and flushes the output.
    pub(crate) fn finish(&mut self) -> Result<(), GenerateError> {
        self.flush()?;
        let flushed = self.output.flush();
        self.accepted(flushed)
    }

    fn flush(&mut self) -> Result<(), GenerateError> {
        let block = self.block.get(..self.filled).unwrap_or_default();
        let accepted = self.output.write_all(block);
        self.accepted(accepted)?;
        self.written += self.filled as u64;
        self.filled = 0;
        Ok(())
    }

    fn accepted(&self, result: std::io::Result<()>) -> Result<(), GenerateError> {
        result.map_err(|source| GenerateError::Output {
            at: self.written,
            source,
        })
    }
}
