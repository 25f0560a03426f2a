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
    broken: Option<Break>,
}

/// Where it broke, until it is known why.
struct Break {
    at: Moment,
    reason: Vec<u8>,
    missing: u64,
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
            broken: (missing > 0).then_some(Break {
                at: segment.begun,
                reason: Vec::new(),
                missing,
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
            What::Broke(_) if entry.offset < self.from => {}
            What::Broke(at) => {
                // It says why the bytes before it are missing.
                let begins = |broken: &Break| broken.missing > 0 && broken.reason.is_empty();
                let missing = match &self.broken {
                    Some(broken) if begins(broken) && entry.offset == self.rest.start => {
                        broken.missing
                    }
                    _ => {
                        let flow = self.bytes_to(entry.offset)?;
                        if flow.is_break() {
                            return Ok(flow);
                        }
                        0
                    }
                };
                self.broken = Some(Break {
                    at,
                    reason: Vec::new(),
                    missing,
                });
            }
            What::Text(text, length) => {
                if let Some(broken) = &mut self.broken {
                    let text = text.get(..length.into()).unwrap_or_default();
                    broken.add(text);
                }
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Visits the bytes up to an offset, behind what broke before them.
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

    /// Says what broke.
    fn tell(&mut self) -> ControlFlow<()> {
        let Some(broken) = self.broken.take() else {
            return ControlFlow::Continue(());
        };
        let reason = String::from_utf8_lossy(&broken.reason);
        let is_unknown = reason.is_empty() && broken.missing > 0;
        (self.visit)(Part::Interrupted {
            at: broken.at,
            reason: if is_unknown { MISSING } else { &reason },
            missing: broken.missing,
        })
    }
}

impl Break {
    fn add(&mut self, text: &[u8]) {
        // A damaged index may say more than was ever written.
        if self.reason.len() < Entry::MOST_TEXT {
            self.reason.extend_from_slice(text);
        }
    }
}
