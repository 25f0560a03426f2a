//! Formatted events: their texts are in the firmware, their values in the entries.

use super::columns::LogColumns;
use crate::format_strings::{FormatStrings, ValueCount};
use rtoscope_symbols::Firmware;
use rtoscope_trace::extras::{Extras, ItemType, ItemValue, TypedItem};
use rtoscope_trace::{Diagnostic, EventIndex};
use rtoscope_wire::Word;
use rtoscope_wire::cswitch::EntryKind;
use std::sync::Arc;

/// The items of all formatted events: the text, or the address of the format string if the text
/// is unknown, and the values. `values` are those after the first one of each event, where the
/// columns have the position of the first of them and their number.
pub(super) fn items<W: Word>(
    columns: &mut LogColumns<W>,
    values: &[u32],
    firmware: &[Arc<Firmware>],
) -> (Extras, Option<Diagnostic>) {
    let mut extras = Extras::default();
    let mut formats = FormatStrings::of(firmware);
    let mut without_strings: Option<(EventIndex, u64)> = None;
    let is_formatted = |kind: u32| kind == EntryKind::Formatted as u32;
    if !columns.kind.iter().any(|kind| is_formatted(kind.0)) {
        return (extras, None);
    }
    let mut own = Vec::new();
    let events = columns.kind.iter().zip(&mut columns.arguments);
    for (event, (kind, arguments)) in (0..).map(EventIndex).zip(events) {
        if !is_formatted(kind.0) {
            extras.end_event();
            continue;
        }
        let words = arguments.map(|word| u32::low_bits(Into::<u64>::into(word)));
        *arguments = [W::default(); 4];
        let [address, first, start, count] = words;
        let more = values.get(start as usize..).unwrap_or_default();
        own.clear();
        own.push(first);
        own.extend(more.iter().take(count as usize));
        let rendered = match &mut formats {
            Some(formats) => formats.render(event, address, &own, ValueCount::Padded),
            None => {
                without_strings.get_or_insert((event, 0)).1 += 1;
                None
            }
        };
        let (item_type, value, used) = match rendered {
            Some((text, used)) => (ItemType::Text, ItemValue::Text(text.as_bytes()), used),
            None => (ItemType::X32, ItemValue::Number(address), own.len()),
        };
        push_item(&mut extras, item_type, value);
        for value in own.iter().take(used) {
            push_item(&mut extras, ItemType::U32, ItemValue::Number(*value));
        }
        extras.end_event();
    }
    let diagnostic = match formats {
        Some(formats) => formats.diagnostic(),
        None => without_strings
            .filter(|_| !firmware.is_empty())
            .map(|(first, count)| FormatStrings::missing(first, count)),
    };
    (extras, diagnostic)
}

fn push_item(extras: &mut Extras, item_type: ItemType, value: ItemValue<'_>) {
    extras.push_item(&TypedItem {
        item_type,
        width: 0,
        value,
    });
}
