//! Retention of segments.

use super::RecordingError;
use super::folder;
use super::segment_metadata::SegmentMetadata;
use rtoscope_decode::Format;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Decides which segments of a recording are kept: the last ones, and earlier ones
/// whose metadata is not stored elsewhere yet.
#[derive(Debug)]
pub struct SegmentRetention {
    folder: PathBuf,
    /// Maximum number of segments, at least 1.
    max_segments: usize,
    retained: Mutex<RetainedSegments>,
}

#[derive(Debug)]
struct RetainedSegments {
    /// Oldest first.
    segments: VecDeque<SegmentPosition>,
    /// The newest segment that has stored metadata, or needs none.
    metadata_segment: u64,
    /// Why a segment could not be removed, until reported.
    removal_error: Option<RecordingError>,
}

#[derive(Debug, Clone, Copy)]
struct SegmentPosition {
    number: u64,
    /// Offset in the recording.
    offset: u64,
}

/// A decoder that starts at a segment misses the incomplete frame before it: a
/// record of a stream has at most 256 bytes, or twice that with all bytes escaped.
const MAX_PARTIAL_FRAME_BYTES: u64 = 512;

/// Maximum size of segments that wait for the metadata of a later one, if that is more
/// than one segment: twice the size of the decoder's queue.
const MAX_WAITING_BYTES: u64 = 64 << 20;

/// Minimum size that a segment counts with: files occupy whole blocks.
const MIN_SEGMENT_COST: u64 = 1 << 16;

impl SegmentRetention {
    pub(super) fn new(folder: PathBuf, most: Option<usize>) -> Self {
        Self {
            folder,
            max_segments: most.unwrap_or(usize::MAX).max(1),
            retained: Mutex::new(RetainedSegments {
                segments: VecDeque::new(),
                metadata_segment: 1,
                removal_error: None,
            }),
        }
    }

    /// Whether [`SegmentRetention::store_metadata`] has work to do when this many bytes
    /// of the recording are decoded.
    pub fn needs_metadata(&self, understood: u64) -> bool {
        self.lock().due(understood).is_some()
    }

    /// Stores the metadata from the first `understood` bytes of the recording that is
    /// needed to decode later bytes; empty if none is needed. It is stored beside the
    /// newest segment that started before; older segments may then be removed.
    pub fn store_metadata(&self, understood: u64, format: Format, preface: &[u8]) {
        let Some(segment) = self.lock().due(understood) else {
            return;
        };
        let preface = SegmentMetadata {
            format,
            bytes: preface.to_vec(),
        };
        // Without holding the lock: a disk may be slow, and the recorder must not wait.
        // A failure is retried; the recorder reports a full disk.
        while !preface.bytes.is_empty()
            && let Err(error) = preface.write(&self.folder, segment)
        {
            let is_oldest = self.lock().segments.front().map(|it| it.number) == Some(segment);
            if is_oldest || !error.is_full_disk() || !self.remove_oldest() {
                return;
            }
        }
        let mut kept = self.lock();
        kept.metadata_segment = segment;
        let mut removed = kept.surplus(self.max_segments);
        if kept.segments.iter().all(|place| place.number != segment) {
            removed.push(segment);
        }
        drop(kept);
        self.remove(&removed);
    }

    /// Registers a new segment.
    pub(super) fn add(&self, number: u64, offset: u64) {
        let mut kept = self.lock();
        kept.segments.push_back(SegmentPosition { number, offset });
        let removed = kept.surplus(self.max_segments);
        drop(kept);
        self.remove(&removed);
    }

    /// Removes the oldest segment to free space on a full disk, even if its metadata is
    /// needed, but never the newest one. Returns whether there was one.
    pub(super) fn remove_oldest(&self) -> bool {
        let mut kept = self.lock();
        let oldest = (kept.segments.len() > 1)
            .then(|| kept.segments.pop_front())
            .flatten()
            .map(|it| it.number);
        drop(kept);
        self.remove(oldest.as_slice());
        oldest.is_some()
    }

    /// The error since the last call, if any.
    pub(super) fn take_error(&self) -> Option<RecordingError> {
        self.lock().removal_error.take()
    }

    fn remove(&self, segments: &[u64]) {
        for segment in segments {
            if let Err(error) = folder::remove(&self.folder, *segment) {
                self.lock().removal_error.get_or_insert(error);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, RetainedSegments> {
        self.retained.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RetainedSegments {
    /// The newest segment that can and must get metadata.
    fn due(&self, understood: u64) -> Option<u64> {
        let mut newest_first = self.segments.iter().rev();
        let is_passed = |place: &&SegmentPosition| {
            place.offset.saturating_add(MAX_PARTIAL_FRAME_BYTES) <= understood
        };
        let newest = newest_first.find(is_passed)?.number;
        (newest > self.metadata_segment).then_some(newest)
    }

    /// Takes the segments that are no longer kept.
    fn surplus(&mut self, most: usize) -> Vec<u64> {
        let mut removed = Vec::new();
        while self.segments.len() > most
            && let Some(oldest) = self.segments.front()
            && (oldest.number < self.metadata_segment || self.exceeds_waiting_limit(most))
        {
            removed.push(oldest.number);
            self.segments.pop_front();
        }
        removed
    }

    /// Whether the segments beyond the maximum are too large to wait for metadata.
    fn exceeds_waiting_limit(&self, most: usize) -> bool {
        let waiting = self.segments.len().saturating_sub(most);
        let places = self.segments.iter();
        let bytes = places.clone().zip(places.skip(1)).take(waiting);
        let bytes = bytes.map(|(place, next)| {
            next.offset
                .saturating_sub(place.offset)
                .max(MIN_SEGMENT_COST)
        });
        waiting > 1 && bytes.fold(0, u64::saturating_add) > MAX_WAITING_BYTES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The oldest segment after many were started without metadata.
    fn oldest(keeper: &SegmentRetention, bytes: u64) -> u64 {
        for number in 1..=5000 {
            keeper.add(number, (number - 1) * bytes);
        }
        keeper.lock().segments.front().unwrap().number
    }

    #[test]
    fn segments_waiting_for_metadata_are_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = |most| SegmentRetention::new(folder.path().to_owned(), most);
        for (bytes, waiting) in [(1, 1024), (1 << 20, 64), (40 << 20, 1), (1 << 40, 1)] {
            assert_eq!(oldest(&keeper(Some(3)), bytes), 5000 - 2 - waiting);
        }
        assert_eq!(oldest(&keeper(None), 1 << 40), 1);
    }

    #[test]
    fn full_disks_are_freed() {
        let folder = tempfile::tempdir().unwrap();
        let keeper = SegmentRetention::new(folder.path().to_owned(), Some(3));
        oldest(&keeper, 1 << 20);
        while keeper.remove_oldest() {}
        assert_eq!(keeper.lock().segments.len(), 1);
        // Nothing is left of a removed segment.
        keeper.store_metadata(u64::MAX, rtoscope_decode::rkh::FORMAT, b"names");
        let keeper = SegmentRetention::new(folder.path().to_owned(), Some(1));
        oldest(&keeper, 1 << 20);
        keeper.store_metadata(u64::MAX, rtoscope_decode::rkh::FORMAT, b"names");
        assert_eq!(keeper.lock().segments.len(), 1);
        assert!(folder.path().join("005000.preface").exists());
    }
}
