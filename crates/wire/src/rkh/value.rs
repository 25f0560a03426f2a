//! The values of a record's arguments.

use super::frame::{take_number, take_text};
use super::record::{ArgumentIter, record_spec};
use super::{ArgumentKind, ArgumentLayout, ArgumentSpec, RecordSpec, StreamConfiguration};

/// An argument's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentValue<'a> {
    /// A number or an address.
    Number(u32),
    /// A text without its NUL.
    Text(&'a [u8]),
}

/// Why a frame does not match a record's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentsError {
    /// The frame ends within an argument.
    TooShort {
        /// The argument's name.
        argument: &'static str,
        /// Number of bytes left for it.
        available: usize,
    },
    /// The frame continues after the last argument.
    TooLong {
        /// Number of bytes after the last argument.
        extra: usize,
    },
    /// A unit test expects an event that is not one of a state machine.
    UnknownExpected {
        /// The event's id.
        id: u8,
    },
}

crate::error_messages::messages! {
    ArgumentsError {
        TooShort { argument, available } =>
            "argument {argument} is truncated: only {available} bytes are left",
        TooLong { extra } => "{extra} bytes follow the last argument",
        UnknownExpected { id } => "the expected event {id:#04x} is not one of a state machine",
    }
}

/// Iterates over the arguments of a record in wire order, without those that are absent
/// in the configuration. Ends after the first error.
///
/// A record of [`ArgumentLayout::Items`] has no arguments:
/// [`user::UserItems`](super::user::UserItems) reads its bytes. This iterator would
/// report them as excess.
#[derive(Debug, Clone)]
pub struct ArgumentValues<'a> {
    configuration: StreamConfiguration,
    shape: ArgumentLayout,
    arguments: ArgumentIter,
    /// `None` after an error.
    rest: Option<&'a [u8]>,
}

impl<'a> ArgumentValues<'a> {
    /// Reads the arguments of `record_spec` from `arguments`, the bytes of its frame
    /// between header and checksum.
    #[inline]
    pub fn new(
        record: &'static RecordSpec,
        configuration: &StreamConfiguration,
        arguments: &'a [u8],
    ) -> Self {
        Self {
            configuration: *configuration,
            shape: record.layout,
            arguments: record.iter(),
            rest: Some(arguments),
        }
    }
}

impl<'a> Iterator for ArgumentValues<'a> {
    type Item = Result<(&'static ArgumentSpec, ArgumentValue<'a>), ArgumentsError>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let mut rest = self.rest?;
        let next = self.read(&mut rest);
        self.rest = match next {
            Some(Ok(_)) => Some(rest),
            None | Some(Err(_)) => None,
        };
        next
    }
}

impl<'a> ArgumentValues<'a> {
    #[inline]
    fn read(
        &mut self,
        rest: &mut &'a [u8],
    ) -> Option<Result<(&'static ArgumentSpec, ArgumentValue<'a>), ArgumentsError>> {
        loop {
            let argument = match self.arguments.next() {
                Some(argument) => argument,
                None => {
                    let extra = rest.len();
                    return (extra > 0).then_some(Err(ArgumentsError::TooLong { extra }));
                }
            };
            let available = rest.len();
            if available == 0 && argument.kind == ArgumentKind::OptionalCount {
                continue;
            }
            let value = match argument.kind.width(&self.configuration) {
                Some(0) => continue,
                Some(width) => take_number(rest, width).map(|number| {
                    ArgumentValue::Number(argument.kind.value(number, &self.configuration))
                }),
                None => take_text(rest).map(ArgumentValue::Text),
            };
            let value = value.ok_or(ArgumentsError::TooShort {
                argument: argument.name,
                available,
            });
            return Some(value.and_then(|value| {
                self.continue_expectation(argument, value)?;
                Ok((argument, value))
            }));
        }
    }

    /// Continues with the arguments of the expected event after its id was read.
    #[inline]
    fn continue_expectation(
        &mut self,
        argument: &ArgumentSpec,
        value: ArgumentValue<'_>,
    ) -> Result<(), ArgumentsError> {
        let is_event_id =
            self.shape == ArgumentLayout::Expectation && argument.kind == ArgumentKind::EventId;
        match value {
            ArgumentValue::Number(id) if is_event_id => {
                let id = id as u8;
                self.arguments = record_spec(self.configuration.dialect, id)
                    .and_then(RecordSpec::expectation_arguments)
                    .ok_or(ArgumentsError::UnknownExpected { id })?;
            }
            _ => {}
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rkh::{Dialect, FieldWidth};
    use std::vec::Vec;

    type Read<'a> = Vec<Result<(&'static str, ArgumentValue<'a>), ArgumentsError>>;

    fn read<'a>(id: u8, configuration: &StreamConfiguration, bytes: &'a [u8]) -> Read<'a> {
        let record = record_spec(configuration.dialect, id).unwrap();
        ArgumentValues::new(record, configuration, bytes)
            .map(|read| read.map(|(argument, value)| (argument.name, value)))
            .collect()
    }

