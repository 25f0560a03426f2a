//! Packets of the Instrumentation Trace Macrocell.

use rtoscope_capture::source::itm::ItmDecoder;

pub(crate) fn run(data: &[u8]) {
    let Some((port, data)) = data.split_first() else {
        return;
    };
    let decode = |piece: usize| {
        let mut decoder = ItmDecoder::new(port % 32);
        let mut bytes = Vec::new();
        for piece in data.chunks(piece) {
            decoder.decode(piece, &mut bytes);
        }
        (bytes, decoder.overflows())
    };
    let whole = decode(data.len().max(1));
    assert!(whole.0.len() < data.len().max(1));
    assert_eq!(decode(1), whole);
    assert_eq!(decode(3), whole);
}
