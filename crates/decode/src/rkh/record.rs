//! Records of any shape, read with all checks.

use super::columns::{Columns, Head};
use super::plan::{MOST_ARGUMENTS, Plan};
use rtoscope_trace::extras;
use rtoscope_wire::rkh::header::{self, Header, HeaderError};
use rtoscope_wire::rkh::user::{self, Items};
use rtoscope_wire::rkh::value::ValuesError;
use rtoscope_wire::rkh::{
    ArgumentKind, Configuration, Record, Shape, TargetConfiguration, Value, Values,
};

/// Why a frame is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Refusal {
    Checksum,
    Unknown { sequence: Option<u8> },
    Malformed { sequence: Option<u8>, extra: u64 },
}

/// The arguments of a record, to be kept.
pub(super) enum Content<'a> {
    /// By position in the full layout; those that are absent are 0.
    Values([Value<'a>; MOST_ARGUMENTS], usize),
    /// Of a user's record.
    Items(Configuration, &'a [u8]),
    /// What a unit test expects: the line, the event's id, its arguments.
    Expectation([u32; 2], [extras::Item<'static>; MOST_ARGUMENTS], usize),
}

/// Reads a frame that is a record from its first byte to its last.
pub(super) fn read<'a>(plan: &Plan, frame: &'a [u8]) -> Result<(Header, Content<'a>), Refusal> {
    let configuration = &plan.configuration;
    let id = frame.first().copied().unwrap_or_default();
    let known = plan.record(id);
    let (header, arguments) = match header::split(frame, configuration) {
        Ok(parts) => parts,
        Err(HeaderError::Checksum { .. }) => return Err(Refusal::Checksum),
        Err(HeaderError::TooShort { .. }) if known.is_none() => {
            return Err(Refusal::Unknown { sequence: None });
        }
        Err(HeaderError::TooShort { .. }) => {
            return Err(Refusal::Malformed {
                sequence: None,
                extra: 0,
            });
        }
    };
    let sequence = header.sequence;
    let record = known.ok_or(Refusal::Unknown { sequence })?;
    let malformed = |extra| Refusal::Malformed { sequence, extra };
    let misfit = |error| match error {
        ValuesError::TooLong { extra } => malformed(extra as u64),
        _ => malformed(0),
    };
    let content = match record.shape {
        Shape::Fixed => values(record, configuration, arguments).map_err(misfit)?,
        Shape::Expectation => expectation(record, configuration, arguments).map_err(misfit)?,
        Shape::Items => {
            let mut items = Items::new(configuration, arguments);
            if items.any(|item| item.is_err()) {
                return Err(malformed(0));
            }
            Content::Items(*configuration, arguments)
        }
        // Not one that a configuration could be made of.
        Shape::Configuration => {
            let widths = record.arguments.iter();
            let widths = widths.filter_map(|argument| argument.kind.width(configuration));
            let extra = arguments.len().saturating_sub(widths.sum());
            return Err(malformed(extra as u64));
        }
    };
    Ok((header, content))
}

fn values<'a>(
    record: &'static Record,
    configuration: &Configuration,
    arguments: &'a [u8],
) -> Result<Content<'a>, ValuesError> {
    let mut all = [Value::Number(0); MOST_ARGUMENTS];
    let mut present = Values::new(record, configuration, arguments);
    for (place, argument) in all.iter_mut().zip(record.arguments) {
        if argument.kind.width(configuration) != Some(0)
            && let Some(value) = present.next()
        {
            (_, *place) = value?;
        }
    }
    match present.next() {
        Some(Err(error)) => Err(error),
        _ => Ok(Content::Values(all, record.arguments.len())),
    }
}

fn expectation<'a>(
    record: &'static Record,
    configuration: &Configuration,
    arguments: &'a [u8],
) -> Result<Content<'a>, ValuesError> {
    let none = extras::Item {
        form: extras::Form::U8,
        width: 0,
        value: extras::ItemValue::Number(0),
    };
    let mut first = [0; 2];
    let mut items = [none; MOST_ARGUMENTS];
    let mut count = 0;
    for (index, value) in Values::new(record, configuration, arguments).enumerate() {
        let (argument, value) = value?;
        let Value::Number(number) = value else {
            continue;
        };
        if let Some(place) = first.get_mut(index) {
            *place = number;
        } else if let Some(item) = items.get_mut(count) {
            item.form = form(argument.kind);
            item.value = extras::ItemValue::Number(number);
            count += 1;
        }
    }
    Ok(Content::Expectation(first, items, count))
}

/// How an argument that a unit test expects is shown.
fn form(kind: ArgumentKind) -> extras::Form {
    match kind {
        ArgumentKind::Object(_) | ArgumentKind::Sender(_) => extras::Form::Object,
        ArgumentKind::Function | ArgumentKind::FunctionSymbol => extras::Form::Function,
        ArgumentKind::Signal => extras::Form::Signal,
        _ => extras::Form::U8,
    }
}

/// A target's configuration by its fields, as its record has them since 2.4.04.
pub(super) fn target_content(target: &TargetConfiguration) -> Content<'static> {
    let nibbles = |high: u8, low: u8| u32::from(high) << 4 | u32::from(low & 0xF);
    let fields = [
        target.version.map_or(0, |version| version.0.into()),
        target.options.0,
        nibbles(target.signal, target.stamp),
        nibbles(target.pointer, target.timer),
        nibbles(target.blocks, target.elements),
        nibbles(0, target.event_size),
        nibbles(target.block_size, target.pools),
        target.stamp_hz.into(),
    ];
    Content::Values(fields.map(Value::Number), fields.len())
}

impl Content<'_> {
    /// Adds the record to the columns.
    pub(super) fn keep(self, head: Head, columns: &mut Columns) {
        match self {
            Self::Values(values, count) => {
                let words = values.map(|value| match value {
                    Value::Number(number) => number,
                    Value::Text(text) => columns.extras.keep_text(text),
                });
                columns.push(head, &words, count);
            }
            Self::Items(configuration, bytes) => {
                for item in Items::new(&configuration, bytes).flatten() {
                    columns.extras.push_item(&kept(&item));
                }
                columns.end(head, [0; 4]);
            }
            Self::Expectation([line, id], items, count) => {
                for item in items.iter().take(count) {
                    columns.extras.push_item(item);
                }
                columns.end(head, [line, id, 0, 0]);
            }
        }
    }
}

fn kept<'a>(item: &user::Item<'a>) -> extras::Item<'a> {
    use extras::Form as Kept;
    use user::Form;
    let form = match item.form {
        Form::I8 => Kept::I8,
        Form::U8 => Kept::U8,
        Form::I16 => Kept::I16,
        Form::U16 => Kept::U16,
        Form::I32 => Kept::I32,
        Form::U32 => Kept::U32,
        Form::X32 => Kept::X32,
        Form::Text => Kept::Text,
        Form::Memory => Kept::Memory,
        Form::Object => Kept::Object,
        Form::Function => Kept::Function,
        Form::Signal => Kept::Signal,
    };
    let value = match item.value {
        user::ItemValue::Signed(number) => extras::ItemValue::Signed(number),
        user::ItemValue::Unsigned(number) => extras::ItemValue::Number(number),
        user::ItemValue::Bytes(bytes) if form == Kept::Text => extras::ItemValue::Text(bytes),
        user::ItemValue::Bytes(bytes) => extras::ItemValue::Memory(bytes),
    };
    extras::Item {
        form,
        width: item.width,
        value,
    }
}