    fn numbers(named: &[(&'static str, u32)]) -> Read<'static> {
        let value = |(name, number)| Ok((name, ArgumentValue::Number(number)));
        named.iter().copied().map(value).collect()
    }

    #[test]
    fn absent_arguments_are_skipped() {
        let mut configuration = StreamConfiguration::default();
        let bytes = [1, 0, 0, 0x20, 5, 1, 2, 3];
        let plain = [
            ("ao", 0x2000_0001),
            ("sig", 5),
            ("pid", 1),
            ("rc", 2),
            ("nelem", 3),
        ];
        assert_eq!(read(0x43, &configuration, &bytes), numbers(&plain));
        configuration.sender = true;
        configuration.queue_low_water = true;
        configuration.pointer = FieldWidth::Two;
        let marked = [
            ("ao", 1),
            ("sig", 0),
            ("snr", 0x0520),
            ("pid", 1),
            ("rc", 2),
            ("nelem", 3),
            ("nmin", 4),
        ];
        let bytes = [&bytes[..], &[4]].concat();
        assert_eq!(read(0x43, &configuration, &bytes), numbers(&marked));
    }

    #[test]
    fn arguments_end_where_the_frame_ends() {
        let configuration = StreamConfiguration::default();
        let mut expected = numbers(&[("mp", 1), ("nfree", 2)]);
        assert_eq!(read(2, &configuration, &[1, 0, 0, 0, 2]), expected);
        expected.push(Err(ArgumentsError::TooLong { extra: 2 }));
        assert_eq!(read(2, &configuration, &[1, 0, 0, 0, 2, 9, 9]), expected);
        let cut = |argument, available| ArgumentsError::TooShort {
            argument,
            available,
        };
        let short = Vec::from([Err(cut("mp", 3))]);
        assert_eq!(read(2, &configuration, &[1, 0, 0]), short);
        let short = Vec::from([Ok(("sig", ArgumentValue::Number(1))), Err(cut("nm", 2))]);
        assert_eq!(read(0xA7, &configuration, b"\x01ab"), short);
    }

    #[test]
    fn an_expectation_has_the_arguments_of_its_event() {
        let configuration = StreamConfiguration::default();
        let bytes = [7, 0, 0, 0, 0x70, 1, 1, 0, 0, 0, 2, 0, 0, 0];
        let named = [("line", 7), ("te", 0x70), ("type", 1), ("st", 1), ("fn", 2)];
        assert_eq!(read(0xE4, &configuration, &bytes), numbers(&named));
        let unknown = |id| {
            Vec::from([
                Ok(("line", ArgumentValue::Number(7))),
                Err(ArgumentsError::UnknownExpected { id }),
            ])
        };
        assert_eq!(
            read(0xE4, &configuration, &[7, 0, 0, 0, 0x40, 1]),
            unknown(0x40)
        );
        assert_eq!(
            read(0xE4, &configuration, &[7, 0, 0, 0, 0x7F]),
            unknown(0x7F)
        );
        let any = numbers(&[("line", 7), ("te", 0x7F)]);
        assert_eq!(read(0xE5, &configuration, &[7, 0, 0, 0, 0x7F]), any);
    }

    #[test]
    fn a_count_may_be_missing_at_the_end() {
        let configuration = StreamConfiguration {
            dialect: Dialect::Flat,
            ..StreamConfiguration::default()
        };
        let long = numbers(&[("ao", 1), ("nta", 2), ("nts", 3)]);
        assert_eq!(read(25, &configuration, &[1, 0, 0, 0, 2, 3]), long);
        assert_eq!(read(25, &configuration, &[1, 0, 0, 0, 2]), long[..2]);
        let error = read(25, &configuration, &[1, 0, 0, 0])[1];
        let argument = "nta";
        let available = 0;
        assert_eq!(
            error,
            Err(ArgumentsError::TooShort {
                argument,
                available
            })
        );
    }
}
