//! Formatted events: the text stays in the firmware's ELF file, in the section
//! [`SECTION`], and the target records only its address and numbers.

mod printf;

use rtoscope_symbols::Firmware;
use rtoscope_trace::catalogue::{ArgumentDef, Colour, ExtrasLayout, Icon, Meaning};
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::events::ArgumentColumn;
use rtoscope_trace::extras::{Extras, ItemType, ItemValue};
use rtoscope_trace::{
    Address, Diagnostic, DiagnosticKind, EventIndex, EventKind, EventKindId, Trace,
};
use std::sync::Arc;

/// The section of the texts, each followed by a NUL. Normally it is not loaded into the
/// target.
const SECTION: &str = ".rtoscope";

/// Maximum length of a text or string in bytes, with its NUL.
const MAX_TEXT_BYTES: usize = 4096;

/// What is known of the number of an event's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValueCount {
    /// It has these values.
    Exact,
    /// It has these values, or fewer.
    AtMost,
    /// It has these values, or one less: they are recorded in pairs after the first one.
    Padded,
}

impl ValueCount {
    /// Whether a format string that takes `used` values fits an event with `recorded` ones.
    fn fits(self, used: usize, recorded: usize) -> bool {
        match self {
            Self::Exact => used == recorded,
            Self::AtMost => used <= recorded,
            Self::Padded => used / 2 == recorded / 2,
        }
    }
}

/// The format strings of firmware.
pub(crate) struct FormatStrings<'a> {
    firmware: &'a [Arc<Firmware>],
    sections: Vec<(u64, &'a [u8])>,
    /// The first problem, and the number of events with one.
    problem: Option<(EventIndex, String)>,
    problems: u64,
    /// The text of the current event.
    text: String,
}

impl<'a> FormatStrings<'a> {
    /// `None` if no file has format strings.
    pub(crate) fn of(firmware: &'a [Arc<Firmware>]) -> Option<Self> {
        let sections: Vec<_> = firmware
            .iter()
            .filter_map(|file| file.section(SECTION))
            .collect();
        (!sections.is_empty()).then_some(Self {
            firmware,
            sections,
            problem: None,
            problems: 0,
            text: String::new(),
        })
    }

    /// Renders an event: the text at `address` with its values; returns it and the number of
    /// values in it. `None` if there is no such text, or if it does not fit the values: the ELF
    /// file is that of other firmware.
    pub(crate) fn render(
        &mut self,
        event: EventIndex,
        address: u32,
        values: &[u32],
        count: ValueCount,
    ) -> Option<(&str, usize)> {
        self.text.clear();
        let rendered = match self.format(address) {
            None => Err(format!("no format string is at {address:#x}")),
            Some(format) => {
                let firmware = self.firmware;
                let string = |address: u32| {
                    let address = Address(address.into());
                    let mut files = firmware.iter();
                    files.find_map(|file| file.text(address, MAX_TEXT_BYTES))
                };
                printf::render(&mut self.text, format, values, string).and_then(|used| {
                    let fits = count.fits(used, values.len());
                    fits.then_some(used).ok_or_else(|| printf::mismatch(format))
                })
            }
        };
        match rendered {
            Ok(used) => Some((&self.text, used)),
            Err(problem) => {
                self.problems += 1;
                self.problem.get_or_insert((event, problem));
                None
            }
        }
    }

    /// The text that starts at an address.
    fn format(&self, address: u32) -> Option<&'a [u8]> {
        self.sections.iter().find_map(|(start, bytes)| {
            let offset = address.wrapping_sub(*start as u32) as usize;
            let is_start = match offset.checked_sub(1) {
                None => true,
                Some(before) => bytes.get(before) == Some(&0),
            };
            let rest = bytes.get(offset..).filter(|_| is_start)?;
            rest.get(..memchr::memchr(0, rest.get(..MAX_TEXT_BYTES).unwrap_or(rest))?)
                .filter(|text| !text.is_empty())
        })
    }

    /// Formatted events without a file that has format strings.
    pub(crate) fn missing(first: EventIndex, count: u64) -> Diagnostic {
        let message = format!(
            "{} without text, first event {first}: the ELF file has no format strings (section \
             {SECTION})",
            pluralise(count, "formatted event", "formatted events"),
        );
        Diagnostic::new(DiagnosticKind::UnknownFormat, message).with_count(count)
    }

    /// The events that could not be rendered.
    pub(crate) fn diagnostic(self) -> Option<Diagnostic> {
        let (event, problem) = self.problem?;
        let count = self.problems;
        let message = format!(
            "{} without text, first event {event}: {problem}; the ELF file is not that of the \
             recorded firmware",
            pluralise(count, "formatted event", "formatted events"),
        );
        let kind = DiagnosticKind::UnknownFormat;
        Some(Diagnostic::new(kind, message).with_count(count))
    }
}

/// Renders a format string that the recording contains; `None` if it does not fit the values.
/// `string` is the string at an address.
pub(crate) fn render_text<'a>(
    format: &[u8],
    values: &[u32],
    string: impl Fn(u32) -> Option<&'a [u8]>,
) -> Option<String> {
    let mut text = String::new();
    printf::render(&mut text, format, values, string).ok()?;
    Some(text)
}

