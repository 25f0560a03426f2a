//! Which recordings stay in memory.

use crate::AnalyzedRecording;
use std::sync::{Mutex, PoisonError};

/// Memory for recordings that no query uses at the moment. 2000 recordings of 100 kB need
/// ten times as much.
const MAX_BYTES: usize = 128 << 20;

/// Recordings that stay in memory whatever their size: a query that scans the tables of few
/// large recordings does not decode them for each scan.
pub(super) const MIN_RECORDINGS: usize = 4;

/// About what a decoded and analysed event takes.
const BYTES_PER_EVENT: usize = 170;

/// About what a recording takes without events.
const BYTES_PER_RECORDING: usize = 64 << 10;

/// The recordings in memory.
#[derive(Debug)]
pub(super) struct RecordingCache {
    /// The least recently used first, with their approximate sizes.
    used: Mutex<Vec<(usize, usize)>>,
    max_bytes: usize,
}

impl Default for RecordingCache {
    fn default() -> Self {
        Self::new(MAX_BYTES)
    }
}

impl RecordingCache {
    /// For this many bytes of recordings that no query uses at the moment.
    pub(super) fn new(max_bytes: usize) -> Self {
        Self {
            used: Mutex::default(),
            max_bytes,
        }
    }

    /// Marks a recording as used and returns those to drop from memory.
    pub(super) fn use_recording(&self, index: usize, opened: &AnalyzedRecording) -> Vec<usize> {
        let events = opened.trace.events.len();
        let bytes = BYTES_PER_RECORDING + events.saturating_mul(BYTES_PER_EVENT);
        self.use_bytes(index, bytes)
    }

    fn use_bytes(&self, index: usize, bytes: usize) -> Vec<usize> {
        let mut used = self.used.lock().unwrap_or_else(PoisonError::into_inner);
        used.retain(|(other, _)| *other != index);
        used.push((index, bytes));
        let mut total: usize = used.iter().map(|(_, bytes)| bytes).sum();
        let max_dropped = used.len().saturating_sub(MIN_RECORDINGS);
        let mut dropped = 0;
        for (_, bytes) in used.iter().take(max_dropped) {
            if total <= self.max_bytes {
                break;
            }
            total -= bytes;
            dropped += 1;
        }
        used.drain(..dropped).map(|(index, _)| index).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_recently_used_are_dropped() {
        let cache = RecordingCache::default();
        let quarter = MAX_BYTES / 4;
        for index in 0..4 {
            assert!(cache.use_bytes(index, quarter).is_empty());
        }
        assert!(cache.use_bytes(0, quarter).is_empty());
        assert_eq!(cache.use_bytes(4, quarter), [1]);
        assert_eq!(cache.use_bytes(1, quarter), [2]);
        let few = RecordingCache::default();
        for index in 0..MIN_RECORDINGS {
            assert!(few.use_bytes(index, MAX_BYTES).is_empty());
        }
        assert_eq!(few.use_bytes(MIN_RECORDINGS, 1), [0]);
    }
}
