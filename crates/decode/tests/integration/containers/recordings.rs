//! The same recording decodes to the same trace from every container.

use super::encode;
use super::memory::{Bytes, run};
use rtoscope_decode::container::Container;
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_trace::Trace;
use rtoscope_wire::ByteOrder;
use rtoscope_wire::threadx::BufferLayout;

const ADDRESS: u64 = 0x2000_0100;

fn recording(layout: BufferLayout) -> Vec<u8> {
    let settings = ThreadXOptions {
        events: 200,
        capacity: Some(150),
        threads: 4,
        layout,
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    write(&settings, &mut bytes, &mut |_| ()).expect("the settings are possible");
    bytes
}

fn decode(bytes: &[u8]) -> (Container, Trace) {
    let opened = open(Input::new(bytes), BufferChoice::First).expect("a sound buffer");
    let recording = opened
        .decode(&threadx::ThreadXOptions::default())
        .expect("a sound buffer");
    (opened.container, recording.trace)
}

fn packed(bytes: &Bytes, raw: &[u8], big: bool) -> Vec<(Container, Vec<u8>)> {
    let digits: String = raw.iter().map(|byte| format!("{byte:02x}")).collect();
    let image = [&[0xA5; 77], raw, &[0; 99]].concat();
    let mut all = vec![
        (Container::Raw, raw.to_vec()),
        (Container::Raw, encode::gzip(raw)),
        (Container::Raw, encode::gzip(&encode::gzip(raw))),
        (Container::RamImage, image),
        (
            Container::IntelHex,
            encode::intel_hex(bytes, 32, true, 77).join("\n").into(),
        ),
        (
            Container::SRecord,
            encode::s_record(bytes, 64, 4, 77).join("\n").into(),
        ),
        (Container::HexText, digits.into()),
        (Container::HexText, encode::xxd(bytes).into()),
        (Container::HexText, encode::hexdump(bytes).into()),
        (Container::ElfCore, encode::elf_core(bytes)),
    ];
    for width in [1, 2, 4, 8] {
        // Bytes are printed in memory order.
        let text = encode::gdb(bytes, width, big);
        all.push((Container::HexText, text.into()));
    }
    all
}

#[test]
fn every_container_gives_the_same_trace() {
    for layout in BufferLayout::ALL {
        let raw = recording(layout);
        let (_, expected) = decode(&raw);
        assert_eq!(expected.events.len(), 150);
        let bytes = run(ADDRESS, &raw);
        let big = layout.order == ByteOrder::Big;
        for (number, (container, bytes)) in packed(&bytes, &raw, big).iter().enumerate() {
            let (found, trace) = decode(bytes);
            assert_eq!(found, *container, "{layout:?}, number {number}");
            assert!(
                trace == expected,
                "{layout:?}, {container:?}, number {number}"
            );
        }
    }
}
