//! Reads the CSWL container, as far as it is intact.

use super::black_box_log;
use super::log::{CoreLog, EntryLayout, LogPart, MissingEntries, Overwritten, SwitchLog};
use super::packed::{HANDLER_NAME, Unpacked, UnpackedCore};
use crate::DecodeError;
use crate::sections::{self, ContainerHeader, MAX_SECTION_BYTES};
use rtoscope_symbols::Symbol;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, Frequency, Name, ObjectClass};
use rtoscope_wire::black_box::BlackBoxHeader;
use rtoscope_wire::cswitch::{
    CORE_HEADER_BYTES, CORE_HISTORY_BYTES, CSWL_HEADER_BYTES, CoreHeader, CoreHistory, CswlHeader,
    MAGIC, SECTION_HEADER_BYTES, SUMMED_VERSION, SYMBOL_FIXED_BYTES, SectionHeader, SectionTag,
    UnknownFields, WordSum, checksum_bytes,
};
use rtoscope_wire::{ByteOrder, Word};
use std::collections::HashMap;

/// Bytes of the pointer at the start of a name's section.
const NAME_POINTER_BYTES: usize = 8;

impl ContainerHeader for CswlHeader {
    const MAGIC: [u8; 4] = MAGIC;
    const BYTES: usize = CSWL_HEADER_BYTES;

    fn read(bytes: &[u8]) -> Option<Self> {
        let header = Self::read(bytes).ok().flatten();
        header.filter(|header| header.version <= SUMMED_VERSION)
    }

    fn order(self) -> ByteOrder {
        self.order
    }

    fn is_plausible(self, section: SectionHeader, content: &[u8]) -> Option<bool> {
        let length = section.length;
        let holds = |min: usize| length >= min as u64 && length <= MAX_SECTION_BYTES;
        Some(match section.tag {
            SectionTag::CORE => {
                let core = CoreHeader::read(content, self.order).ok()?;
                let size = self.pointer_size.entry_bytes() as u64;
                length == CORE_HEADER_BYTES as u64 + u64::from(core.entries) * size
            }
            SectionTag::PAST => holds(CORE_HISTORY_BYTES),
            SectionTag::NAME => holds(u64::BYTES),
            SectionTag::SYMBOL => holds(SYMBOL_FIXED_BYTES),
            SectionTag::END => length == checksum_bytes(self.version) as u64,
            SectionTag(other) => holds(0) && other.iter().all(|byte| (b' '..=b'~').contains(byte)),
        })
    }

    fn is_checksum(self, content: &[u8], bytes: &[u8]) -> bool {
        stored_checksum(self, content) == Some(checksum(self, bytes))
    }
}

/// The checksum of bytes of a container: its 4 or 8 bytes as a number.
fn checksum(header: CswlHeader, bytes: &[u8]) -> u64 {
    if header.version < SUMMED_VERSION {
        return crc32fast::hash(bytes).into();
    }
    let [first, second] = WordSum::of(bytes, header.order).values();
    u64::from(first) << 32 | u64::from(second)
}

fn stored_checksum(header: CswlHeader, content: &[u8]) -> Option<u64> {
    let first = u32::read(content, header.order)?.into();
    if header.version < SUMMED_VERSION {
        return Some(first);
    }
    let second = u32::read(content.get(4..)?, header.order)?;
    Some(first << 32 | u64::from(second))
}

/// Finds the start of a container by its magic and its byte-order mark.
pub(super) fn find(bytes: &[u8]) -> Option<usize> {
    sections::find::<CswlHeader>(bytes)
}

/// Reads the container at the start of `bytes`, which is at `offset` in the
/// input; `unpacked` is what its packed sections contain.
pub(super) fn read<'a>(
    bytes: &'a [u8],
    offset: u64,
    unpacked: Option<&'a Unpacked>,
) -> Result<SwitchLog<'a>, DecodeError> {
    let damaged = |problem: &str| DecodeError::CswlHeader {
        offset,
        problem: problem.to_owned(),
    };
    let header = CswlHeader::read(bytes).map_err(|error| damaged(&error.to_string()))?;
    let header = header.ok_or_else(|| {
        damaged("expected a byte-order mark, pointers of 4 or 8 bytes and 1 to 32 counter bits")
    })?;
    if header.version > SUMMED_VERSION {
        return Err(DecodeError::CswlVersion {
            found: header.version,
            newest: SUMMED_VERSION,
        });
    }
    let mut reader = CswlReader {
        bytes,
        header,
        offset,
        log: SwitchLog::contained(
            EntryLayout {
                order: header.order,
                pointer: header.pointer_size,
                // The time of packed entries has 64 bits.
                counter_bits: unpacked.map_or(header.counter_bits, |_| 32),
            },
            Frequency::from_hertz(header.frequency_hz),
        ),
        names: HashMap::new(),
        core_pasts: HashMap::new(),
        unpacked: unpacked.map_or(&[][..], |it| &it.cores).iter(),
        is_truncated: false,
    };
    reader.read_sections();
    let CswlReader {
        mut log,
        names,
        core_pasts: pasts,
        is_truncated: is_cut,
        ..
    } = reader;
    for core in &mut log.cores {
        let past = pasts.get(&core.core.into()).copied();
        core.core_past = past.filter(|_| !is_cut);
        match past.map(|past| past.preceding_entries) {
            Some(preceding @ 1..) => core.overwritten = Overwritten::some(Some(preceding)),
            // The ring was perhaps just full.
            Some(0) if core.overwritten.is_certain() => core.overwritten = Overwritten::Unknown,
            _ => {}
        }
    }
    let sealed = log.black_box.as_ref().and_then(black_box_log::overwritten);
    for (core, sealed) in log.cores.iter_mut().zip(sealed) {
        core.overwritten = sealed;
    }
    if log.cores.len() != usize::from(header.cores) {
        let message = format!(
            "the container's header declares {}, but it contains {}",
            pluralise(header.cores.into(), "core", "cores"),
            log.cores.len()
        );
        let diagnostic = Diagnostic::new(DiagnosticKind::OddHeader, message);
        log.diagnostics.push(diagnostic.at_offset(offset));
    }
    log.name_source.container_names = names;
    Ok(log)
}

