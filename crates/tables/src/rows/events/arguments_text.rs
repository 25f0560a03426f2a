//! The column `arguments`: the formatted arguments of events.

use super::EventRow;
use crate::StringTable;
use crate::rows::arguments::{ArgumentKey, ArgumentLayouts, Recorded};
use crate::rows::column_filler::{ColumnFiller, EXPECTED_REPETITIONS, text_column};
use foldhash::HashMap;
use rtoscope_trace::render::{ArgumentLabel, UnknownArgument};
use rtoscope_trace::{EventKindId, Trace};

/// Formats the arguments of events.
struct ArgumentsFormatter<'f> {
    trace: &'f Trace,
    layouts: &'f ArgumentLayouts<'f>,
    /// The text before each argument, by the code of its name.
    labels: Vec<String>,
    /// The names of objects.
    texts: StringTable,
    codes: HashMap<ArgumentKey, usize>,
}

/// What decides on the text of an event's arguments: those in its words, if it has no others.
type WordArguments = (EventKindId, u64, u64, u64, u64);

/// A column with the arguments of events, as [`Trace::arguments_line`] writes them. Most equal
/// those of an earlier event.
pub(super) fn arguments_text<'f>(
    trace: &'f Trace,
    layouts: &'f ArgumentLayouts<'f>,
    rows: usize,
) -> Box<dyn ColumnFiller<EventRow> + 'f> {
    let labels = layouts.names.iter();
    let mut formatter = ArgumentsFormatter {
        trace,
        layouts,
        labels: labels.map(|name| ArgumentLabel(name).to_string()).collect(),
        texts: StringTable::default(),
        codes: HashMap::default(),
    };
    let mut codes = HashMap::<WordArguments, u32>::default();
    codes.reserve(rows / EXPECTED_REPETITIONS);
    text_column(rows, move |row: &EventRow, texts| {
        let mut code = || texts.code(|texts| formatter.write(row, texts));
        if !layouts.of_slot(row.kind_slot).has_words_only() {
            return Some(code());
        }
        let presence = layouts.kinds.argument_presence(row.kind_slot);
        let word = |position: usize| match presence[position] {
            true => row.event.arguments[position],
            false => 0,
        };
        let arguments = (row.event.kind, word(0), word(1), word(2), word(3));
        Some(*codes.entry(arguments).or_insert_with(code))
    })
}

impl ArgumentsFormatter<'_> {
    fn write(&mut self, row: &EventRow, to: &mut StringTable) {
        let event = &row.event;
        let kind = event.kind;
        let separator = |position| if position == 1 { "" } else { " " };
        let trace = self.trace;
        let layout = self.layouts.of_slot(row.kind_slot);
        if !layout.is_known {
            for (position, value) in (1..).zip(event.arguments) {
                to.write(separator(position));
                to.write_display(UnknownArgument { position, value });
            }
        }
        let layouts = self.layouts;
        layouts.visit(layout, trace.events.extras(), event, |argument| {
            let position = argument.position;
            to.write(separator(position));
            to.write(&self.labels[argument.name as usize]);
            match argument.recorded {
                Recorded::Item(item) => to.write_display(trace.item(item)),
                Recorded::Word(meaning, value) => {
                    let shown = trace.value(*meaning, value);
                    if meaning.object_class().is_none() {
                        to.write_display(shown);
                        return;
                    }
                    // Names are looked up once.
                    let argument = ArgumentKey {
                        value,
                        kind,
                        position,
                    };
                    let code = *self.codes.entry(argument).or_insert_with(|| {
                        self.texts.write_display(shown);
                        self.texts.end_string();
                        self.texts.len() - 1
                    });
                    to.write_bytes(self.texts.bytes_of(code));
                }
            }
        });
    }
}
