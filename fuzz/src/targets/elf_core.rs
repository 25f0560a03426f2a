//! Bytes that start like an ELF core file of either class and byte order.

use rtoscope_decode::threadx::ThreadXOptions;
use crate::decode_everything;

pub(crate) fn run(data: &[u8]) {
    let mut file = data.to_vec();
    if let Some([magic @ .., class, order, version]) = file.first_chunk_mut::<7>() {
        *magic = *b"\x7FELF";
        *class = 2 - *class % 2;
        *order = 2 - *order % 2;
        *version = 1;
        decode_everything(&file, &ThreadXOptions::default());
    }
}
