//! Servers of SWO.

use super::test_source::{TestEvent, open};
use std::io::Write as _;
use std::net::TcpListener;

#[test]
fn the_bytes_of_a_port_are_read_and_overflows_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("swo://{}?stimulus=2", listener.local_addr().unwrap());
    let mut source = open(&address).unwrap();
    source.connected();
    let (mut server, _) = listener.accept().unwrap();
    // Two ports, a timestamp, an overflow.
    let trace = b"\x13CSWL\x01x\xC0\x05\x11!\x70\x12ab";
    server.write_all(trace).unwrap();
    assert_eq!(source.bytes(7), b"CSWL!ab");
    assert_eq!(
        source.next(),
        TestEvent::Remark("the ITM overflowed (1 time): bytes of the trace are lost".to_owned())
    );
}
