//! Messages from the host set the filter as the program does.

use super::setups::*;
use proptest::prelude::*;
use rtoscope_record::port::SpinLock;
use rtoscope_record::rkh::filter::FilterSelection;
use rtoscope_record::rkh::{ActiveObject, Address, HostMessageParser, Received};
use rtoscope_wire::rkh::host::HostMessage;

fn recorder() -> TestRecorder<Base> {
    let recorder =
        TestRecorder::<Base>::new(SpinLock::new(), Box::leak(Box::new(ManualClock::new())));
    recorder.start(memory(4096)).unwrap();
    recorder
}

/// The recorder's answers to bytes.
fn receive(recorder: &TestRecorder<Base>, bytes: &[u8]) -> Vec<String> {
    let mut parser = HostMessageParser::new();
    let mut answers = Vec::new();
    for byte in bytes {
        if let Some(received) = recorder.receive(&mut parser, *byte) {
            answers.push(format!("{:?}", received));
        }
    }
    answers
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn commands_are_those_of_the_program(
        changes in proptest::collection::vec((any::<bool>(), super::filters::selection()), 0..30),
    ) {
        let (set_here, set_by_host) = (recorder(), recorder());
        for (pass, selection) in changes {
            let result = match pass {
                true => set_here.pass(selection),
                false => set_here.suppress(selection),
            };
            let mut bytes = Vec::new();
            HostMessage::Filter { selection, pass }.write(|byte| bytes.push(byte));
            let expected = format!("{:?}", Received::Filter(result));
            prop_assert_eq!(receive(&set_by_host, &bytes), vec![expected]);
        }
        for id in 0..=255 {
            for object in [None, Some(5)] {
                let passes = |it: &TestRecorder<Base>| it.passes(id, object, object.map(u32::from));
                prop_assert_eq!(passes(&set_here), passes(&set_by_host));
            }
        }
    }

    #[test]
    fn any_bytes_are_received(bytes in proptest::collection::vec(
        prop_oneof![Just(0x7E_u8), Just(0x7D), Just(0xF0), Just(0xE9), any::<u8>()],
        0..300,
    )) {
        receive(&recorder(), &bytes);
    }
}

#[test]
fn answers_leave_the_stream_alone() {
    let recorder = recorder();
    recorder.pass(FilterSelection::AllEvents).unwrap();
    let before = recorder.available();
    let mut bytes = Vec::new();
    HostMessage::Fail {
        line: 7,
        text: b"no",
    }
    .write(|byte| bytes.push(byte));
    bytes[3] ^= 1;
    HostMessage::Success { line: 8 }.write(|byte| bytes.push(byte));
    assert_eq!(
        receive(&recorder, &bytes),
        ["Refused(Damaged)", "Success { line: 8 }"]
    );
    assert_eq!(recorder.available(), before);
    let machine = ActiveObject::new(Address(1), 5);
    recorder.sm_trn(machine, Address(2), Address(3));
    recorder.take(&mut [0; 100]);
}
