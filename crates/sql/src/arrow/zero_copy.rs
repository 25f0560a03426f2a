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
    let wanted = values.to_byte_slice().as_ptr_range();
    let lent = SharedColumn::ALL.iter().find_map(|&column| {
        let lies = column.bytes(opened).as_ptr_range();
        let inside = lies.start <= wanted.start && wanted.end <= lies.end;
        inside.then(|| {
            let offset = wanted.start.addr() - lies.start.addr();
            let whole = Bytes::from_owner(RecordingBuffer {
                opened: Arc::clone(opened),
                column,
            });
            Buffer::from(whole).slice_with_length(offset, size_of_val(values))
        })
    });
    lent.unwrap_or_else(|| Buffer::from_slice_ref(values))
}

/// A column of a trace whose layout is that of Arrow.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SharedColumn {
    Time,
    Core,
    WideStamp,
}

impl SharedColumn {
    const ALL: [Self; 3] = [Self::Time, Self::Core, Self::WideStamp];

    fn bytes(self, opened: &AnalyzedRecording) -> &[u8] {
        let events = &opened.source().view.trace.events;
        match (self, &events.timestamp) {
            (Self::Time, _) => events.time.to_byte_slice(),
            (Self::Core, _) => &events.core,
            (Self::WideStamp, WordColumn::Wide(stamps)) => stamps.to_byte_slice(),
            (Self::WideStamp, WordColumn::Narrow(_)) => &[],
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
