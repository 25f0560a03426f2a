use super::digits;
use super::rejected_lines::RejectedLines;
use crate::DecodeError;
use crate::memory::{Memory, MemoryBuilder};
use rtoscope_trace::text::{self, TextLine};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// Bytes of a record around its data: length, address (2), type, checksum.
const RECORD_OVERHEAD_BYTES: usize = 5;

/// Reads Intel HEX records, in any order.
pub(super) fn read(
    bytes: &[u8],
    diagnostics: &mut Diagnostics,
) -> Result<Memory<'static>, DecodeError> {
    let mut reader = IntelHexReader::default();
    let mut record = Vec::new();
    for line in text::lines(bytes) {
        record.clear();
        let parsed = parse(line, &mut record).and_then(|()| reader.apply(&record));
        if let Err(problem) = parsed {
            reader.reject(line, &problem, diagnostics);
        }
    }
    reader.finish(bytes, diagnostics)
}

/// Parses a line and verifies its length and checksum.
pub(super) fn parse(line: TextLine<'_>, record: &mut Vec<u8>) -> Result<(), String> {
    let word = line.last_word();
    let digits = word.strip_prefix(b":").ok_or_else(|| {
        let found = word.first().copied().unwrap_or_default();
        format!("it starts with '{}' instead of ':'", found.escape_ascii())
    })?;
    digits::parse_bytes(digits, 2, record).map_err(|error| error.to_string())?;
    let length = usize::from(record.first().copied().unwrap_or_default());
    if record.len() != length + RECORD_OVERHEAD_BYTES {
        return Err(format!(
            "it has {} bytes, expected {} for its length {length}",
            record.len(),
            length + RECORD_OVERHEAD_BYTES
        ));
    }
    // All bytes including the checksum sum to zero.
    let sum = record
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    if sum != 0 {
        let found = record.last().copied().unwrap_or_default();
        return Err(format!(
            "its checksum is {found:#04x}, expected {:#04x}",
            found.wrapping_sub(sum)
        ));
    }
    Ok(())
}

/// The base that is added to record addresses.
#[derive(Default)]
enum AddressBase {
    #[default]
    None,
    /// Segment times 16; addresses wrap within 64 KiB.
    Segment(u64),
    /// Upper 16 bits; addresses wrap within 4 GiB.
    Linear(u64),
    /// The record that sets it is damaged.
    Unknown,
}

#[derive(Default)]
struct IntelHexReader {
    memory: MemoryBuilder<'static>,
    base: AddressBase,
    /// Whether the last record was that of the end of a file.
    has_end_record: bool,
    /// Data records without a known address.
    unaddressed_records: u64,
    rejected_lines: RejectedLines,
}

impl IntelHexReader {
    fn apply(&mut self, record: &[u8]) -> Result<(), String> {
        let Some(([_, high, low, kind], rest)) = record.split_first_chunk::<4>() else {
            return Err("it is too short".to_owned());
        };
        let address = u16::from_be_bytes([*high, *low]);
        let data = rest.split_last().map_or(&[][..], |(_, data)| data);
        self.has_end_record = false;
        match (kind, data) {
            (0, data) => self.data(address, data),
            (1, []) => {
                // Another file may follow.
                self.has_end_record = true;
                self.base = AddressBase::None;
            }
            (2, [high, low]) => {
                self.base = AddressBase::Segment(u64::from(u16::from_be_bytes([*high, *low])) << 4);
            }
            (4, [high, low]) => {
                self.base = AddressBase::Linear(u64::from(u16::from_be_bytes([*high, *low])) << 16);
            }
            // Start addresses have no effect on memory.
            (3 | 5, [_, _, _, _]) => {}
            (0..=5, data) => {
                return Err(format!(
                    "type {kind} does not take {} data bytes",
                    data.len()
                ));
            }
            _ => return Err(format!("its type is {kind}, expected 0 to 5")),
        }
        Ok(())
    }

    fn data(&mut self, address: u16, data: &[u8]) {
        let address = u64::from(address);
        let (base, start, size) = match self.base {
            AddressBase::None => (0, address, 1_u64 << 32),
            AddressBase::Segment(base) => (base, address, 1 << 16),
            AddressBase::Linear(base) => (0, base + address, 1 << 32),
            AddressBase::Unknown => {
                self.unaddressed_records += 1;
                return;
            }
        };
        let room = usize::try_from(size - start).unwrap_or(usize::MAX);
        let (data, wrapped) = data.split_at(room.min(data.len()));
        self.memory.push(base + start, data);
        self.memory.push(base, wrapped);
    }

    fn reject(&mut self, line: TextLine<'_>, problem: &str, diagnostics: &mut Diagnostics) {
        if text::is_other_text(line.text) {
            self.rejected_lines.ignore(line);
            return;
        }
        self.rejected_lines
            .report(line, "Intel HEX record", problem, diagnostics);
        if may_be_address(line.text) {
            self.base = AddressBase::Unknown;
        }
    }

