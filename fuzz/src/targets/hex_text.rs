//! Hexadecimal text in the formats of tools and debuggers.

use rtoscope_decode::threadx::ThreadXOptions;
use crate::{Format, decode_everything, forced};

pub(crate) fn run(data: &[u8]) {
    let text = forced(Format::HexText, data);
    decode_everything(&text, &ThreadXOptions::default());
}