struct CswlReader<'a> {
    bytes: &'a [u8],
    header: CswlHeader,
    /// Their offset in the input.
    offset: u64,
    log: SwitchLog<'a>,
    names: HashMap<u64, &'a [u8]>,
    core_pasts: HashMap<u16, CoreHistory>,
    /// The contents of the next packed sections.
    unpacked: std::slice::Iter<'a, UnpackedCore>,
    /// Whether entries of a core are missing at the end.
    is_truncated: bool,
}

impl<'a> CswlReader<'a> {
    fn read_sections(&mut self) {
        let mut at = CSWL_HEADER_BYTES;
        let mut unknown = 0;
        let ended = loop {
            let rest = self.bytes.get(at..).unwrap_or_default();
            let Ok(header) = SectionHeader::read(rest, self.log.layout.order) else {
                break false;
            };
            let start = at + SECTION_HEADER_BYTES;
            let following = self.bytes.get(start..).unwrap_or_default();
            let length = usize::try_from(header.length).unwrap_or(usize::MAX);
            let whole = length <= following.len();
            let content = following.get(..length).unwrap_or(following);
            match header.tag {
                SectionTag::CORE => self.read_core(content, start),
                SectionTag::PACKED if self.unpacked.len() > 0 => self.read_packed(start),
                // A truncated section at the end of the input is not usable.
                SectionTag::PAST if whole => self.read_core_past(content, start),
                SectionTag::NAME if whole => self.read_name(content, start),
                SectionTag::SYMBOL if whole => self.read_symbol(content, start),
                SectionTag::BLACK_BOX if whole => self.read_black_box(content, start),
                SectionTag::END if whole => {
                    self.read_end(content, start);
                    break true;
                }
                _ if whole => unknown += 1,
                _ => {}
            }
            if !whole {
                break false;
            }
            at = start + length;
        };
        if unknown > 0 {
            let message = format!(
                "skipped {} of a kind that this version does not support",
                pluralise(unknown, "section", "sections")
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::UnknownSection, message);
            self.log.diagnostics.push(diagnostic.with_count(unknown));
        }
        if !ended {
            let message = "the container ends before its last section, so its checksum is missing";
            self.report(
                DiagnosticKind::Truncated,
                message.to_owned(),
                self.bytes.len(),
            );
        }
    }

    fn report(&mut self, kind: DiagnosticKind, message: String, at: usize) {
        let diagnostic = Diagnostic::new(kind, message);
        let offset = self.offset.saturating_add(at as u64);
        self.log.diagnostics.push(diagnostic.at_offset(offset));
    }

    fn read_core(&mut self, content: &'a [u8], at: usize) {
        let header = CoreHeader::read(content, self.log.layout.order);
        let (Ok(header), Some(entries)) = (header, content.get(CORE_HEADER_BYTES..)) else {
            let message = "the log of a core ends within its header";
            return self.report(DiagnosticKind::Truncated, message.to_owned(), at);
        };
        let Some(core) = self.core_number(header.core, at) else {
            return;
        };
        let size = self.log.layout.entry_bytes();
        let declared = u64::from(header.entries);
        let there = declared.min((entries.len() / size) as u64);
        if there < declared {
            self.is_truncated = true;
            let message = format!(
                "the container has only {there} of the {} of core {core}",
                pluralise(declared, "entry", "entries")
            );
            let end = at + content.len();
            self.report(DiagnosticKind::Truncated, message, end);
        }
        let oldest = match u64::from(header.oldest_index) {
            oldest if oldest < declared.max(1) => oldest,
            oldest => {
                let message = format!(
                    "the oldest entry of core {core} would be number {oldest} of {declared}; the \
                     first is assumed to be the oldest"
                );
                self.report(DiagnosticKind::CurrentPointer, message, at);
                0
            }
        };
        let part = |from: u64, to: u64, missing: u64| {
            let place = |slot: u64| usize::try_from(slot).ok()?.checked_mul(size);
            let bytes = entries.get(place(from.min(to))?..place(to)?)?;
            let missing = MissingEntries::from_count(missing);
            (!bytes.is_empty()).then_some(LogPart {
                bytes,
                missing,
                epoch: 0,
            })
        };
        let following = part(oldest, there, 0);
        // The truncated entries are between the two parts, unless the first
        // part is missing entirely.
        let missing = if following.is_some() {
            declared - there
        } else {
            0
        };
        let parts = following
            .into_iter()
            .chain(part(0, oldest.min(there), missing));
        let unknown = UnknownFields::read(content, self.log.layout.order);
        self.log.cores.push(CoreLog {
            core,
            cyclic: known_value(header.cyclic, unknown.cyclic),
            overwritten: match header.wrapped {
                true => Overwritten::some(None),
                // Its recorder may not know that the ring is just full.
                false if unknown.cyclic || header.cyclic => Overwritten::Unknown,
                false => Overwritten::No,
            },
            is_full: unknown.end,
            lost_entries: known_value(header.lost, unknown.lost),
            idle_ticks: known_value(header.idle_ticks, unknown.idle),
            parts: parts.collect(),
            ..CoreLog::default()
        });
    }

