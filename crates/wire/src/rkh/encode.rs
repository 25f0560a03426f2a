//! Encodes complete records as frames.

use super::frame::{ByteSink, FrameWriter};
use super::header::HeaderSizes;
use super::id::wire_id;
use super::record::{ArgumentIter, record_spec};
use super::user::UserItem;
use super::{
    ArgumentKind, ArgumentLayout, ArgumentSpec, ArgumentValue, RecordSpec, StreamConfiguration,
};

/// Why a record cannot be encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EncodeError {
    /// The dialect has no such record, or one with another layout.
    UnknownRecord {
        /// The record's id.
        id: u8,
    },
    /// A unit test cannot expect that event.
    UnknownExpected {
        /// The event's id.
        id: u32,
    },
    /// There are too many or too few values.
    ArgumentCount {
        /// Number of the record's arguments, including absent ones.
        expected: usize,
        /// Number of values passed.
        actual: usize,
    },
    /// A value has the wrong type for its argument or is too large, or a text contains a
    /// NUL.
    Value {
        /// The argument's name.
        argument: &'static str,
    },
    /// An item's value has the wrong type for its format or is too large.
    Item {
        /// Index of the item.
        index: usize,
    },
    /// Versions of this dialect have no record for their configuration.
    NoConfiguration {
        /// The dialect's name.
        dialect: &'static str,
    },
}

crate::error_messages::messages! {
    EncodeError {
        UnknownRecord { id } => "no record {id:#04x} has this layout",
        UnknownExpected { id } => "the expected event {id:#04x} is not one of a state machine",
        ArgumentCount { expected, actual } => "the record has {expected} arguments, not {actual}",
        Value { argument } => "the value of argument {argument} does not fit",
        Item { index } => "item {index} does not fit its format",
        NoConfiguration { dialect } => "RKH {dialect} does not send its configuration",
    }
}

/// Encodes a record as a frame followed by the flag. Writes nothing if it returns an
/// error.
///
/// `values` contains either all arguments in wire order, or only those that are present
/// in the configuration; absent arguments are not written. An
/// [`ArgumentKind::OptionalCount`] may be missing. `sequence` and `timestamp` are ignored
/// if records have none; of a timestamp, the low bytes are written.
pub fn encode<S: ByteSink>(
    sink: S,
    configuration: &StreamConfiguration,
    id: u8,
    sequence: u8,
    timestamp: u32,
    values: &[ArgumentValue<'_>],
) -> Result<(), EncodeError> {
    let record = record_spec(configuration.dialect, id)
        .filter(|record| record.layout != ArgumentLayout::Items)
        .ok_or(EncodeError::UnknownRecord { id })?;
    let fields = fields(record, configuration, values)?;
    if let Some((argument, ..)) = fields
        .clone()
        .find(|(argument, width, value)| !fits(argument.kind, *value, *width))
    {
        return Err(EncodeError::Value {
            argument: argument.name,
        });
    }
    let mut writer = begin(sink, configuration, id, sequence, timestamp);
    for (argument, width, value) in fields {
        match value {
            ArgumentValue::Number(number) => {
                let number = argument.kind.wire_number(number, configuration);
                writer.low_bytes(number, width.unwrap_or_default());
            }
            ArgumentValue::Text(text) => writer.text(text),
        }
    }
    writer.end_frame(configuration.checksum);
    Ok(())
}

/// Encodes a user's record as a frame followed by the flag. Writes nothing if it returns
/// an error.
pub fn encode_items<S: ByteSink>(
    sink: S,
    configuration: &StreamConfiguration,
    id: u8,
    sequence: u8,
    timestamp: u32,
    items: &[UserItem<'_>],
) -> Result<(), EncodeError> {
    record_spec(configuration.dialect, id)
        .filter(|record| record.layout == ArgumentLayout::Items)
        .ok_or(EncodeError::UnknownRecord { id })?;
    if let Some(index) = items.iter().position(|item| !item.fits(configuration)) {
        return Err(EncodeError::Item { index });
    }
    let mut writer = begin(sink, configuration, id, sequence, timestamp);
    for item in items {
        item.write(&mut writer, configuration);
    }
    writer.end_frame(configuration.checksum);
    Ok(())
}

type EncodedArgument<'v> = (&'static ArgumentSpec, Option<usize>, ArgumentValue<'v>);

/// The arguments that are present, with their lengths and values.
fn fields<'v>(
    record: &'static RecordSpec,
    configuration: &StreamConfiguration,
    values: &'v [ArgumentValue<'v>],
) -> Result<impl Iterator<Item = EncodedArgument<'v>> + Clone, EncodeError> {
    let expected = match record.layout {
        ArgumentLayout::Expectation => Some(expected(record, configuration, values)?),
        _ => None,
    };
    let arguments = record.iter().chain(expected.into_iter().flatten());
    let widths = *configuration;
    let arguments = arguments.map(move |argument| (argument, argument.kind.width(&widths)));
    let is_present = |(_, width): &(_, Option<usize>)| *width != Some(0);

    let all = arguments.clone().count();
    let present = arguments.clone().filter(is_present).count();
    let actual = values.len();
    let can_be_missing =
        |(argument, _): &(&ArgumentSpec, _)| argument.kind == ArgumentKind::OptionalCount;
    let min_count = present - arguments.clone().filter(can_be_missing).count();
    if ![all, present, min_count].contains(&actual) {
        return Err(EncodeError::ArgumentCount {
            expected: all,
            actual,
        });
    }
    Ok(arguments
        .filter(move |argument| actual == all || is_present(argument))
        .zip(values)
        .filter(move |(argument, _)| is_present(argument))
        .map(|((argument, width), value)| (argument, width, *value)))
}

