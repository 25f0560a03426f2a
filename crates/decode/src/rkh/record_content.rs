//! Reads records of any layout with all checks.

use super::columns::{FrameHeader, RecordColumns};
use super::own_records::OwnRecords;
use super::record_layout::{MAX_ARGUMENTS, RecordPlan};
use rtoscope_trace::extras;
use rtoscope_wire::rkh::header::{self, HeaderError, RecordHeader};
use rtoscope_wire::rkh::user::{self, ItemFormat, UserItems};
use rtoscope_wire::rkh::value::ArgumentsError;
use rtoscope_wire::rkh::{
    ArgumentKind, ArgumentLayout, ArgumentValue, ArgumentValues, RecordSpec, StreamConfiguration,
    TargetConfiguration,
};

/// Why a frame is not a valid record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RecordError {
    Checksum,
    Unknown { sequence: Option<u8> },
    Malformed { sequence: Option<u8>, extra: u64 },
}

/// The arguments of a record, ready to store.
pub(super) enum RecordContent<'a> {
    /// By position in the full layout; absent ones are 0.
    Values([ArgumentValue<'a>; MAX_ARGUMENTS], usize),
    /// The items of a user record; with their formats if they are declared.
    Items(StreamConfiguration, Option<&'a [ItemFormat]>, &'a [u8]),
    /// The expectation of a unit test: the line, the event's id, its arguments.
    Expectation([u32; 2], [extras::TypedItem<'static>; MAX_ARGUMENTS], usize),
}

/// Reads a frame that is exactly one record.
pub(super) fn read<'a>(
    plan: &RecordPlan,
    own_records: &'a OwnRecords,
    frame: &'a [u8],
) -> Result<(RecordHeader, RecordContent<'a>), RecordError> {
    let configuration = &plan.configuration;
    let known = plan.record_of(frame);
    let (header, arguments) = match header::split_frame(frame, configuration) {
        Ok(parts) => parts,
        Err(HeaderError::Checksum { .. }) => return Err(RecordError::Checksum),
        Err(HeaderError::UnknownId { sequence, .. }) => {
            return Err(RecordError::Unknown { sequence });
        }
        Err(HeaderError::TooShort { .. }) if known.is_none() => {
            return Err(RecordError::Unknown { sequence: None });
        }
        Err(HeaderError::TooShort { .. }) => {
            return Err(RecordError::Malformed {
                sequence: None,
                extra: 0,
            });
        }
    };
    let sequence = header.sequence;
    let record = known.ok_or(RecordError::Unknown { sequence })?;
    let malformed = |extra| RecordError::Malformed { sequence, extra };
    let misfit = |error| match error {
        ArgumentsError::TooLong { extra } => malformed(extra as u64),
        _ => malformed(0),
    };
    let content = match record.layout {
        ArgumentLayout::Fixed => values(record, configuration, arguments).map_err(misfit)?,
        ArgumentLayout::Expectation => {
            expectation(record, configuration, arguments).map_err(misfit)?
        }
        ArgumentLayout::Items => {
            let formats = own_records.formats(record.id);
            if items(configuration, formats, arguments).any(|item| item.is_err()) {
                return Err(malformed(0));
            }
            RecordContent::Items(*configuration, formats, arguments)
        }
        // A configuration record without a valid configuration.
        ArgumentLayout::Configuration => {
            let widths = record.arguments.iter();
            let widths = widths.filter_map(|argument| argument.kind.width(configuration));
            let extra = arguments.len().saturating_sub(widths.sum());
            return Err(malformed(extra as u64));
        }
    };
    Ok((header, content))
}

fn items<'a>(
    configuration: &StreamConfiguration,
    formats: Option<&'a [ItemFormat]>,
    arguments: &'a [u8],
) -> UserItems<'a> {
    match formats {
        Some(formats) => UserItems::declared(configuration, formats, arguments),
        None => UserItems::new(configuration, arguments),
    }
}

fn values<'a>(
    record: &'static RecordSpec,
    configuration: &StreamConfiguration,
    arguments: &'a [u8],
) -> Result<RecordContent<'a>, ArgumentsError> {
    let mut all = [ArgumentValue::Number(0); MAX_ARGUMENTS];
    let mut present = ArgumentValues::new(record, configuration, arguments);
    for (place, argument) in all.iter_mut().zip(record.arguments) {
        if argument.kind.width(configuration) != Some(0)
            && let Some(value) = present.next()
        {
            (_, *place) = value?;
        }
    }
    match present.next() {
        Some(Err(error)) => Err(error),
        _ => Ok(RecordContent::Values(all, record.arguments.len())),
    }
}

