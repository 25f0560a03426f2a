//! SystemView streams.

use rtoscope_decode::systemview::FORMAT;

pub(crate) fn run(data: &[u8]) {
    crate::packet_stream::run(data, FORMAT);
}
