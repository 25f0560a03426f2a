//! Which segments of a recording are kept.

use super::RecordingError;
use super::folder;
use super::segment_metadata::SegmentMetadata;
use rtoscope_decode::Format;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Which segments of a recording are kept: the last ones, and before them those
/// that told what nothing else in the folder tells yet.
#[derive(Debug)]
pub struct SegmentRetention {
    folder: PathBuf,
    /// How many are kept: at least one.
    max_segments: usize,
    retained: Mutex<RetainedSegments>,
}

#[derive(Debug)]
struct RetainedSegments {
    /// Oldest first.
    segments: VecDeque<SegmentPosition>,
    /// The number of the newest segment with a preface, or of one that needs none.
    metadata_segment: u64,
    /// Why a segment could not be removed, until that is said.
    removal_error: Option<RecordingError>,
}

#[derive(Debug, Clone, Copy)]
struct SegmentPosition {
    number: u64,
    /// Bytes of the recording before it.
    offset: u64,
}

/// Who begins with a segment does not see what was under way before it: a frame
/// of RKH, which has at most 256 bytes, or twice that with all of them escaped.
const MAX_PARTIAL_FRAME_BYTES: u64 = 512;

/// Bytes of segments that wait for the preface of a later one, if that is more
/// than one segment: twice what waits in memory to be decoded.
const MAX_WAITING_BYTES: u64 = 64 << 20;

/// What a segment takes at least beside those: files take whole blocks.
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

    /// Whether [`SegmentRetention::tell`] has something to do when so many bytes of the
    /// recording are understood.
    pub fn needs_metadata(&self, understood: u64) -> bool {
        self.lock().due(understood).is_some()
    }

    /// Says what so many bytes of the recording have told that is needed to
    /// understand what follows; nothing if that says it all itself. It is kept
    /// beside the newest segment that began before; older ones may go.
    pub fn store_metadata(&self, understood: u64, format: Format, preface: &[u8]) {
        let Some(segment) = self.lock().due(understood) else {
            return;
        };
        let preface = SegmentMetadata {
            format,
            bytes: preface.to_vec(),
        };
        // A disk may take its time, and the recorder must not wait for it. What
        // fails is tried again; that the disk is full is said by the recorder.
        if !preface.bytes.is_empty() && preface.write(&self.folder, segment).is_err() {
            return;
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

    /// Another segment was begun.
    pub(super) fn add(&self, number: u64, offset: u64) {
        let mut kept = self.lock();
        kept.segments.push_back(SegmentPosition { number, offset });
        let removed = kept.surplus(self.max_segments);
        drop(kept);
        self.remove(&removed);
    }

    /// Makes room for another segment on a disk that may be full, whatever the
    /// oldest ones told.
    pub(super) fn make_room(&self) {
        let mut kept = self.lock();
        let surplus = (kept.segments.len() + 1).saturating_sub(self.max_segments);
        let removed = kept.segments.drain(..surplus);
        let removed: Vec<_> = removed.map(|place| place.number).collect();
        drop(kept);
        self.remove(&removed);
    }

    /// What went wrong since the last call.
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
    /// The newest segment whose preface can be written, if it has none.
    fn due(&self, understood: u64) -> Option<u64> {
        let mut newest_first = self.segments.iter().rev();
        let is_passed = |place: &&SegmentPosition| {
            place.offset.saturating_add(MAX_PARTIAL_FRAME_BYTES) <= understood
        };
        let newest = newest_first.find(is_passed)?.number;
        (newest > self.metadata_segment).then_some(newest)
    }

    /// Takes out the segments that are not kept any longer.
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

    /// Whether the segments beyond so many are too large to wait for a preface.
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

    /// The oldest segment of many that are begun while nobody says what they told.
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
        keeper.make_room();
        assert_eq!(keeper.lock().segments.len(), 2);
        // Of a segment that is gone nothing is left.
        keeper.store_metadata(u64::MAX, Format::Rkh, b"names");
        let keeper = SegmentRetention::new(folder.path().to_owned(), Some(1));
        oldest(&keeper, 1 << 20);
        keeper.store_metadata(u64::MAX, Format::Rkh, b"names");
        assert_eq!(keeper.lock().segments.len(), 1);
        assert!(folder.path().join("005000.preface").exists());
    }
}
