//! TraceRecorder streams, and images of its ring buffer.

use rtoscope_decode::percepio::FORMAT;

pub(crate) fn run(data: &[u8]) {
    crate::packet_stream::run(data, FORMAT);
}
