//! Streams with text of other programs between their records, and streams that a logic
//! analyser exported as text.

use rtoscope_decode::format::{DecodeOptions, UnpackedInput};
use rtoscope_decode::rkh::{self, ProblemKind, RkhOptions, decode};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, container::Container};
use rtoscope_generate::rkh::{RkhOptions as GenerateOptions, write};
use rtoscope_trace::Severity;
use rtoscope_wire::rkh::frame::FLAG;
use std::fmt::Write as _;

const RECORDS: u32 = 400;

fn generated() -> Vec<u8> {
    let options = GenerateOptions {
        records: RECORDS.into(),
        ..GenerateOptions::default()
    };
    let mut bytes = Vec::new();
    write(&options, &mut bytes, &mut |_| ()).unwrap();
    bytes
}

#[test]
fn text_before_a_record_costs_none() {
    let mut bytes = Vec::new();
    let mut lines = 0;
    for (number, frame) in generated()
        .split_inclusive(|byte| *byte == FLAG)
        .enumerate()
    {
        if number % 20 == 10 {
            bytes.extend(format!("[{number}] adc: 0x{number:03X} ok\r\n").bytes());
            lines += 1;
        }
        bytes.extend(frame);
    }
    let decoded = decode(&bytes, &RkhOptions::default()).unwrap();
    let plain = decode(&generated(), &RkhOptions::default()).unwrap();
    let losses = &decoded.stream_info.losses;
    assert_eq!(losses.count(ProblemKind::Text), lines);
    assert_eq!(losses.total(), lines);
    assert_eq!(decoded.stream_info.len(), plain.stream_info.len());
    assert!(decoded.trace.gaps.is_empty());
    let mut found = decoded.trace.diagnostics.iter();
    assert!(found.all(|it| it.severity() == Severity::Info));
}

#[test]
fn an_analyser_exports_the_bytes_of_a_stream() {
    let bytes = generated();
    let mut sigrok = String::new();
    let mut saleae = "Time [s],Value,Parity Error,Framing Error\n".to_owned();
    for (index, byte) in bytes.iter().enumerate() {
        let _ = writeln!(sigrok, "uart-1: {byte:02X}");
        let _ = writeln!(
            saleae,
            "{}.{:09},0x{byte:02X},,",
            index / 10_000,
            index % 10_000 * 100_000
        );
    }
    let plain = decode(&bytes, &RkhOptions::default()).unwrap();
    for text in [sigrok, saleae] {
        for format in [None, Some(rkh::FORMAT)] {
            let input =
                UnpackedInput::open(Input::new(text.as_bytes()), BufferChoice::First, format);
            let input = input.unwrap();
            assert_eq!(
                (input.format(), input.container()),
                (rkh::FORMAT, Container::HexText)
            );
            let decoded = input.decode(&DecodeOptions::default()).unwrap();
            assert_eq!(decoded.trace.events.len(), plain.trace.events.len());
            assert!(decoded.trace.gaps.is_empty());
        }
    }
}
