//! Writes a log as a CSWL container.

use super::decode_log::DecodedLog;
use super::log::{CoreLog, SwitchLog};
use crc32fast::Hasher;
use rtoscope_symbols::Symbol;
use rtoscope_trace::{Frequency, Name};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::{
    CORE_HEADER_BYTES, CoreHeader, CswlHeader, SYMBOL_FIXED_BYTES, SectionHeader, SectionTag,
    UnknownFields, VERSION,
};
use std::io::{self, Write};

/// Writes a log with all its metadata: the entries as stored in memory, oldest
/// first; the names of its threads; the functions that contain its addresses;
/// the clock's frequency, if it is known.
///
/// # Errors
///
/// Errors of the output, and a core with more entries than a container can have
/// (2^32 - 1).
pub fn write(log: &SwitchLog<'_>, recording: &DecodedLog, output: impl Write) -> io::Result<()> {
    let DecodedLog {
        trace,
        log_info: origin,
    } = recording;
    write_container(
        log,
        trace.clock.nominal_frequency(),
        &origin.names,
        &origin.functions,
        output,
    )
}

/// Writes a log with the given names and functions.
pub(super) fn write_container(
    log: &SwitchLog<'_>,
    frequency: Option<Frequency>,
    names: &[(u64, Name)],
    functions: &[Symbol],
    output: impl Write,
) -> io::Result<()> {
    let mut file = ContainerWriter {
        log,
        output,
        crc: Hasher::new(),
    };
    file.write_header(frequency)?;
    file.write_black_box()?;
    for core in &log.cores {
        file.write_core(core)?;
    }
    for (pointer, name) in names {
        file.write_section(
            SectionTag::NAME,
            &[&file.pointer_word(*pointer), name.as_bytes()],
        )?;
    }
    for symbol in functions {
        let mut head = [0; SYMBOL_FIXED_BYTES];
        let (address, size) = head.split_at_mut(8);
        address.copy_from_slice(&file.pointer_word(symbol.address));
        size.copy_from_slice(&file.pointer_word(symbol.size));
        file.write_section(SectionTag::SYMBOL, &[&head, symbol.name.as_bytes()])?;
    }
    file.finish()
}

struct ContainerWriter<'l, W> {
    log: &'l SwitchLog<'l>,
    output: W,
    crc: Hasher,
}

impl<W: Write> ContainerWriter<'_, W> {
    fn write_header(&mut self, frequency: Option<Frequency>) -> io::Result<()> {
        let layout = self.log.layout;
        let header = CswlHeader {
            order: layout.order,
            version: VERSION,
            pointer_size: layout.pointer,
            counter_bits: layout.counter_bits,
            cores: u16::try_from(self.log.cores.len()).unwrap_or(u16::MAX),
            frequency_hz: frequency.map_or(0, Frequency::hertz),
        };
        self.write_bytes(&header.to_bytes())
    }

    fn write_black_box(&mut self) -> io::Result<()> {
        let Some(header) = self.log.black_box else {
            return Ok(());
        };
        let header = header.to_bytes(self.log.layout.order);
        self.write_section(SectionTag::BLACK_BOX, &[&header])
    }

    fn write_core(&mut self, core: &CoreLog<'_>) -> io::Result<()> {
        if let Some(past) = core.core_past {
            self.write_section(SectionTag::PAST, &[&past.to_bytes(self.log.layout.order)])?;
        }
        let entries = core.entry_bytes() / self.log.layout.entry_bytes() as u64;
        let entries = u32::try_from(entries).map_err(|_| {
            io::Error::other(format!(
                "core {} has {entries} entries, more than a container can have",
                core.core
            ))
        })?;
        let header = CoreHeader {
            core: core.core.into(),
            cyclic: core.cyclic.unwrap_or(core.overwritten.is_certain()),
            wrapped: core.overwritten.is_certain(),
            entries,
            oldest_index: 0,
            lost: core.lost_entries.unwrap_or_default(),
            idle_ticks: core.idle_ticks.unwrap_or_default(),
        };
        let unknown = UnknownFields {
            end: core.is_full,
            cyclic: core.cyclic.is_none(),
            lost: core.lost_entries.is_none(),
            idle: core.idle_ticks.is_none(),
        };
        self.write_section_header(
            SectionTag::CORE,
            CORE_HEADER_BYTES as u64 + core.entry_bytes(),
        )?;
        self.write_bytes(&header.to_bytes_with_unknown(unknown, self.log.layout.order))?;
        core.parts
            .iter()
            .try_for_each(|part| self.write_bytes(part.bytes))
    }

    fn write_section(&mut self, tag: SectionTag, parts: &[&[u8]]) -> io::Result<()> {
        self.write_section_header(tag, parts.iter().map(|part| part.len() as u64).sum())?;
        parts.iter().try_for_each(|part| self.write_bytes(part))
    }

    fn finish(mut self) -> io::Result<()> {
        self.write_section_header(SectionTag::END, u32::BYTES as u64)?;
        let mut sum = [0; u32::BYTES];
        let _ = self
            .crc
            .clone()
            .finalize()
            .write(&mut sum, self.log.layout.order);
        self.write_bytes(&sum)?;
        self.output.flush()
    }

    fn write_section_header(&mut self, tag: SectionTag, length: u64) -> io::Result<()> {
        let header = SectionHeader { tag, length };
        self.write_bytes(&header.to_bytes(self.log.layout.order))
    }

    fn write_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.crc.update(bytes);
        self.output.write_all(bytes)
    }

    fn pointer_word(&self, value: u64) -> [u8; 8] {
        let mut bytes = [0; 8];
        let _ = value.write(&mut bytes, self.log.layout.order);
        bytes
    }
}
