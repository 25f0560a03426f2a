//! What is sent to a target arrives there.

use super::test_source::{TestSource, open, pattern};
use rtoscope_capture::address::Scheme;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::{Duration, Instant};

const WAIT: Duration = Duration::from_secs(30);

/// Sends to a connected target and receives at its end.
fn exchange(source: &mut TestSource, target: &mut (impl Read + Write)) {
    for count in [1, 10, 3000] {
        let bytes = pattern(count);
        source.send(&bytes, WAIT).unwrap();
        let mut received = vec![0; count];
        target.read_exact(&mut received).unwrap();
        assert!(received == bytes);
        // Both directions are independent.
        target.write_all(&bytes).unwrap();
        assert!(source.bytes(count) == bytes);
    }
}

#[test]
fn a_connected_socket_takes_bytes() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut source = open(&format!("tcp://{}", listener.local_addr().unwrap())).unwrap();
    let error = source.send(b"x", WAIT).unwrap_err();
    assert!(
        error.starts_with("cannot send to tcp://127.0.0.1:"),
        "{error}"
    );
    source.connected();
    let (mut target, _) = listener.accept().unwrap();
    exchange(&mut source, &mut target);
}

fn listening() -> (TestSource, TcpStream) {
    let mut source = open("tcp-listen://:0").unwrap();
    let waiting = source.waiting();
    let address = waiting.rsplit(' ').next().unwrap().to_owned();
    let target = TcpStream::connect(address).unwrap();
    source.connected();
    (source, target)
}

#[test]
fn an_accepted_connection_takes_bytes() {
    let (mut source, mut target) = listening();
    exchange(&mut source, &mut target);
    drop(target);
    assert_eq!(source.lost(), "the target closed the connection");
    let error = source.send(b"x", WAIT).unwrap_err();
    assert!(error.starts_with("cannot send to the target"), "{error}");
}

#[test]
fn a_target_that_reads_nothing_does_not_block_for_long() {
    let (mut source, _target) = listening();
    let start = Instant::now();
    // More than the system buffers.
    let error = source.send(&vec![0; 64 << 20], Duration::from_millis(300));
    let error = error.unwrap_err();
    assert!(error.contains("the target took only "), "{error}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

#[cfg(unix)]
#[test]
fn a_serial_port_takes_bytes() {
    use serialport::{SerialPort as _, TTYPort};
    let (mut target, device) = TTYPort::pair().unwrap();
    target.set_timeout(WAIT).unwrap();
    let mut source = open(&format!("serial://{}", device.name().unwrap())).unwrap();
    source.connected();
    exchange(&mut source, &mut target);
}

#[test]
fn files_take_no_bytes() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let mut source = open(file.path().to_str().unwrap()).unwrap();
    let error = source.send(b"x", WAIT).unwrap_err();
    assert_eq!(error, "nothing can be sent to this source");
    let writable = Scheme::ALL
        .into_iter()
        .filter(|scheme| scheme.is_writable());
    let names: Vec<_> = writable.map(Scheme::name).collect();
    assert_eq!(names, ["tcp-listen", "tcp", "udp", "rtt", "serial", "gdb"]);
}
