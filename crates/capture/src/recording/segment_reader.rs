//! Reads a segment.

use super::entry::{EntryKind, IndexEntry};
use super::folder::{self, SegmentFileKind};
use super::index::SegmentIndex;
use super::recording::Segment;
use super::{RecordingError, RecordingItem};
use rtoscope_decode::live::HostTime;
use std::fs::File;
use std::io::{BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Bytes that are read at once.
const READ_LEN: usize = 1 << 18;

/// A segment that is being read.
pub(super) struct SegmentReader<V> {
    bytes: BufReader<File>,
    path: PathBuf,
    index: Option<SegmentIndex>,
    visit: V,
    /// Bytes before this one are not wanted.
    from: u64,
    /// The offsets that are not visited yet.
    remaining: Range<u64>,
    /// When the next bytes came.
    at: HostTime,
    pending_note: Option<PendingNote>,
}

/// Something that has an explanation, until all of that is known.
struct PendingNote {
    at: HostTime,
    text: Vec<u8>,
    kind: NoteKind,
}

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NoteKind {
    /// The connection broke, or bytes are missing.
    Interruption { missing: u64 },
    /// Connections were refused.
    Refused,
}

/// What is said of bytes that are missing, if nobody says more.
const MISSING_BYTES_REASON: &str = "what came here is no longer there";

impl<V: FnMut(RecordingItem<'_>) -> ControlFlow<()>> SegmentReader<V> {
    /// Opens a segment to visit what it holds from an offset on. `missing` bytes
    /// are not there before it. `None` if it is no longer there itself.
    pub(super) fn open(
        folder: &Path,
        segment: &Segment,
        from: u64,
        missing: u64,
        visit: V,
    ) -> Result<Option<Self>, RecordingError> {
        let path = folder::path(folder, segment.number, SegmentFileKind::Bytes);
        let Some(mut bytes) = folder::open(&path)? else {
            return Ok(None);
        };
        let from = from.clamp(segment.offset, segment.end());
        let place = SeekFrom::Start(from - segment.offset);
        let sought = bytes.seek(place);
        sought.map_err(|error| RecordingError::io("cannot read", &path, error))?;
        let mut index = if segment.has_index {
            SegmentIndex::open(folder, segment.number, segment.offset)?
        } else {
            None
        };
        if let Some(index) = &mut index
            && from > segment.offset
        {
            index.seek(from)?;
        }
        Ok(Some(Self {
            bytes: BufReader::with_capacity(READ_LEN, bytes),
            path,
            index,
            visit,
            from,
            remaining: from..segment.end(),
            at: segment.begun,
            pending_note: (missing > 0).then_some(PendingNote {
                at: segment.begun,
                text: Vec::new(),
                kind: NoteKind::Interruption { missing },
            }),
        }))
    }

    /// Visits it all.
    pub(super) fn run(mut self) -> Result<ControlFlow<()>, RecordingError> {
        let end = self.remaining.end;
        if let Some(mut index) = self.index.take() {
            while let Some(entry) = index.next()? {
                // Of bytes that came later, or that the disk has lost.
                if entry.is_ok_and(|entry| entry.offset > end) {
                    break;
                }
                if let Ok(entry) = entry
                    && self.visit_entry(&entry)?.is_break()
                {
                    return Ok(ControlFlow::Break(()));
                }
            }
        }
        self.visit_bytes_to(end)
    }

    fn visit_entry(&mut self, entry: &IndexEntry) -> Result<ControlFlow<()>, RecordingError> {
        match entry.kind {
            EntryKind::Received(at) => {
                let flow = self.visit_bytes_to(entry.offset)?;
                self.at = at;
                return Ok(flow);
            }
            // Where reading begins, it does not matter what was before.
            EntryKind::Disconnected(_) | EntryKind::Refused(_) if entry.offset < self.from => {}
            EntryKind::Disconnected(at) => {
                // It may say why the bytes before it are missing.
                let missing = match &self.pending_note {
                    Some(note) if note.text.is_empty() && entry.offset == self.remaining.start => {
                        note.missing()
                    }
                    _ => 0,
                };
                if missing == 0 && self.visit_bytes_to(entry.offset)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                self.pending_note = Some(PendingNote {
                    at,
                    text: Vec::new(),
                    kind: NoteKind::Interruption { missing },
                });
            }
            EntryKind::Refused(at) => {
                if self.visit_bytes_to(entry.offset)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                self.pending_note = Some(PendingNote {
                    at,
                    text: Vec::new(),
                    kind: NoteKind::Refused,
                });
            }
            EntryKind::Text(text, length) => {
                if let Some(note) = &mut self.pending_note {
                    let text = text.get(..length.into()).unwrap_or_default();
                    note.add(text);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the bytes up to an offset, after the note before them.
    fn visit_bytes_to(&mut self, end: u64) -> Result<ControlFlow<()>, RecordingError> {
        if self.visit_note().is_break() {
            return Ok(ControlFlow::Break(()));
        }
        while self.remaining.start < end {
            let bytes = match self.bytes.fill_buf() {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return Err(RecordingError::io("cannot read", &self.path, error)),
            };
            let wanted = usize::try_from(end - self.remaining.start).unwrap_or(usize::MAX);
            let bytes = bytes.get(..wanted).unwrap_or(bytes);
            if bytes.is_empty() {
                // It was shortened meanwhile.
                break;
            }
            let count = bytes.len();
            let flow = (self.visit)(RecordingItem::Bytes {
                offset: self.remaining.start,
                bytes,
                at: self.at,
            });
            self.bytes.consume(count);
            self.remaining.start += count as u64;
            if flow.is_break() {
                return Ok(flow);
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the note.
    fn visit_note(&mut self) -> ControlFlow<()> {
        let Some(note) = self.pending_note.take() else {
            return ControlFlow::Continue(());
        };
        let PendingNote {
            at,
            text,
            kind: subject,
        } = note;
        let text = String::from_utf8_lossy(&text);
        (self.visit)(match subject {
            NoteKind::Interruption { missing } => RecordingItem::Interrupted {
                at,
                reason: match text.is_empty() && missing > 0 {
                    true => MISSING_BYTES_REASON,
                    false => &text,
                },
                missing_bytes: missing,
            },
            NoteKind::Refused => RecordingItem::Refused { at, message: &text },
        })
    }
}

impl PendingNote {
    fn missing(&self) -> u64 {
        match self.kind {
            NoteKind::Interruption { missing } => missing,
            NoteKind::Refused => 0,
        }
    }

    fn add(&mut self, text: &[u8]) {
        // A damaged index may say more than was ever written.
        if self.text.len() < IndexEntry::MAX_TEXT {
            self.text.extend_from_slice(text);
        }
    }
}
