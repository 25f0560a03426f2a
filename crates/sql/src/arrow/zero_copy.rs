//! Columns of a recording as Arrow buffers without a copy.

use crate::AnalyzedRecording;
use arrow::buffer::Buffer;
use arrow::datatypes::{ArrowNativeType, ToByteSlice as _};
use bytes::Bytes;
use rtoscope_trace::events::{EventChunk, WordSlice};
use std::ops::Range;
use std::ptr;
use std::sync::Arc;

/// Values of a column in these rows as a buffer. The buffer shares the
/// recording's memory if the values are part of one of its columns; otherwise it
/// holds a copy.
pub(super) fn shared_buffer<T: ArrowNativeType>(
    opened: &Arc<AnalyzedRecording>,
    rows: &Range<usize>,
    values: &[T],
) -> Buffer {
    let mut shared = SharedColumn::ALL.into_iter().map(|column| RecordingBuffer {
        opened: Arc::clone(opened),
        column,
        rows: rows.clone(),
    });
    match shared.find(|shared| ptr::eq(shared.as_ref(), values.to_byte_slice())) {
        Some(shared) => Buffer::from(Bytes::from_owner(shared)),
        None => Buffer::from_slice_ref(values),
    }
}

/// A column of a trace whose layout is that of Arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SharedColumn {
    Time,
    Core,
    WideTimestamp,
}

impl SharedColumn {
    const ALL: [Self; 3] = [Self::Time, Self::Core, Self::WideTimestamp];

    fn bytes(self, chunk: EventChunk<'_>) -> &[u8] {
        match (self, chunk.timestamps) {
            (Self::Time, _) => chunk.times.to_byte_slice(),
            (Self::Core, _) => chunk.cores,
            (Self::WideTimestamp, WordSlice::Wide(timestamps)) => timestamps.to_byte_slice(),
            (Self::WideTimestamp, WordSlice::Narrow(_)) => &[],
        }
    }
}

/// Keeps a recording alive as long as a buffer shares one of its columns: the
/// part in the first chunk of these events.
struct RecordingBuffer {
    opened: Arc<AnalyzedRecording>,
    column: SharedColumn,
    rows: Range<usize>,
}

impl AsRef<[u8]> for RecordingBuffer {
    fn as_ref(&self) -> &[u8] {
        let events = &self.opened.trace.events;
        let mut chunks = events.chunks(self.rows.clone());
        let bytes = chunks.next().map(|chunk| self.column.bytes(chunk));
        bytes.unwrap_or_default()
    }
}