/// The arguments of the event named by the values of an expectation.
fn expected(
    expectation: &'static RecordSpec,
    configuration: &StreamConfiguration,
    values: &[ArgumentValue<'_>],
) -> Result<ArgumentIter, EncodeError> {
    let event = expectation
        .iter()
        .zip(values)
        .find(|(argument, _)| argument.kind == ArgumentKind::EventId);
    let (argument, value) = event.ok_or(EncodeError::ArgumentCount {
        expected: expectation.arguments.len(),
        actual: values.len(),
    })?;
    let id = match *value {
        ArgumentValue::Number(id) => id,
        ArgumentValue::Text(_) => {
            return Err(EncodeError::Value {
                argument: argument.name,
            });
        }
    };
    u8::try_from(id)
        .ok()
        .and_then(|id| record_spec(configuration.dialect, id))
        .and_then(RecordSpec::expectation_arguments)
        .ok_or(EncodeError::UnknownExpected { id })
}

fn begin<S: ByteSink>(
    sink: S,
    configuration: &StreamConfiguration,
    id: u8,
    sequence: u8,
    timestamp: u32,
) -> FrameWriter<S> {
    let sizes = HeaderSizes::new(Some(id), configuration);
    let mut writer = FrameWriter::new(sink);
    writer.begin_frame();
    let number = wire_id(id, configuration.id, configuration.dialect);
    writer.number(number, configuration.id);
    writer.low_bytes(u32::from(sequence), sizes.sequence);
    if configuration.checksum_covers_timestamp {
        writer.low_bytes(timestamp, sizes.timestamp);
    } else {
        writer.unsummed_low_bytes(timestamp, sizes.timestamp);
    }
    writer
}

fn fits(kind: ArgumentKind, value: ArgumentValue<'_>, width: Option<usize>) -> bool {
    match (value, width) {
        (ArgumentValue::Number(number), Some(width)) => {
            // Events are named by their ids of one byte.
            let width = if kind == ArgumentKind::FullEventId {
                1
            } else {
                width
            };
            u64::from(number) >> (8 * width) == 0
        }
        (ArgumentValue::Text(text), None) => !text.contains(&0),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rkh::frame::FLAG;
    use crate::rkh::{Dialect, FieldWidth};
    use std::vec::Vec;

    fn written(
        configuration: &StreamConfiguration,
        id: u8,
        values: &[ArgumentValue<'_>],
    ) -> Result<Vec<u8>, EncodeError> {
        let mut bytes = Vec::new();
        let result = encode(
            |byte| bytes.push(byte),
            configuration,
            id,
            9,
            0x1234,
            values,
        );
        assert!(result.is_ok() || bytes.is_empty());
        result.map(|()| bytes)
    }

    fn numbers(numbers: &[u32]) -> Vec<ArgumentValue<'static>> {
        numbers.iter().copied().map(ArgumentValue::Number).collect()
    }

    fn plain() -> StreamConfiguration {
        StreamConfiguration {
            timestamp: Some(FieldWidth::One),
            checksum: false,
            pointer: FieldWidth::Two,
            ..StreamConfiguration::default()
        }
    }

    #[test]
    fn values_of_absent_arguments_are_optional() {
        let frame = [0x22, 9, 0x34, 2, 1, 5, FLAG];
        for values in [&[0x0102, 5, 4][..], &[0x0102, 5]] {
            assert_eq!(written(&plain(), 0x22, &numbers(values)).unwrap(), frame);
        }
        let count = |actual| {
            Err(EncodeError::ArgumentCount {
                expected: 3,
                actual,
            })
        };
        assert_eq!(written(&plain(), 0x22, &numbers(&[1])), count(1));
        assert_eq!(written(&plain(), 0x22, &numbers(&[1; 4])), count(4));
    }

    #[test]
    fn oversized_values_are_rejected() {
        let error = |argument| Err(EncodeError::Value { argument });
        let configuration = plain();
        let encode_values = |id, values: &[ArgumentValue<'_>]| written(&configuration, id, values);
        assert_eq!(encode_values(0x25, &numbers(&[0x1_0000])), error("q"));
        assert_eq!(encode_values(0x25, &[ArgumentValue::Text(b"")]), error("q"));
        let named = [ArgumentValue::Number(1), ArgumentValue::Text(b"a\0b")];
        assert_eq!(encode_values(0xA7, &named), error("nm"));
        assert_eq!(encode_values(0xA7, &numbers(&[1, 1])), error("nm"));
    }

    #[test]
    fn unknown_records_are_rejected() {
        for id in [0x03, 0xC0, 0xFF] {
            let error = Err(EncodeError::UnknownRecord { id });
            assert_eq!(written(&plain(), id, &[]), error);
        }
        let flat = StreamConfiguration {
            dialect: Dialect::Flat,
            ..plain()
        };
        assert!(written(&flat, 3, &numbers(&[1, 2, 3])).is_ok());
        let items = encode_items(|_| (), &plain(), 0xA0, 0, 0, &[]);
        assert_eq!(items, Err(EncodeError::UnknownRecord { id: 0xA0 }));
    }

    #[test]
    fn an_expectation_takes_the_values_of_its_event() {
        let values = numbers(&[1, 0x66, 3, 4]);
        let frame = [0xE4, 9, 0x34, 1, 0, 0, 0, 0x66, 3, 4, FLAG];
        assert_eq!(written(&plain(), 0xE4, &values).unwrap(), frame);
        let unknown = |id| Err(EncodeError::UnknownExpected { id });
        assert_eq!(written(&plain(), 0xE4, &numbers(&[1, 0x40])), unknown(0x40));
        assert_eq!(
            written(&plain(), 0xE4, &numbers(&[1, 0x166])),
            unknown(0x166)
        );
        let count = |expected, actual| Err(EncodeError::ArgumentCount { expected, actual });
        assert_eq!(written(&plain(), 0xE4, &numbers(&[1])), count(2, 1));
        assert_eq!(
            written(&plain(), 0xE4, &numbers(&[1, 0x66, 3])),
            count(4, 3)
        );
    }
}