fn expectation<'a>(
    record: &'static RecordSpec,
    configuration: &StreamConfiguration,
    arguments: &'a [u8],
) -> Result<RecordContent<'a>, ArgumentsError> {
    let none = extras::TypedItem {
        item_type: extras::ItemType::U8,
        width: 0,
        value: extras::ItemValue::Number(0),
    };
    let mut first = [0; 2];
    let mut items = [none; MAX_ARGUMENTS];
    let mut count = 0;
    for (index, value) in ArgumentValues::new(record, configuration, arguments).enumerate() {
        let (argument, value) = value?;
        let ArgumentValue::Number(number) = value else {
            continue;
        };
        if let Some(place) = first.get_mut(index) {
            *place = number;
        } else if let Some(item) = items.get_mut(count) {
            item.item_type = item_form(argument.kind);
            item.value = extras::ItemValue::Number(number);
            count += 1;
        }
    }
    Ok(RecordContent::Expectation(first, items, count))
}

/// The item type of an argument that a unit test expects.
fn item_form(kind: ArgumentKind) -> extras::ItemType {
    match kind {
        ArgumentKind::Object(_) | ArgumentKind::Sender(_) => extras::ItemType::Object,
        ArgumentKind::Function | ArgumentKind::FunctionSymbol => extras::ItemType::Function,
        ArgumentKind::Signal => extras::ItemType::Signal,
        _ => extras::ItemType::U8,
    }
}

/// The fields of a target's configuration, as in its record since 2.4.04.
pub(super) fn target_content(target: &TargetConfiguration) -> RecordContent<'static> {
    let nibbles = |high: u8, low: u8| u32::from(high) << 4 | u32::from(low & 0xF);
    let fields = [
        target.version.map_or(0, |version| version.0.into()),
        target.options.0,
        nibbles(target.signal, target.timestamp),
        nibbles(target.pointer, target.timer_ticks),
        nibbles(target.block_count, target.element_count),
        nibbles(0, target.event_size),
        nibbles(target.block_size, target.event_pools),
        target.timestamp_hz.into(),
    ];
    RecordContent::Values(fields.map(ArgumentValue::Number), fields.len())
}

impl RecordContent<'_> {
    /// Appends the record to the columns.
    pub(super) fn push_to(self, head: FrameHeader, columns: &mut RecordColumns) {
        match self {
            Self::Values(values, count) => {
                let words = values.map(|value| match value {
                    ArgumentValue::Number(number) => number,
                    ArgumentValue::Text(text) => columns.extras.push_text(text),
                });
                columns.push(head, &words, count);
            }
            Self::Items(configuration, formats, bytes) => {
                for item in items(&configuration, formats, bytes).flatten() {
                    columns.extras.push_item(&extras_item(&item));
                }
                columns.push_with_extras(head, [0; 4]);
            }
            Self::Expectation([line, id], items, count) => {
                for item in items.iter().take(count) {
                    columns.extras.push_item(item);
                }
                columns.push_with_extras(head, [line, id, 0, 0]);
            }
        }
    }
}

fn extras_item<'a>(item: &user::UserItem<'a>) -> extras::TypedItem<'a> {
    use extras::ItemType as Kept;
    let form = match item.format {
        ItemFormat::I8 => Kept::I8,
        ItemFormat::U8 => Kept::U8,
        ItemFormat::I16 => Kept::I16,
        ItemFormat::U16 => Kept::U16,
        ItemFormat::I32 => Kept::I32,
        ItemFormat::U32 => Kept::U32,
        ItemFormat::X32 => Kept::X32,
        ItemFormat::Text => Kept::Text,
        ItemFormat::Memory => Kept::Memory,
        ItemFormat::Object => Kept::Object,
        ItemFormat::Function => Kept::Function,
        ItemFormat::Signal => Kept::Signal,
    };
    let value = match item.value {
        user::ItemValue::Signed(number) => extras::ItemValue::Signed(number),
        user::ItemValue::Unsigned(number) => extras::ItemValue::Number(number),
        user::ItemValue::Bytes(bytes) if form == Kept::Text => extras::ItemValue::Text(bytes),
        user::ItemValue::Bytes(bytes) => extras::ItemValue::Memory(bytes),
    };
    extras::TypedItem {
        item_type: form,
        width: item.width,
        value,
    }
}
