//! Text that starts like S-records.

use rtoscope_decode::threadx::ThreadXOptions;
use crate::{Format, decode_everything, forced};

pub(crate) fn run(data: &[u8]) {
    let text = forced(Format::SRecord, data);
    decode_everything(&text, &ThreadXOptions::default());
}