    fn read_packed(&mut self, at: usize) {
        let Some(unpacked) = self.unpacked.next() else {
            return;
        };
        if unpacked.has_handlers {
            self.names.entry(HANDLER_NAME).or_insert(b"ISR");
        }
        if let Some(core) = self.core_number(unpacked.header.core, at) {
            self.log.cores.push(CoreLog {
                core,
                cyclic: Some(true),
                lost_entries: Some(unpacked.header.lost),
                last_ticks: Some(unpacked.last_ticks),
                parts: vec![LogPart {
                    bytes: &unpacked.entries,
                    missing: MissingEntries::None,
                    epoch: 0,
                }],
                ..CoreLog::default()
            });
        }
    }

    /// The number of a core, unless its log is not the first one of the core.
    fn core_number(&mut self, number: u16, at: usize) -> Option<u8> {
        let message = match u8::try_from(number) {
            Ok(core) if self.log.cores.iter().all(|other| other.core != core) => {
                return Some(core);
            }
            Ok(core) => format!("skipped a second log of core {core}"),
            Err(_) => format!("skipped the log of core {number}: the maximum is 255"),
        };
        self.report(DiagnosticKind::OddHeader, message, at);
        None
    }

    fn read_core_past(&mut self, content: &[u8], at: usize) {
        match CoreHistory::read(content, self.log.layout.order) {
            Ok(past) => {
                self.core_pasts.entry(past.core).or_insert(past);
            }
            Err(_) => self.report(
                DiagnosticKind::Truncated,
                truncated_message("past of a core"),
                at,
            ),
        }
    }

    fn read_black_box(&mut self, content: &[u8], at: usize) {
        match BlackBoxHeader::read(content, self.log.layout.order) {
            Some(header) => self.log.black_box = Some(header),
            None => self.report(
                DiagnosticKind::OddHeader,
                "the header of the black box is damaged".to_owned(),
                at,
            ),
        }
    }

    fn read_name(&mut self, content: &'a [u8], at: usize) {
        match u64::read(content, self.log.layout.order) {
            Some(pointer) => {
                let text = content.get(NAME_POINTER_BYTES..).unwrap_or_default();
                let text = self.without_padding(text);
                self.names.entry(pointer).or_insert(text);
            }
            None => self.report(DiagnosticKind::Truncated, truncated_message("name"), at),
        }
    }

    /// A text without the NULs up to a whole word.
    fn without_padding(&self, text: &'a [u8]) -> &'a [u8] {
        let has_padding = self.header.version >= SUMMED_VERSION;
        let end = memchr::memchr(0, text).filter(|_| has_padding);
        text.get(..end.unwrap_or(text.len())).unwrap_or_default()
    }

    fn read_symbol(&mut self, content: &'a [u8], at: usize) {
        let order = self.log.layout.order;
        let size = content.get(8..).and_then(|size| u64::read(size, order));
        let name = content.get(SYMBOL_FIXED_BYTES..);
        match (u64::read(content, order), size, name) {
            (Some(address), Some(size), Some(name)) => self.log.symbols.push(Symbol {
                class: Some(ObjectClass::Function),
                address,
                size,
                name: Name::new(self.without_padding(name)),
                owner: 0,
            }),
            _ => self.report(DiagnosticKind::Truncated, truncated_message("symbol"), at),
        }
    }

    fn read_end(&mut self, content: &[u8], at: usize) {
        let stored = stored_checksum(self.header, content);
        let checksum = checksum(self.header, self.bytes.get(..at).unwrap_or_default());
        if stored != Some(checksum) {
            let message = format!(
                "the container's checksum is {:#010x}, but its bytes have {:#010x}: some bytes \
                 are wrong",
                stored.unwrap_or_default(),
                checksum
            );
            self.report(DiagnosticKind::BadChecksum, message, at);
        }
    }
}

fn truncated_message(what: &str) -> String {
    format!("a section is too short for its {what}")
}

fn known_value<T>(value: T, is_unknown: bool) -> Option<T> {
    (!is_unknown).then_some(value)
}
