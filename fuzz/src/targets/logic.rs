//! Captures of logic analysers: dumps and tables also in pieces as they arrive, sessions as files.

use crate::packet_stream;
use rtoscope_decode::logic::FORMAT;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, UnpackedInput};

pub(crate) fn run(data: &[u8]) {
    if !data.starts_with(b"PK") {
        return packet_stream::run(data, FORMAT);
    }
    let input = UnpackedInput::open(Input::new(data), BufferChoice::First, Some(FORMAT));
    input.ok().and_then(|input| packet_stream::decode(&input));
}
