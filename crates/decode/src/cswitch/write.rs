//! A log written as a CSWL container.

use super::log::{CoreLog, Log};
use super::recording::Recording;
use crate::symbols::Symbol;
use flate2::Crc;
use rtoscope_trace::{Frequency, Name};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{
    CORE_BYTES, CoreHeader, CswlHeader, SYMBOL_BYTES, SectionHeader, Tag, Unknown, VERSION,
};
use std::io::{self, Write};

/// Writes a log with all that is known of it: the entries as they lay in memory,
/// oldest first; the names of its threads; the functions that its addresses lie
/// in; the clock's frequency, if that is known.
///
/// # Errors
/// Those of the output, and a core with more entries than a container can have
/// (2^32 - 1).
pub fn write(log: &Log<'_>, recording: &Recording, output: impl Write) -> io::Result<()> {
    let Recording { trace, origin } = recording;
    container(
        log,
        trace.clock.frequency,
        &origin.names,
        &origin.functions,
        output,
    )
}

/// Writes a log with these names and functions.
pub(super) fn container(
    log: &Log<'_>,
    frequency: Option<Frequency>,
    names: &[(u64, Name)],
    functions: &[Symbol],
    output: impl Write,
) -> io::Result<()> {
    let mut file = Container {
        log,
        output,
        crc: Crc::new(),
    };
    file.header(frequency)?;
    for core in &log.cores {
        file.core(core)?;
    }
    for (pointer, name) in names {
        file.section(Tag::NAME, &[&file.word(*pointer), name.as_bytes()])?;
    }
    for symbol in functions {
        let mut head = [0; SYMBOL_BYTES];
        let (address, size) = head.split_at_mut(8);
        address.copy_from_slice(&file.word(symbol.address));
        size.copy_from_slice(&file.word(symbol.size));
        file.section(Tag::SYMBOL, &[&head, symbol.name.as_bytes()])?;
    }
    file.end()
}

struct Container<'l, W> {
    log: &'l Log<'l>,
    output: W,
    crc: Crc,
}

impl<W: Write> Container<'_, W> {
    fn header(&mut self, frequency: Option<Frequency>) -> io::Result<()> {
        let shape = self.log.shape;
        let header = CswlHeader {
            order: shape.order,
            version: VERSION,
            pointer: shape.pointer,
            counter_bits: shape.counter_bits,
            cores: u16::try_from(self.log.cores.len()).unwrap_or(u16::MAX),
            frequency: frequency.map_or(0, |frequency| frequency.0.get()),
        };
        self.put(&header.to_bytes())
    }

    fn core(&mut self, core: &CoreLog<'_>) -> io::Result<()> {
        if let Some(past) = core.past {
            self.section(Tag::PAST, &[&past.to_bytes(self.log.shape.order)])?;
        }
        let entries = core.bytes() / self.log.shape.entry_bytes() as u64;
        let entries = u32::try_from(entries).map_err(|_| {
            io::Error::other(format!(
                "core {} has {entries} entries, more than a container can have",
                core.core
            ))
        })?;
        let header = CoreHeader {
            core: core.core.into(),
            cyclic: core.cyclic.unwrap_or(core.wrapped),
            wrapped: core.wrapped,
            entries,
            oldest: 0,
            lost: core.lost.unwrap_or_default(),
            idle: core.idle.unwrap_or_default(),
        };
        let unknown = Unknown {
            end: core.full,
            cyclic: core.cyclic.is_none(),
            lost: core.lost.is_none(),
            idle: core.idle.is_none(),
        };
        self.head(Tag::CORE, CORE_BYTES as u64 + core.bytes())?;
        self.put(&header.to_bytes_without(unknown, self.log.shape.order))?;
        core.parts.iter().try_for_each(|part| self.put(part.bytes))
    }

    fn section(&mut self, tag: Tag, parts: &[&[u8]]) -> io::Result<()> {
        self.head(tag, parts.iter().map(|part| part.len() as u64).sum())?;
        parts.iter().try_for_each(|part| self.put(part))
    }

    fn end(mut self) -> io::Result<()> {
        self.head(Tag::END, u32::BYTES as u64)?;
        let mut sum = [0; u32::BYTES];
        let _ = self.crc.sum().write(&mut sum, self.log.shape.order);
        self.put(&sum)?;
        self.output.flush()
    }

    fn head(&mut self, tag: Tag, length: u64) -> io::Result<()> {
        let header = SectionHeader { tag, length };
        self.put(&header.to_bytes(self.log.shape.order))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.output.write_all(bytes)
    }

    fn word(&self, value: u64) -> [u8; 8] {
        let mut bytes = [0; 8];
        let _ = value.write(&mut bytes, self.log.shape.order);
        bytes
    }
}
