//! Reads a segment.

use super::entry::{Entry, What};
use super::folder::{self, Kind};
use super::index::Index;
use super::recording::Segment;
use super::{Part, RecordingError};
use rtoscope_decode::live::Moment;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Bytes that are read at once.
const PIECE: usize = 1 << 18;

/// A segment that is being read.
pub(super) struct Reading<V> {
    bytes: BufReader<File>,
    path: PathBuf,
    index: Option<Index>,
    visit: V,
    /// Bytes before this one are not wanted.
    from: u64,
    /// The offsets that are not visited yet.
    rest: Range<u64>,
    /// When the next bytes came.
    at: Moment,
    note: Option<Note>,
}

/// Something that has an explanation, until all of that is known.
struct Note {
    at: Moment,
    text: Vec<u8>,
    subject: Subject,
}

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The connection broke, or bytes are missing.
    Break { missing: u64 },
    /// Connections were refused.
    Refusal,
}

/// What is said of bytes that are missing, if nobody says more.
const MISSING: &str = "what came here is no longer there";

impl<V: FnMut(Part<'_>) -> ControlFlow<()>> Reading<V> {
    /// Opens a segment to visit what it holds from an offset on. `missing` bytes
    /// are not there before it. `None` if it is no longer there itself.
    pub(super) fn open(
        folder: &Path,
        segment: &Segment,
        from: u64,
        missing: u64,
        visit: V,
    ) -> Result<Option<Self>, RecordingError> {
        let path = folder::path(folder, segment.number, Kind::Bytes);
        let Some(mut bytes) = folder::open(&path)? else {
            return Ok(None);
        };
        let from = from.clamp(segment.offset, segment.end());
        let place = SeekFrom::Start(from - segment.offset);
        let sought = bytes.seek(place);
        sought.map_err(|error| RecordingError::io("cannot read", &path, error))?;
        let mut index = if segment.has_index {
            Index::open(folder, segment.number, segment.offset)?
        } else {
            None
        };
        if let Some(index) = &mut index
            && from > segment.offset
        {
            index.seek(from)?;
        }
        Ok(Some(Self {
            bytes: BufReader::with_capacity(PIECE, bytes),
            path,
            index,
            visit,
            from,
            rest: from..segment.end(),
            at: segment.begun,
            note: (missing > 0).then_some(Note {
                at: segment.begun,
                text: Vec::new(),
                subject: Subject::Break { missing },
            }),
        }))
    }

    /// Visits it all.
    pub(super) fn run(mut self) -> Result<ControlFlow<()>, RecordingError> {
        let end = self.rest.end;
        if let Some(mut index) = self.index.take() {
            while let Some(entry) = index.next()? {
                // Of bytes that came later, or that the disk has lost.
                if entry.is_ok_and(|entry| entry.offset > end) {
                    break;
                }
                if let Ok(entry) = entry
                    && self.take(&entry)?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        self.bytes_to(end)
    }

    fn take(&mut self, entry: &Entry) -> Result<ControlFlow<()>, RecordingError> {
        match entry.what {
            What::Came(at) => {
                let flow = self.bytes_to(entry.offset)?;
                self.at = at;
                return Ok(flow);
            }
            // Where reading begins, it does not matter what was before.
            What::Broke(_) | What::Refused(_) if entry.offset < self.from => {}
            What::Broke(at) => {
                // It may say why the bytes before it are missing.
                let missing = match &self.note {
                    Some(note) if note.text.is_empty() && entry.offset == self.rest.start => {
                        note.missing()
                    }
                    _ => 0,
                };
                if missing == 0 && self.bytes_to(entry.offset)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                self.note = Some(Note {
                    at,
                    text: Vec::new(),
                    subject: Subject::Break { missing },
                });
            }
            What::Refused(at) => {
                if self.bytes_to(entry.offset)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                self.note = Some(Note {
                    at,
                    text: Vec::new(),
                    subject: Subject::Refusal,
                });
            }
            What::Text(text, length) => {
                if let Some(note) = &mut self.note {
                    let text = text.get(..length.into()).unwrap_or_default();
                    note.add(text);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the bytes up to an offset, after the note before them.
    fn bytes_to(&mut self, end: u64) -> Result<ControlFlow<()>, RecordingError> {
        if self.tell().is_break() {
            return Ok(ControlFlow::Break(()));
        }
        while self.rest.start < end {
            let bytes = match self.bytes.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(RecordingError::io("cannot read", &self.path, error)),
            };
            let wanted = usize::try_from(end - self.rest.start).unwrap_or(usize::MAX);
            let bytes = bytes.get(..wanted).unwrap_or(bytes);
            if bytes.is_empty() {
                // It was shortened meanwhile.
                break;
            }
            let count = bytes.len();
            let flow = (self.visit)(Part::Bytes {
                offset: self.rest.start,
                bytes,
                at: self.at,
            });
            self.bytes.consume(count);
            self.rest.start += count as u64;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the note.
    fn tell(&mut self) -> ControlFlow<()> {
        let Some(note) = self.note.take() else {
            return ControlFlow::Continue(());
        };
        let Note { at, text, subject } = note;
        let text = String::from_utf8_lossy(&text);
        (self.visit)(match subject {
            Subject::Break { missing } => Part::Interrupted {
                at,
                reason: match text.is_empty() && missing > 0 {
                    true => MISSING,
                    false => &text,
                },
                missing,
            },
            Subject::Refusal => Part::Refused { at, message: &text },
        })
    }
}

impl Note {
    fn missing(&self) -> u64 {
        match self.subject {
            Subject::Break { missing } => missing,
            Subject::Refusal => 0,
        }
    }

    fn add(&mut self, text: &[u8]) {
        // A damaged index may say more than was ever written.
        if self.text.len() < Entry::MAX_TEXT {
            self.text.extend_from_slice(text);
        }
    }
}
