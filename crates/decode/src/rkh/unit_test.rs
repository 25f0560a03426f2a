//! Unit tests that a target runs on its own state machines: the directives in
//! its records of group UT (`third-party/unitrazer/unitrazer.c` of RKH 3.4.00),
//! and the results that it waits for.

use rtoscope_trace::catalogue::{ArgumentDef, Meaning};
use rtoscope_trace::extras::ItemValue;
use rtoscope_trace::unit_test::{ArgumentExpectation, DirectiveKind, TestDirective};
use rtoscope_trace::{EventIndex, EventKind, EventKindId, ObjectClass, Trace};
use rtoscope_wire::rkh::Group;
use rtoscope_wire::rkh::host::HostMessage;

/// The component that unit tests check: from the beginning of a test the
/// checker ignores all other groups.
pub const COMPONENT: &str = "sm";

/// The directives of a stream's unit tests, in stream order.
pub fn directives(trace: &Trace) -> impl Iterator<Item = TestDirective> + '_ {
    let kinds = trace.catalogue.iter();
    let kinds = kinds.filter(|kind| kind.component == "ut");
    let verbs: Vec<_> = kinds
        .filter_map(|kind| Some((kind.id, DirectiveRecord::from_kind(kind)?)))
        .collect();
    let events = (0..).map(EventIndex).zip(trace.events.kinds());
    events.filter_map(move |(event, kind)| {
        let (_, verb) = verbs.iter().find(|(id, _)| *id == kind)?;
        parse_directive(trace, event, *verb)
    })
}

#[derive(Clone, Copy)]
enum DirectiveRecord {
    Init,
    Cleanup,
    Verify,
    IgnoreGroup,
    Expect,
    ExpectAnyArguments,
    Ignore,
    IgnoreArgument,
}

impl DirectiveRecord {
    fn from_kind(kind: &EventKind) -> Option<Self> {
        Some(match kind.name.as_ref() {
            "UT INIT" => Self::Init,
            "UT CLEANUP" => Self::Cleanup,
            "UT VERIFY" => Self::Verify,
            "UT IGNORE_GROUP" => Self::IgnoreGroup,
            "UT EXPECT" => Self::Expect,
            "UT EXPECT_ANYARGS" => Self::ExpectAnyArguments,
            "UT IGNORE" => Self::Ignore,
            "UT IGNORE_ARG" => Self::IgnoreArgument,
            _ => return None,
        })
    }
}

fn parse_directive(
    trace: &Trace,
    event: EventIndex,
    verb: DirectiveRecord,
) -> Option<TestDirective> {
    let [line, second, third, _] = trace.events.arguments(event)?;
    let number = u32::try_from(second).ok()?;
    let kind = EventKindId(number);
    Some(TestDirective {
        event,
        line: u32::try_from(line).ok()?,
        kind: match verb {
            DirectiveRecord::Init => DirectiveKind::Begin,
            DirectiveRecord::Cleanup => DirectiveKind::End,
            DirectiveRecord::Verify => DirectiveKind::Verify,
            DirectiveRecord::IgnoreGroup => {
                let group = u8::try_from(number).ok().and_then(Group::from_number)?;
                DirectiveKind::IgnoreComponent(group.name().to_ascii_lowercase())
            }
            DirectiveRecord::Expect => {
                DirectiveKind::Expect(kind, parse_expected(trace, event, kind))
            }
            DirectiveRecord::ExpectAnyArguments => {
                let any = |argument: &ArgumentDef| ArgumentExpectation {
                    name: argument.name.to_string(),
                    values: Vec::new(),
                };
                DirectiveKind::Expect(kind, expected_arguments(trace, kind).map(any).collect())
            }
            DirectiveRecord::Ignore => DirectiveKind::Ignore(kind),
            DirectiveRecord::IgnoreArgument => {
                DirectiveKind::IgnoreArgument(kind, usize::try_from(third).unwrap_or(usize::MAX))
            }
        },
    })
}

/// The arguments of a kind in an expectation: all but the active object, which
/// the test does not know.
fn expected_arguments(trace: &Trace, kind: EventKindId) -> impl Iterator<Item = &ArgumentDef> {
    let kind = trace.catalogue.get(kind).into_iter();
    let all = kind.flat_map(|kind| kind.all_arguments().flatten());
    all.filter(|argument| argument.meaning != Meaning::Object(ObjectClass::ActiveObject))
}

fn parse_expected(trace: &Trace, event: EventIndex, kind: EventKindId) -> Vec<ArgumentExpectation> {
    let items = trace.events.extras().items(event);
    let values = items.filter_map(|item| match item.value {
        ItemValue::Number(number) => Some(u64::from(number)),
        _ => None,
    });
    let named = expected_arguments(trace, kind).zip(values);
    let mut expected: Vec<_> = named
        .map(|(argument, value)| ArgumentExpectation {
            name: argument.name.to_string(),
            values: vec![value],
        })
        .collect();
    if let [source, target] = expected.as_mut_slice()
        && target.name == "tst"
        && source.values == target.values
    {
        // The record of an internal transition has no target; a test expects
        // the source.
        target.values.push(0);
    }
    expected
}

