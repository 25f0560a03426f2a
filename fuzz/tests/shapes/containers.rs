//! Files around recordings, most of them without any.

use super::Shape;
use rtoscope_decode::DecodeOptions;

pub(super) const SHAPES: &[Shape] = &[
    shape("members of gzip", |n| {
        // An empty member: no flags, a final block without bytes, checksum and length.
        let member = b"\x1F\x8B\x08\0\0\0\0\0\0\xFF\x03\0\0\0\0\0\0\0\0\0";
        member.repeat(n / 16)
    }),
    shape("frames of zstd", |n| {
        // A raw block of one byte.
        b"\x28\xB5\x2F\xFD\0\0\x09\0\0.".repeat(n / 16)
    }),
    shape("records in reverse", |n| {
        let record = |at: usize| {
            let [high, low] = (at as u16).to_be_bytes();
            let sum = 1_u8.wrapping_add(high).wrapping_add(low).wrapping_neg();
            format!(":01{high:02X}{low:02X}0000{sum:02X}\n")
        };
        (0..n)
            .rev()
            .flat_map(|at| record(at).into_bytes())
            .collect()
    }),
    shape("repeated lines", |n| {
        let pair = |at: usize| format!("{:08x}: 0102 0304\n*\n", 8 * at);
        (0..n).flat_map(|at| pair(at).into_bytes()).collect()
    }),
    shape("damaged lines", |n| {
        let line = |at: usize| match at % 2 {
            0 => format!("{:08x}: 0102 0304\n", 4 * at),
            _ => format!("{:08x}: 01x2 0304\n", 4 * at),
        };
        (0..n).flat_map(|at| line(at).into_bytes()).collect()
    }),
    shape("ids of headers", |n| b"BTXT\0\0\0\0".repeat(n)),
    shape("flags of frames", |n| b"~~\x7D~".repeat(n)),
    shape("empty lines", |n| b"\r\n".repeat(n)),
];

const fn shape(name: &'static str, bytes: fn(usize) -> Vec<u8>) -> Shape {
    Shape {
        name,
        bytes,
        options: DecodeOptions::default,
        format: None,
    }
}
