//! BTF traces: as a file, and in pieces as they arrive.

use rtoscope_decode::btf::FORMAT;

pub(crate) fn run(data: &[u8]) {
    crate::packet_stream::run(data, FORMAT);
}