/// Renders the items of all events of a kind: the first item is the text's address, which
/// the rendered text replaces.
pub(crate) fn render_items(
    extras: &mut Extras,
    kinds: &[EventKindId],
    kind: EventKindId,
    firmware: &[Arc<Firmware>],
) -> Option<Diagnostic> {
    let Some(mut formats) = FormatStrings::of(firmware) else {
        return missing_formats(extras, kinds, kind, firmware);
    };
    let mut values = Vec::new();
    for (event, of) in (0..).map(EventIndex).zip(kinds) {
        if *of != kind || !looks_formatted(extras, event) {
            continue;
        }
        values.clear();
        values.extend(extras.items(event).map(|item| match item.value {
            ItemValue::Number(number) => number,
            ItemValue::Signed(number) => number.cast_unsigned(),
            ItemValue::Text(_) | ItemValue::Memory(_) => 0,
        }));
        if let Some((address, values)) = values.split_first()
            && let Some((text, _)) = formats.render(event, *address, values, ValueCount::Exact)
        {
            extras.replace_first_item(event, text.as_bytes());
        }
    }
    formats.diagnostic()
}

/// Whether the items of an event are an address and numbers, as those of formatted events.
/// The application may use the kind for other records.
fn looks_formatted(extras: &Extras, event: EventIndex) -> bool {
    let mut items = extras.items(event).map(|item| item.item_type);
    items.next() == Some(ItemType::X32) && items.all(|it| it == ItemType::U32)
}

/// The events of a kind that look formatted, if there are ELF files, but none with format
/// strings.
fn missing_formats(
    extras: &Extras,
    kinds: &[EventKindId],
    kind: EventKindId,
    firmware: &[Arc<Firmware>],
) -> Option<Diagnostic> {
    let events = (0..).map(EventIndex).zip(kinds);
    let of_kind = events.filter(|(_, of)| **of == kind);
    let mut formatted = of_kind.filter(|(event, _)| looks_formatted(extras, *event));
    if firmware.is_empty() {
        return None;
    }
    let (first, _) = formatted.next()?;
    let count = 1 + formatted.count() as u64;
    Some(FormatStrings::missing(first, count))
}

/// Renders the arguments of all events with a number: the first argument is the text's
/// address.
pub(crate) fn render_arguments(trace: &mut Trace, kind: EventKindId, firmware: &[Arc<Firmware>]) {
    let Some(mut formats) = FormatStrings::of(firmware) else {
        return;
    };
    if !trace.events.kind_counts().may_occur(kind) {
        return;
    }
    let mut found = false;
    trace.events.edit(|columns| {
        let mut arguments = ArgumentWords(&mut columns.arguments);
        for (event, _) in (0..)
            .map(EventIndex)
            .zip(&columns.kind)
            .filter(|(_, of)| **of == kind)
        {
            found = true;
            let Some([address, values @ ..]) = arguments.get(event) else {
                continue;
            };
            let text = formats.render(event, address, &values, ValueCount::AtMost);
            let position = match text {
                Some((text, _)) => columns.extras.push_text(text.as_bytes()),
                None => columns
                    .extras
                    .push_text(format!("(no text at {address:#x})").as_bytes()),
            };
            arguments.set_first(event, position);
        }
    });
    if found {
        trace.catalogue.extend([formatted_kind(kind)]);
        trace.diagnostics.extend(formats.diagnostic());
    }
}

/// The columns of four arguments as words of 4 bytes.
struct ArgumentWords<'a>(&'a mut ArgumentColumn);

impl ArgumentWords<'_> {
    fn get(&self, event: EventIndex) -> Option<[u32; 4]> {
        match &*self.0 {
            ArgumentColumn::Narrow(words) => words.get(event.index()).copied(),
            ArgumentColumn::Wide(words) => Some(words.get(event.index())?.map(|word| word as u32)),
        }
    }

    fn set_first(&mut self, event: EventIndex, value: u32) {
        match self.0 {
            ArgumentColumn::Narrow(words) => {
                if let Some([first, ..]) = words.get_mut(event.index()) {
                    *first = value;
                }
            }
            ArgumentColumn::Wide(words) => {
                if let Some([first, ..]) = words.get_mut(event.index()) {
                    *first = value.into();
                }
            }
        }
    }
}

/// The kind of formatted events.
fn formatted_kind(id: EventKindId) -> EventKind {
    let value = |name: &'static str| {
        Some(ArgumentDef {
            name: name.into(),
            meaning: Meaning::Number,
        })
    };
    EventKind {
        id,
        symbol: "RTO_THREADX_FORMAT".into(),
        name: "formatted".into(),
        component: "user".into(),
        internal: false,
        icon: Icon {
            letters: "F".into(),
            colour: Colour::default(),
            second_colour: Colour::default(),
        },
        arguments: [
            Some(ArgumentDef {
                name: "text".into(),
                meaning: Meaning::Text,
            }),
            value("value 1"),
            value("value 2"),
            value("value 3"),
        ],
        extras: ExtrasLayout::NONE,
        marker: None,
    }
}

#[cfg(test)]
mod tests {
    use super::ValueCount;

    #[test]
    fn values_in_pairs_may_have_one_more() {
        // 0 or 1 value is recorded as one word, 2 or 3 values as three words.
        for (used, recorded) in [(0, 1), (1, 1), (2, 3), (3, 3), (8, 9)] {
            assert!(ValueCount::Padded.fits(used, recorded));
        }
        for (used, recorded) in [(2, 1), (1, 3), (4, 3), (10, 9)] {
            assert!(!ValueCount::Padded.fits(used, recorded));
        }
        assert!(ValueCount::AtMost.fits(0, 3) && !ValueCount::Exact.fits(0, 3));
    }
}
