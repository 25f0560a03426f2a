//! A viewer's queries, and the reports, of RKH streams.

use rtoscope_decode::DecodeOptions;
use crate::query_everything;

pub(crate) fn run(data: &[u8]) {
    query_everything(data, &DecodeOptions::default());
}
