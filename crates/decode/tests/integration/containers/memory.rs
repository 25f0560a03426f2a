//! Random memory, and the memory unpacked from a container.

use proptest::prelude::*;
use rtoscope_decode::memory::Memory;
use std::collections::BTreeMap;
use std::ops::Range;

/// Every known byte by its address.
pub(crate) type Bytes = BTreeMap<u64, u8>;

/// Up to five runs of bytes anywhere in an address range; they may be adjacent
/// and overlap.
pub(crate) fn bytes(addresses: Range<u64>) -> impl Strategy<Value = Bytes> {
    let run = (addresses, prop::collection::vec(any::<u8>(), 1..200));
    prop::collection::vec(run, 1..6).prop_map(|runs| {
        let bytes = |(address, bytes): (u64, Vec<u8>)| (address..).zip(bytes);
        runs.into_iter().flat_map(bytes).collect()
    })
}

/// One run of bytes at an address.
pub(crate) fn run(address: u64, bytes: &[u8]) -> Bytes {
    (address..).zip(bytes.iter().copied()).collect()
}

/// Blocks of at most `max` bytes each that cross no multiple of `block`.
pub(crate) fn split_blocks(bytes: &Bytes, most: usize, block: u64) -> Vec<(u64, Vec<u8>)> {
    let mut pieces: Vec<(u64, Vec<u8>)> = Vec::new();
    for (&address, &byte) in bytes {
        match pieces.last_mut() {
            Some((start, piece))
                if *start + piece.len() as u64 == address
                    && piece.len() < most
                    && address % block != 0 =>
            {
                piece.push(byte);
            }
            _ => pieces.push((address, vec![byte])),
        }
    }
    pieces
}

/// The bytes unpacked from a container.
pub(crate) fn known_bytes(memory: &Memory<'_>) -> Bytes {
    let segments = memory.segments().iter();
    segments
        .flat_map(|segment| (segment.address..).zip(segment.bytes.iter().copied()))
        .collect()
}
