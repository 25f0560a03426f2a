//! Reads records, a page at a time.

use super::RecordRun;
use std::cell::RefCell;
use std::fmt::Debug;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Bytes that can be read by their offset, and never change.
pub trait ByteSource: Debug + Send + Sync {
    /// Fills `bytes` with those at an offset.
    ///
    /// # Errors
    ///
    /// If there are too few, or if they changed since the source was opened.
    fn read_at(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// The bytes that contain the records.
#[derive(Debug)]
pub enum RecordBytes {
    /// Bytes in memory.
    Memory(Vec<u8>),
    /// Bytes elsewhere, such as a file.
    Source(Arc<dyn ByteSource>),
}

/// The records of consecutive events, and their places.
#[derive(Debug)]
pub(super) struct RecordPages {
    id: u64,
    bytes: RecordBytes,
    runs: Vec<RecordRun>,
    record_bytes: usize,
    count: usize,
    /// The first error.
    failure: OnceLock<String>,
}

/// Number of records in a page.
const PAGE_RECORDS: usize = 1 << 9;

/// Number of records to read at once if many are read.
const PART_RECORDS: usize = 1 << 11;

/// Number of pages that a thread keeps.
const CACHED_PAGES: usize = 1 << 6;

thread_local! {
    /// The pages that a thread used last, of all traces.
    static PAGES: RefCell<Vec<Page>> = const { RefCell::new(Vec::new()) };
}

/// The records with the numbers from a multiple of [`PAGE_RECORDS`] on.
#[derive(Default)]
struct Page {
    /// The id of their trace, and the number of the page.
    key: Option<(u64, usize)>,
    bytes: Vec<u8>,
}

impl RecordPages {
    pub(super) fn new(
        bytes: RecordBytes,
        runs: Vec<RecordRun>,
        record_bytes: usize,
        count: usize,
    ) -> Self {
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        Self {
            id: NEXT_ID.fetch_add(1, Ordering::Relaxed),
            bytes,
            runs,
            record_bytes,
            count,
            failure: OnceLock::new(),
        }
    }

    pub(super) fn failure(&self) -> Option<&str> {
        self.failure.get().map(String::as_str)
    }

    /// Calls `read` with the bytes of a record; `None` if they cannot be read.
    #[inline]
    pub(super) fn with_record<T>(&self, number: usize, read: impl FnOnce(&[u8]) -> T) -> Option<T> {
        match &self.bytes {
            RecordBytes::Memory(bytes) => {
                let start = usize::try_from(self.run_at(number).1).ok()?;
                bytes
                    .get(start..start.checked_add(self.record_bytes)?)
                    .map(read)
            }
            RecordBytes::Source(source) => PAGES.with_borrow_mut(|pages| {
                if pages.is_empty() {
                    pages.resize_with(CACHED_PAGES, Page::default);
                }
                let page_number = number / PAGE_RECORDS;
                let page = pages.get_mut(page_number % CACHED_PAGES)?;
                if page.key != Some((self.id, page_number)) || self.failure.get().is_some() {
                    self.load(&**source, page_number, page)?;
                }
                let start = number % PAGE_RECORDS * self.record_bytes;
                let record = page.bytes.get(start..start + self.record_bytes);
                record.map(read)
            }),
        }
    }

    /// The end of the records that can be read at once with this one.
    pub(super) fn part_end(&self, first: usize) -> usize {
        match self.bytes {
            RecordBytes::Memory(_) => self.run_at(first).0.end,
            RecordBytes::Source(_) => first.saturating_add(PART_RECORDS),
        }
    }

    #[cold]
    fn load(&self, source: &dyn ByteSource, number: usize, page: &mut Page) -> Option<()> {
        page.key = None;
        let first = number * PAGE_RECORDS;
        let end = (first + PAGE_RECORDS).min(self.count);
        self.copy(source, first..end, &mut page.bytes)?;
        page.key = Some((self.id, number));
        Some(())
    }

    /// Replaces `bytes` by those of consecutive records; `None` if they cannot be read.
    fn copy(
        &self,
        source: &dyn ByteSource,
        numbers: Range<usize>,
        bytes: &mut Vec<u8>,
    ) -> Option<()> {
        if self.failure.get().is_some() {
            return None;
        }
        bytes.resize(numbers.len() * self.record_bytes, 0);
        let mut next = numbers.start;
        let mut rest = bytes.as_mut_slice();
        while next < numbers.end {
            let (run, offset) = self.run_at(next);
            let count = run.end.min(numbers.end) - next;
            let (now, later) = rest.split_at_mut(count * self.record_bytes);
            if let Err(error) = source.read_at(offset, now) {
                self.failure.get_or_init(|| error.to_string());
                return None;
            }
            rest = later;
            next += count;
        }
        Some(())
    }

    /// The bytes of many consecutive records, in memory or copied to `copy`; `None` if they
    /// cannot be read.
    pub(super) fn many<'b>(
        &'b self,
        numbers: Range<usize>,
        copy: &'b mut Vec<u8>,
    ) -> Option<&'b [u8]> {
        match &self.bytes {
            RecordBytes::Memory(bytes) => {
                let start = usize::try_from(self.run_at(numbers.start).1).ok()?;
                bytes.get(start..start.checked_add(numbers.len() * self.record_bytes)?)
            }
            RecordBytes::Source(source) => {
                self.copy(&**source, numbers, copy)?;
                Some(copy)
            }
        }
    }

    /// The numbers of the records that lie one after the other with this one, and the offset of
    /// this one.
    #[inline]
    fn run_at(&self, number: usize) -> (Range<usize>, u64) {
        let after = match self.runs.as_slice() {
            [_] => 1,
            runs => runs.partition_point(|run| run.first <= number),
        };
        let run = after.checked_sub(1).and_then(|at| self.runs.get(at));
        let end = self.runs.get(after).map_or(self.count, |run| run.first);
        let first = run.map_or(0, |run| run.first);
        let skipped = (number - first) as u64 * self.record_bytes as u64;
        (first..end, run.map_or(0, |run| run.offset) + skipped)
    }
}
