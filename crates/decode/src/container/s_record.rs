use super::digits;
use super::rejected_lines::RejectedLines;
use crate::DecodeError;
use crate::memory::{Memory, MemoryBuilder};
use rtoscope_trace::text::{self, TextLine};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Diagnostics};

/// Reads Motorola S-records, in any order.
pub(super) fn read(
    bytes: &[u8],
    diagnostics: &mut Diagnostics,
) -> Result<Memory<'static>, DecodeError> {
    let mut reader = SRecordReader::default();
    let mut record = Vec::new();
    for line in text::lines(bytes) {
        record.clear();
        let parsed = parse(line, &mut record)
            .and_then(|kind| reader.apply(kind, &record, line, diagnostics));
        if let Err(problem) = parsed {
            reader.reject(line, &problem, diagnostics);
        }
    }
    reader.finish(bytes, diagnostics)
}

/// Returns the type of a record and its bytes after the count; verifies count
/// and checksum.
pub(super) fn parse(line: TextLine<'_>, record: &mut Vec<u8>) -> Result<u8, String> {
    let [b'S', kind @ b'0'..=b'9', digits @ ..] = line.last_word() else {
        return Err("it does not start with S and a digit".to_owned());
    };
    digits::parse_bytes(digits, 3, record).map_err(|error| error.to_string())?;
    let count = usize::from(record.first().copied().unwrap_or_default());
    if record.len() != count + 1 || count == 0 {
        return Err(format!(
            "{} bytes follow its count, expected {count}",
            record.len().saturating_sub(1)
        ));
    }
    // The checksum is the complement of the sum of all bytes before it.
    let (found, summed) = record.split_last().unwrap_or((&0, &[]));
    let sum = summed
        .iter()
        .fold(0_u8, |sum, byte| sum.wrapping_add(*byte));
    if *found != !sum {
        return Err(format!(
            "its checksum is {found:#04x}, expected {:#04x}",
            !sum
        ));
    }
    Ok(kind - b'0')
}

#[derive(Default)]
struct SRecordReader {
    memory: MemoryBuilder<'static>,
    data_records: u64,
    rejected_records: u64,
    has_end_record: bool,
    rejected_lines: RejectedLines,
}

impl SRecordReader {
    fn apply(
        &mut self,
        kind: u8,
        record: &[u8],
        line: TextLine<'_>,
        diagnostics: &mut Diagnostics,
    ) -> Result<(), String> {
        let fields = record
            .get(1..record.len().saturating_sub(1))
            .unwrap_or_default();
        let address_bytes = match kind {
            1 | 5 | 9 => 2,
            2 | 6 | 8 => 3,
            3 | 7 => 4,
            // A header's address is unused; type 4 is reserved.
            0 => return Ok(()),
            _ => return Err(format!("its type is S{kind}, which does not exist")),
        };
        let (address, data) = fields
            .split_at_checked(address_bytes)
            .ok_or_else(|| format!("its {} bytes are too few for an address", fields.len()))?;
        let address = address
            .iter()
            .fold(0_u64, |sum, byte| sum << 8 | u64::from(*byte));
        match kind {
            1..=3 => {
                self.memory.push(address, data);
                self.data_records += 1;
            }
            5 | 6 => self.check_count(address, line, diagnostics),
            _ => {
                // Another file may follow.
                self.has_end_record = true;
                self.data_records = 0;
                self.rejected_records = 0;
            }
        }
        Ok(())
    }

    /// A count record contains the expected number of data records.
    fn check_count(&self, expected: u64, line: TextLine<'_>, diagnostics: &mut Diagnostics) {
        let found = self.data_records + self.rejected_records;
        if expected != found {
            let message = format!(
                "line {} declares {expected} data records, but there are {found}",
                line.number
            );
            let diagnostic = Diagnostic::new(DiagnosticKind::BadRecord, message);
            diagnostics.push(diagnostic.at_offset(line.offset));
        }
    }

    fn reject(&mut self, line: TextLine<'_>, problem: &str, diagnostics: &mut Diagnostics) {
        if text::is_other_text(line.text) {
            self.rejected_lines.ignore(line);
            return;
        }
        self.rejected_records += 1;
        self.rejected_lines
            .report(line, "S-record", problem, diagnostics);
    }

    fn finish(
        self,
        bytes: &[u8],
        diagnostics: &mut Diagnostics,
    ) -> Result<Memory<'static>, DecodeError> {
        if self.memory.is_empty() {
            return Err(self.rejected_lines.no_record_error(
                "S-record",
                "none of them contains data",
                bytes,
            ));
        }
        if !self.has_end_record {
            let message =
                "the end record (S7, S8 or S9) is missing, as in the output of some tools";
            let diagnostic = Diagnostic::new(DiagnosticKind::NoEndRecord, message);
            diagnostics.push(diagnostic.at_offset(bytes.len() as u64));
        }
        self.rejected_lines.report_ignored(diagnostics);
        let (memory, found) = self.memory.finish(true);
        diagnostics.extend(found);
        Ok(memory)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_text(text: &str) -> (Memory<'static>, Vec<String>) {
        let mut diagnostics = Diagnostics::default();
        let memory = read(text.as_bytes(), &mut diagnostics).unwrap();
        let messages = diagnostics.iter().map(|it| it.message.clone());
        (memory, messages.collect())
    }

    #[test]
    fn a_missing_end_is_reported() {
        let (_, found) = read_text("S104000042B9\n");
        assert_eq!(found.len(), 1);
        let error = read(b"S9030000FC\n", &mut Diagnostics::default()).unwrap_err();
        assert!(error.to_string().contains("S-record"));
    }
}
