//! Servers of RTT channels.

use super::test_source::{TestEvent, open};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;

#[test]
fn a_channel_is_asked_for_and_the_introduction_removed() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("rtt://{}?channel=1", listener.local_addr().unwrap());
    let mut source = open(&address).unwrap();
    for _ in 0..2 {
        let question = b"$$SEGGER_TELNET_ConfigStr=RTTCh;1$$";
        source.connected();
        let (mut server, _) = listener.accept().unwrap();
        let mut asked = vec![0; question.len()];
        server.read_exact(&mut asked).unwrap();
        assert_eq!(asked, question);
        server
            .write_all(b"SEGGER J-Link V7.94 - Real time terminal output\r\nJ-Link V11\r\n")
            .unwrap();
        server.write_all(b"Process: JLinkExe\r\nCSWL").unwrap();
        assert_eq!(source.bytes(4), b"CSWL");
        source
            .send(b"answer", std::time::Duration::from_secs(5))
            .unwrap();
        let mut answer = [0; 6];
        server.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"answer");
        drop(server);
        assert!(matches!(source.next(), TestEvent::Lost(_)));
    }
}