/// Maximum length of a text: a target counts the bytes of a frame in one byte
/// (`trix` of `third-party/unitrazer/tzparse.c`), including the id, four bytes
/// of the line, the text's NUL and the checksum.
const MAX_TEXT_BYTES: usize = 255 - 1 - 4 - 1 - 1;

/// Encodes the result of a test as a frame with a flag on both sides: success,
/// or the reason of the failure. It has neither sequence number nor timestamp,
/// but always a checksum. Long texts are truncated.
pub fn encode_result(line: u32, failure: Option<&str>) -> Vec<u8> {
    let text = failure.unwrap_or_default();
    // Not within a character.
    let end = (0..=MAX_TEXT_BYTES.min(text.len())).rev();
    let end = end.into_iter().find(|end| text.is_char_boundary(*end));
    let text = text.get(..end.unwrap_or(0)).unwrap_or_default().as_bytes();
    let message = match failure {
        Some(_) => HostMessage::Fail { line, text },
        None => HostMessage::Success { line },
    };
    let mut bytes = Vec::new();
    message.write(|byte| bytes.push(byte));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use rtoscope_wire::rkh::frame::{FLAG, sums_to_zero, unescape};

    /// The content of a result without frame and checksum.
    fn content(answer: &[u8]) -> Vec<u8> {
        let inside = &answer[1..answer.len() - 1];
        assert_eq!((answer[0], answer[answer.len() - 1]), (FLAG, FLAG));
        assert!(!inside.contains(&FLAG));
        let mut frame = [0; 300];
        let length = unescape(inside, &mut frame).unwrap();
        assert!(length <= 255 && sums_to_zero(&frame[..length]));
        frame[..length - 1].to_vec()
    }

    /// The stream in `testdata/rkh` whose target tests itself.
    fn stream() -> Trace {
        let bytes = include_bytes!("../../../../testdata/rkh/ut.bin");
        let options = crate::rkh::RkhOptions::default();
        crate::rkh::decode(bytes, &options).unwrap().trace
    }

    fn expected(name: &str, values: &[u64]) -> ArgumentExpectation {
        ArgumentExpectation {
            name: name.to_owned(),
            values: values.to_vec(),
        }
    }

    #[test]
    fn orders_are_read() {
        let trace = stream();
        let orders: Vec<_> = directives(&trace).collect();
        assert_eq!(orders.len(), 29);
        let of_line = |line| orders.iter().filter(move |order| order.line == line);
        let what: Vec<_> = of_line(46).map(|order| order.kind.clone()).collect();
        let [dch, trn, nenex, exe_act] = [0x71, 0x62, 0x66, 0x70].map(EventKindId);
        let state = 134_537_936;
        let wanted = [
            DirectiveKind::Expect(dch, vec![expected("sig", &[0]), expected("st", &[state])]),
            // Also an internal transition.
            DirectiveKind::Expect(
                trn,
                vec![expected("sst", &[state]), expected("tst", &[state, 0])],
            ),
            DirectiveKind::IgnoreArgument(trn, 0),
            DirectiveKind::Ignore(nenex),
            DirectiveKind::Ignore(exe_act),
        ];
        assert_eq!(what, wanted);
        let first: Vec<_> = orders.iter().take(2).map(|order| &order.kind).collect();
        assert_eq!(*first[0], DirectiveKind::Begin);
        assert_eq!(*first[1], DirectiveKind::IgnoreComponent("sma".to_owned()));
        let any = of_line(41).find(
            |order| matches!(&order.kind, DirectiveKind::Expect(kind, _) if *kind == exe_act),
        );
        let any = any.unwrap();
        let names = ["type", "st", "fn"].map(|name| expected(name, &[]));
        assert_eq!(any.kind, DirectiveKind::Expect(exe_act, names.to_vec()));
        let last = orders.last().unwrap();
        assert_eq!(
            (last.event, last.line, &last.kind),
            (EventIndex(64), 53, &DirectiveKind::End)
        );
    }

    #[test]
    fn answers_are_frames() {
        assert_eq!(
            encode_result(0x7E, None),
            b"\x7E\xE8\x7D\x5E\0\0\0\0\x9A\x7E"
        );
        assert_eq!(content(&encode_result(258, None)), b"\xE8\x02\x01\0\0\0");
        assert_eq!(
            content(&encode_result(1, Some("no\0t"))),
            b"\xE9\x01\0\0\0no\0"
        );
    }

    #[test]
    fn long_answers_are_cut() {
        let long = format!(
            "{}\u{e9}{}",
            "x".repeat(MAX_TEXT_BYTES - 1),
            "y".repeat(100)
        );
        let content = content(&encode_result(1, Some(&long)));
        assert_eq!(content.len(), 5 + MAX_TEXT_BYTES - 1 + 1);
        assert!(content.ends_with(b"xx\0"));
    }
}
