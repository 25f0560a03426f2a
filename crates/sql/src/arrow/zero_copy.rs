//! Columns of a recording as Arrow buffers without a copy.

use crate::AnalyzedRecording;
use arrow::buffer::Buffer;
use arrow::datatypes::{ArrowNativeType, ToByteSlice as _};
use bytes::Bytes;
use rtoscope_trace::event::WordColumn;
use std::sync::Arc;

/// Values as a buffer. The buffer shares the recording's memory if the values
/// are part of one of its columns; otherwise it holds a copy.
pub(super) fn shared_buffer<T: ArrowNativeType>(
    opened: &Arc<AnalyzedRecording>,
    values: &[T],
) -> Buffer {
    let requested = values.to_byte_slice().as_ptr_range();
    let shared = SharedColumn::ALL.iter().find_map(|&column| {
        let range = column.bytes(opened).as_ptr_range();
        let inside = range.start <= requested.start && requested.end <= range.end;
        inside.then(|| {
            let offset = requested.start.addr() - range.start.addr();
            let bytes = Bytes::from_owner(RecordingBuffer {
                opened: Arc::clone(opened),
                column,
            });
            Buffer::from(bytes).slice_with_length(offset, size_of_val(values))
        })
    });
    shared.unwrap_or_else(|| Buffer::from_slice_ref(values))
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

    fn bytes(self, opened: &AnalyzedRecording) -> &[u8] {
        let events = &opened.source().view.trace.events;
        match (self, &events.timestamp) {
            (Self::Time, _) => events.time.to_byte_slice(),
            (Self::Core, _) => &events.core,
            (Self::WideTimestamp, WordColumn::Wide(timestamps)) => timestamps.to_byte_slice(),
            (Self::WideTimestamp, WordColumn::Narrow(_)) => &[],
        }
    }
}

/// Keeps a recording alive as long as a buffer shares one of its columns.
struct RecordingBuffer {
    opened: Arc<AnalyzedRecording>,
    column: SharedColumn,
}

impl AsRef<[u8]> for RecordingBuffer {
    fn as_ref(&self) -> &[u8] {
        self.column.bytes(&self.opened)
    }
}