    fn finish(
        self,
        bytes: &[u8],
        diagnostics: &mut Diagnostics,
    ) -> Result<Memory<'static>, DecodeError> {
        if self.unaddressed_records > 0 {
            let message = format!(
                "skipped {} data records: the damaged record may be the one with their upper \
                 address",
                self.unaddressed_records
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::MissingBytes, message);
            diagnostics.push(diagnostic.with_count(self.unaddressed_records));
        }
        if self.memory.is_empty() {
            return Err(self.rejected_lines.no_record_error(
                "Intel HEX",
                "none of them contains data",
                bytes,
            ));
        }
        if !self.has_end_record {
            let message = "the end-of-file record is missing: the file may be truncated";
            let diagnostic = Diagnostic::new(DiagnosticKind::Truncated, message);
            diagnostics.push(diagnostic.at_offset(bytes.len() as u64));
        }
        self.rejected_lines.report_ignored(diagnostics);
        let (memory, found) = self.memory.finish(true);
        diagnostics.extend(found);
        Ok(memory)
    }
}

/// Whether an unreadable line may set an extended address: it starts like such
/// a record except for one digit, or characters were lost.
fn may_be_address(text: &[u8]) -> bool {
    /// Characters of an address record: `:`, 5 bytes around the data, 2 of data.
    const LENGTH: usize = 1 + 2 * (RECORD_OVERHEAD_BYTES + 2);
    const STARTS: [&[u8]; 2] = [b"02000002", b"02000004"];
    let start = text.get(1..9).or(text.get(1..)).unwrap_or_default();
    let differing = |wanted: &[u8]| start.iter().zip(wanted).filter(|(a, b)| a != b).count();
    let similar = STARTS.iter().any(|wanted| differing(wanted) <= 1);
    let joined = text.iter().skip(1).any(|byte| *byte == b':');
    let uneven = text.len().is_multiple_of(2);
    joined || (text.len() <= LENGTH && similar) || (text.len() <= LENGTH + 1 && uneven)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Memory<'static>, Vec<DiagnosticKind>) {
        let mut diagnostics = Diagnostics::default();
        let memory = read(text.as_bytes(), &mut diagnostics).unwrap();
        (memory, diagnostics.iter().map(|it| it.kind).collect())
    }

    #[test]
    fn a_segment_wraps_at_64_kib() {
        let (memory, _) = read_text(":020000021000EC\n:02FFFF000102FD\n:00000001FF\n");
        assert_eq!(memory.read(0x1_FFFF, 1), Some(&[1][..]));
        assert_eq!(memory.read(0x1_0000, 1), Some(&[2][..]));
    }

    #[test]
    fn without_its_upper_address_data_is_left_out() {
        let (memory, found) = read_text(
            ":020000042000DB\n:02A100004254C7\n:020000040000FA\n:0100000007F8\n:00000001FF\n",
        );
        assert_eq!(memory.total_bytes(), 1);
        assert_eq!(memory.read(0, 1), Some(&[7][..]));
        assert_eq!(
            found,
            [DiagnosticKind::BadRecord, DiagnosticKind::MissingBytes]
        );
    }

    #[test]
    fn linear_addresses_wrap_at_4_gib() {
        let (memory, _) = read_text(":02000004FFFFFC\n:02FFFF000102FD\n:00000001FF\n");
        assert_eq!(memory.read(0xFFFF_FFFF, 1), Some(&[1][..]));
        assert_eq!(memory.read(0, 1), Some(&[2][..]));
    }

    #[test]
    fn a_missing_end_is_reported() {
        let (_, found) = read_text(":0100000042BD\n");
        assert_eq!(found, [DiagnosticKind::Truncated]);
        let (_, found) = read_text(":0100000042BD\n:00000001FF\nrubbish\n");
        assert_eq!(found, [DiagnosticKind::OtherText]);
    }

    #[test]
    fn files_follow_each_other_in_a_log() {
        let (memory, found) = read_text(
            "> cat both\n[10:20] :020000042000DA\n[10:20] :0100000042BD\n[10:21] :00000001FF\n\
             [10:22] :0100000007F8\n[10:22] :00000001FF\n> \n",
        );
        assert_eq!(memory.read(0x2000_0000, 1), Some(&b"B"[..]));
        assert_eq!(memory.read(0, 1), Some(&[7][..]));
        assert_eq!(found, [DiagnosticKind::OtherText]);
    }

    #[test]
    fn without_data_there_is_no_memory() {
        let error = read(b":00000001FF\n", &mut Diagnostics::default()).unwrap_err();
        assert!(error.to_string().contains("none of them contains data"));
    }
}
