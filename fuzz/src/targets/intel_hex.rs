//! Text that starts like Intel HEX.

use rtoscope_decode::threadx::ThreadXOptions;
use crate::{Format, decode_everything, forced};

pub(crate) fn run(data: &[u8]) {
    let text = forced(Format::IntelHex, data);
    decode_everything(&text, &ThreadXOptions::default());
}
