use super::debug_sections::DwarfSlice;
use super::dwarf_text::TextLocation;
use super::section_starts::truncate;
use crate::code_location::SourceLine;
use gimli::{DebugLine, DebugLineOffset, Dwarf, LineProgramHeader, Reader as _, Section};
use rtoscope_trace::Name;
use std::ops::Range;

/// Maximum length of a program's header: a longer one would allocate memory for
/// files that do not exist.
const MAX_HEADER_BYTES: usize = 1 << 20;
/// Maximum number of sequences before an address to examine: only sequences of
/// removed code overlap.
const MAX_OVERLAPPING_SEQUENCES: usize = 8;

/// The location of a line number program, and properties that it does not
/// contain.
#[derive(Debug)]
pub(super) struct ProgramLocation {
    pub(super) start: usize,
    pub(super) end: usize,
    /// The compilation directory.
    pub(super) folder: TextLocation,
    pub(super) address_size: u8,
    /// Whether there is code at address 0.
    pub(super) zero_is_code: bool,
}

/// The lines of one compilation unit.
#[derive(Debug, Default)]
pub(super) struct LineProgram {
    folder: Option<TextLocation>,
    folders: Vec<TextLocation>,
    files: Vec<SourceFile>,
    /// The number of the first folder and file.
    first: u64,
    rows: Vec<LineRow>,
    /// By start.
    sequences: Vec<CodeSequence>,
}

#[derive(Debug)]
struct SourceFile {
    name: TextLocation,
    folder: u64,
}

/// The line of the code from this address on.
#[derive(Debug, Clone, Copy)]
struct LineRow {
    address: u64,
    file: u32,
    line: u32,
}

/// Rows of contiguous code.
#[derive(Debug)]
struct CodeSequence {
    start: u64,
    end: u64,
    rows: Range<usize>,
}

impl LineProgram {
    /// Reads the program at `place`, up to damage.
    pub(super) fn read(dwarf: &Dwarf<DwarfSlice<'_>>, location: &ProgramLocation) -> Self {
        let section = truncate(*dwarf.debug_line.reader(), location.end);
        let mut program = Self {
            folder: Some(location.folder),
            ..Self::default()
        };
        let mut start = section;
        let length = start
            .skip(location.start)
            .and_then(|()| header_length(start));
        if length.is_ok_and(|length| length > MAX_HEADER_BYTES) {
            return program;
        }
        let offset = DebugLineOffset(location.start);
        let lines = DebugLine::from(section).program(offset, location.address_size, None, None);
        let Ok(lines) = lines else {
            return program;
        };
        program.name_files(dwarf, lines.header());
        let mut rows = lines.rows();
        let mut first = 0;
        while let Ok(Some((_, row))) = rows.next_row() {
            if row.end_sequence() {
                program.end_sequence(first, row.address(), location.zero_is_code);
                first = program.rows.len();
            } else {
                program.rows.push(LineRow {
                    address: row.address(),
                    file: u32::try_from(row.file_index()).unwrap_or(u32::MAX),
                    line: row
                        .line()
                        .map_or(0, |line| u32::try_from(line.get()).unwrap_or(u32::MAX)),
                });
            }
        }
        program.rows.truncate(first);
        program.sequences.sort_by_key(|sequence| sequence.start);
        program
    }

    fn name_files(
        &mut self,
        dwarf: &Dwarf<DwarfSlice<'_>>,
        header: &LineProgramHeader<DwarfSlice<'_>>,
    ) {
        self.first = u64::from(header.version() < 5);
        let folders = header.include_directories().iter();
        self.folders = folders.map(|it| TextLocation::of_line(dwarf, it)).collect();
        let files = header.file_names().iter();
        self.files = files
            .map(|file| SourceFile {
                name: TextLocation::of_line(dwarf, &file.path_name()),
                folder: file.directory_index(),
            })
            .collect();
    }

    /// Ends the sequence of the rows from `first` on.
    fn end_sequence(&mut self, first: usize, end: u64, zero_is_code: bool) {
        let following = self.rows.len();
        let rows = self.rows.get_mut(first..).unwrap_or_default();
        rows.sort_by_key(|row| row.address);
        let Some(start) = rows.first().map(|row| row.address) else {
            return;
        };
        if start < end && (start != 0 || zero_is_code) {
            self.sequences.push(CodeSequence {
                start,
                end,
                rows: first..following,
            });
        } else {
            self.rows.truncate(first);
        }
    }

    /// The line of the code at `address`.
    pub(super) fn at(&self, dwarf: &Dwarf<DwarfSlice<'_>>, address: u64) -> Option<SourceLine> {
        let following = self.sequences.partition_point(|it| it.start <= address);
        let near = self.sequences.get(..following)?.iter().rev();
        let sequence = near
            .take(MAX_OVERLAPPING_SEQUENCES)
            .find(|it| address < it.end)?;
        let rows = self.rows.get(sequence.rows.clone())?;
        let following = rows.partition_point(|row| row.address <= address);
        let row = rows.get(following.checked_sub(1)?)?;
        Some(SourceLine {
            file: self.file(dwarf, row.file.into())?,
            line: (row.line != 0).then_some(row.line.into()),
        })
    }

    fn file(&self, dwarf: &Dwarf<DwarfSlice<'_>>, number: u64) -> Option<Name> {
        let numbered = |number: u64| usize::try_from(number.checked_sub(self.first)?).ok();
        let file = self.files.get(numbered(number)?)?;
        let mut path = file.name.read(dwarf)?.to_vec();
        let folder = numbered(file.folder).and_then(|number| self.folders.get(number));
        // In DWARF 5 the first folder is the compilation directory.
        let working = match self.first {
            0 => self.folders.first(),
            _ => self.folder.as_ref(),
        };
        for folder in [folder, working].into_iter().flatten() {
            if is_absolute(&path) {
                break;
            }
            if let Some(folder) = folder.read(dwarf) {
                let separator: &[u8] = if folder.ends_with(b"/") { b"" } else { b"/" };
                path = [folder, separator, &path].concat();
            }
            if file.folder == 0 {
                break;
            }
        }
        Some(Name::new(&path))
    }
}

/// Whether a path is absolute, with or without a drive.
fn is_absolute(path: &[u8]) -> bool {
    matches!(path, [b'/' | b'\\', ..] | [_, b':', ..])
}

/// The header length in the program at the start of `program` (DWARF 5, 6.2.4).
fn header_length(mut program: DwarfSlice<'_>) -> gimli::Result<usize> {
    let (_, format) = program.read_initial_length()?;
    if program.read_u16()? >= 5 {
        // The sizes of an address and of a segment selector.
        program.skip(2)?;
    }
    program.read_length(format)
}
