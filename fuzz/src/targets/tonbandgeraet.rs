//! Streams of Tonbandgeraet.

use crate::packet_stream;
use rtoscope_decode::source::Input;
use rtoscope_decode::tonbandgeraet::FORMAT;
use rtoscope_decode::{BufferChoice, UnpackedInput};

pub(crate) fn run(data: &[u8]) {
    let input = UnpackedInput::open(Input::new(data), BufferChoice::First, Some(FORMAT));
    input.ok().and_then(|input| packet_stream::decode(&input));
}
