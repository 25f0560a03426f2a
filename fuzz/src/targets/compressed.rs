//! Bytes that start like a gzip or zstd stream.

use rtoscope_decode::threadx::ThreadXOptions;
use crate::decode_everything;

const GZIP: &[u8] = &[0x1F, 0x8B, 0x08];
const ZSTD: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];

pub(crate) fn run(data: &[u8]) {
    let stream = match data {
        _ if data.starts_with(GZIP) || data.starts_with(ZSTD) => data.to_vec(),
        [choice, rest @ ..] => [if choice & 1 == 0 { GZIP } else { ZSTD }, rest].concat(),
        [] => return,
    };
    decode_everything(&stream, &ThreadXOptions::default());
}
