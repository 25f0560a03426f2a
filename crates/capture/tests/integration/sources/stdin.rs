//! Standard input, in a separate process.

use super::test_source::{TestEvent, open, pattern};
use std::env;
use std::io::Write as _;
use std::process::{Command, Stdio};

/// Environment variable of the reading process.
const READER: &str = "RTOSCOPE_TEST_READS_STDIN";

const COUNT: usize = 8 << 20;

#[test]
fn standard_input_is_read_to_its_end() {
    if env::var_os(READER).is_some() {
        return read();
    }
    let name = "sources::stdin::standard_input_is_read_to_its_end";
    let mut reader = Command::new(env::current_exe().unwrap())
        .args(["--exact", name, "--nocapture"])
        .env(READER, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = reader.stdin.take().unwrap();
    input.write_all(&pattern(COUNT)).unwrap();
    drop(input);
    let output = reader.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("1 passed"), "{said}");
}

fn read() {
    let mut ear = open("-").unwrap();
    assert_eq!(ear.connected(), "standard input");
    assert!(ear.bytes(COUNT) == pattern(COUNT));
    assert_eq!(ear.next(), TestEvent::Ended);
    assert_eq!(ear.next(), TestEvent::Ended);
}
