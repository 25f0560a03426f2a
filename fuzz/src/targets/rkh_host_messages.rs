//! Messages of the host to an RKH target.

use rtoscope_wire::rkh::host::{HostMessage, HostMessageParser, MAX_KEPT_TEXT_BYTES};

pub(crate) fn run(data: &[u8]) {
    let mut parser = HostMessageParser::new();
    let mut messages = Vec::new();
    for byte in data {
        let Some(Ok(message)) = parser.push(*byte) else {
            continue;
        };
        if let HostMessage::Fail { text, .. } = message {
            assert!(text.len() <= MAX_KEPT_TEXT_BYTES && !text.contains(&0));
        }
        // Writing and reading it again gives the same message.
        let mut bytes = Vec::new();
        message.write(|byte| bytes.push(byte));
        let mut again = HostMessageParser::new();
        let count = bytes.len();
        for (number, byte) in bytes.iter().enumerate() {
            let read = again.push(*byte);
            assert_eq!(read, (number + 1 == count).then_some(Ok(message)));
        }
        messages.push(bytes);
    }
    assert!(messages.len() <= data.len());
}
