//! Packets of a debugger's stub.

use rtoscope_capture::source::gdb::packet::{
    Deframer, MAX_PACKET_CHARS, StubInput, framed, from_hexadecimal, unescaped,
};

pub(crate) fn run(data: &[u8]) {
    let mut deframer = Deframer::default();
    for byte in data {
        let Some(StubInput::Packet(characters)) = deframer.push(*byte) else {
            continue;
        };
        assert!(characters.len() <= MAX_PACKET_CHARS);
        assert!(unescaped(&characters).len() <= characters.len());
        if let Some(bytes) = from_hexadecimal(&characters) {
            assert_eq!(2 * bytes.len(), characters.len());
        }
        comes_back(&characters);
    }
}

/// Text that needs no escape is framed and parsed back unchanged.
fn comes_back(characters: &[u8]) {
    let has_meaning = |byte: &u8| b"#$*}".contains(byte);
    let Ok(text) = std::str::from_utf8(characters) else {
        return;
    };
    if characters.iter().any(has_meaning) {
        return;
    }
    let mut deframer = Deframer::default();
    let frame = framed(text);
    let arrived: Vec<_> = frame.iter().filter_map(|it| deframer.push(*it)).collect();
    assert_eq!(arrived, [StubInput::Packet(characters.to_vec())]);
}
