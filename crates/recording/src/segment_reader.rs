//! Segments on disk, and their reader.

use super::entry::{EntryKind, IndexEntry};
use super::folder::{self, SegmentFileKind};
use super::index::SegmentIndex;
use super::{DamagedBlock, RecordingError, RecordingItem};
use crc32fast::Hasher;
use rtoscope_decode::files::FileReader;
use rtoscope_decode::live::HostTime;
use std::io::{BufRead as _, BufReader, ErrorKind, Seek as _, SeekFrom};
use std::ops::{ControlFlow, Range};
use std::path::{Path, PathBuf};

/// Number of bytes read at once.
const READ_LEN: usize = 1 << 18;

/// A segment of a recording.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Segment {
    /// Number, from 1.
    pub number: u64,
    /// Offset in the recording.
    pub offset: u64,
    /// Size in bytes.
    pub bytes: u64,
    /// When it was started; if unknown, the start of the previous segment.
    pub begun: HostTime,
    pub(super) has_index: bool,
}

impl Segment {
    /// Offset after its last byte.
    pub fn end(&self) -> u64 {
        self.offset.saturating_add(self.bytes)
    }
}

/// A segment being read.
pub(super) struct SegmentReader<V> {
    bytes: BufReader<FileReader>,
    path: PathBuf,
    segment: Segment,
    index: Option<SegmentIndex>,
    visit: V,
    /// Bytes before this offset are skipped.
    from: u64,
    /// The offsets that are not visited yet.
    remaining: Range<u64>,
    /// When the next bytes arrived.
    at: HostTime,
    /// Where the last block began, and the checksum of the bytes since then.
    block: (u64, Hasher),
    pending_note: Option<PendingNote>,
}

/// A note whose text is still being read.
struct PendingNote {
    at: HostTime,
    text: Vec<u8>,
    kind: NoteKind,
}

/// The kind of a note.
#[derive(Clone, Copy, PartialEq, Eq)]
enum NoteKind {
    /// An interruption, or missing bytes.
    Interruption { missing: u64 },
    /// Refused connections.
    Refused,
}

/// The default reason for missing bytes.
const MISSING_BYTES_REASON: &str = "the bytes received here no longer exist";

impl<V: FnMut(RecordingItem<'_>) -> ControlFlow<()>> SegmentReader<V> {
    /// Opens a segment to visit its items from an offset on. `missing` bytes are
    /// missing before it. `None` if it no longer exists.
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
            segment: *segment,
            index,
            visit,
            from,
            remaining: from..segment.end(),
            at: segment.begun,
            block: (from, Hasher::new()),
            pending_note: (missing > 0).then_some(PendingNote {
                at: segment.begun,
                text: Vec::new(),
                kind: NoteKind::Interruption { missing },
            }),
        }))
    }

    /// Visits all items.
    pub(super) fn run(mut self) -> Result<ControlFlow<()>, RecordingError> {
        let end = self.remaining.end;
        if let Some(mut index) = self.index.take() {
            while let Some(entry) = index.next()? {
                // Entries for later bytes, or for bytes that the disk lost.
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
                self.block = (self.remaining.start, Hasher::new());
                return Ok(flow);
            }
            EntryKind::Block(length, checksum) => {
                let flow = self.visit_bytes_to(entry.offset)?;
                let (start, found) = &self.block;
                let is_read = self.remaining.start == entry.offset
                    && start.checked_add(length.into()) == Some(entry.offset);
                if flow.is_continue() && is_read && found.clone().finalize() != checksum {
                    return Ok((self.visit)(RecordingItem::Damaged(DamagedBlock {
                        segment: self.segment.number,
                        file_offset: start - self.segment.offset,
                        offset: *start,
                        bytes: length.into(),
                    })));
                }
                return Ok(flow);
            }
            // What came before the first visited byte does not matter.
            EntryKind::Disconnected(_) | EntryKind::Refused(_) | EntryKind::Unread(_)
                if entry.offset < self.from => {}
            EntryKind::Disconnected(at) => {
                // It may contain the reason for the missing bytes before it.
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
            EntryKind::Unread(unread) => {
                if self.visit_bytes_to(entry.offset)?.is_break() {
                    return Ok(ControlFlow::Break(()));
                }
                return Ok((self.visit)(RecordingItem::Unread(unread)));
            }
            EntryKind::Ended => {}
            EntryKind::Text(text, length) => {
                if let Some(note) = &mut self.pending_note {
                    let text = text.get(..length.into()).unwrap_or_default();
                    note.add(text);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the bytes up to an offset, after the pending note.
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
                // The file was truncated meanwhile.
                break;
            }
            let count = bytes.len();
            self.block.1.update(bytes);
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

    /// Visits the pending note.
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
        // A damaged index may contain more text than was ever written.
        if self.text.len() < IndexEntry::MAX_TEXT {
            self.text.extend_from_slice(text);
        }
    }
}
