//! Any bytes.

use rtoscope_decode::threadx::ThreadXOptions;
use crate::decode_everything;

pub(crate) fn run(data: &[u8]) {
    decode_everything(data, &ThreadXOptions::default());
}
