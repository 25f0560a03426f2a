//! Streams of RKH itself, recorded again.

use super::record::{OwnedItem, SampleRecord};
use super::setups::*;
use rtoscope_fixtures::{shared_traces, testdata};
use rtoscope_record::rkh::{StreamConfiguration, StreamSetup};
use rtoscope_wire::rkh::frame::{FLAG, unescape};
use rtoscope_wire::rkh::header::split_frame;
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::user::{ItemValue, UserItems};
use rtoscope_wire::rkh::{ArgumentLayout, ArgumentValue, ArgumentValues, RecordHeader};

/// The frames of a stream without escapes, starting with a target's configuration.
fn frames(stream: &[u8]) -> Vec<Vec<u8>> {
    let escaped = stream.split(|byte| *byte == FLAG);
    escaped
        .filter(|frame| !frame.is_empty())
        .map(|frame| {
            let mut plain = vec![0; frame.len()];
            let length = unescape(frame, &mut plain).unwrap();
            plain.truncate(length);
            plain
        })
        .collect()
}

/// The record of a frame, with 0 for absent arguments.
fn read(frame: &[u8], configuration: &StreamConfiguration) -> (RecordHeader, SampleRecord) {
    let (header, arguments) = split_frame(frame, configuration).unwrap();
    let spec = record_spec(configuration.dialect, header.id).unwrap();
    let mut read = SampleRecord {
        id: header.id,
        numbers: Vec::new(),
        text: Vec::new(),
        items: Vec::new(),
    };
    if spec.layout == ArgumentLayout::Items {
        for item in UserItems::new(configuration, arguments).map(Result::unwrap) {
            let (number, bytes) = match item.value {
                ItemValue::Signed(number) => (number as u32, &[][..]),
                ItemValue::Unsigned(number) => (number, &[][..]),
                ItemValue::Bytes(bytes) => (0, bytes),
            };
            read.items.push(OwnedItem {
                form: item.format,
                width: item.width,
                number,
                bytes: bytes.to_vec(),
            });
        }
        return (header, read);
    }
    let mut all = spec.iter();
    for (argument, value) in ArgumentValues::new(spec, configuration, arguments).map(Result::unwrap)
    {
        if spec.layout != ArgumentLayout::Expectation {
            let skipped = all.by_ref().take_while(|other| *other != argument);
            read.numbers.extend(skipped.map(|_| 0));
        }
        match value {
            ArgumentValue::Number(number) => read.numbers.push(number),
            ArgumentValue::Text(text) => read.text = text.to_vec(),
        }
    }
    (header, read)
}

/// Records all records of a stream again and compares the bytes.
fn re_record<S: StreamSetup>(name: &str) -> usize {
    let mut records = 0;
    // The copy in the repository, and the one beside it.
    for folder in [testdata("rkh"), shared_traces("rkh")] {
        let path = folder.join(name);
        let Ok(stream) = std::fs::read(path) else {
            continue;
        };
        let (target, clock) = started::<S>(300);
        let mut frames = frames(&stream).into_iter();
        assert_eq!(frames.next().unwrap()[0], 0xAC, "{name}");
        let mut got = drain(&target, 7);
        for frame in frames {
            let (header, record) = read(&frame, &S::CONFIGURATION);
            clock.set(header.timestamp.unwrap_or_default());
            assert!(record.record(&target), "{record:?}");
            let more = drain(&target, 13);
            let expected = &stream[got.len()..got.len() + more.len()];
            assert_eq!(more, expected, "{name}: {record:x?} at {}", got.len());
            got.extend(more);
            records += 1;
        }
        assert_eq!(got.len(), stream.len(), "{name}");
        assert_eq!(target.lost(), 0);
    }
    records
}

#[test]
fn streams_of_rkh_are_recorded_byte_by_byte() {
    assert!(re_record::<Base>("allrec_base.bin") >= 208);
    assert!(re_record::<Wide>("allrec_wide.bin") >= 208);
    assert!(re_record::<Base>("nat_short.bin") >= 100);
    assert!(re_record::<Base>("ut.bin") >= 20);
    assert!(re_record::<Senderless>("ahsm_all.bin") >= 100);
}

/// These streams are not part of the repository.
#[test]
fn further_streams_of_rkh_are_recorded_byte_by_byte() {
    re_record::<Near>("allrec_ptr16.bin");
    re_record::<Short>("allrec_ts16.bin");
    re_record::<Unsummed>("allrec_nochk.bin");
    re_record::<Unnumbered>("allrec_nonseq.bin");
    re_record::<Quiet>("allrec_nosndr.bin");
}
