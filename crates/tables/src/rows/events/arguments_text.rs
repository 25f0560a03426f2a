//! The column `arguments`: the formatted arguments of events.

use super::EventRow;
use crate::rows::arguments::{ArgumentKey, ArgumentLayouts, RecentTexts, Recorded};
use crate::rows::column_filler::{ColumnFiller, text_column};
use rtoscope_trace::Trace;
use rtoscope_trace::render::{ArgumentLabel, UnknownArgument};

/// A column with the arguments of events, as [`Trace::arguments_line`] writes them.
pub(super) fn arguments_text<'f>(
    trace: &'f Trace,
    layouts: &'f ArgumentLayouts<'f>,
    rows: usize,
) -> Box<dyn ColumnFiller<EventRow> + 'f> {
    let labels = layouts.names.iter();
    let labels: Vec<_> = labels.map(|name| ArgumentLabel(name).to_string()).collect();
    let mut recent = RecentTexts::new();
    text_column(rows, move |row: &EventRow, texts| {
        let event = &row.event;
        let kind = event.kind;
        let separator = |position| if position == 1 { "" } else { " " };
        let layout = layouts.of_slot(row.kind_slot);
        if !layout.is_known {
            for (position, value) in (1..).zip(event.arguments) {
                let argument = ArgumentKey {
                    value,
                    kind,
                    position,
                };
                recent.write(argument, texts, |texts| {
                    texts.write(separator(position));
                    texts.write_display(UnknownArgument { position, value });
                });
            }
        }
        layouts.visit(layout, trace.events.extras(), event, |argument| {
            let position = argument.position;
            let label = &labels[argument.name as usize];
            match argument.recorded {
                Recorded::Item(item) => {
                    texts.write(separator(position));
                    texts.write(label);
                    texts.write_display(trace.item(item));
                }
                Recorded::Word(meaning, value) => {
                    let argument = ArgumentKey {
                        value,
                        kind,
                        position,
                    };
                    recent.write(argument, texts, |texts| {
                        texts.write(separator(position));
                        texts.write(label);
                        texts.write_display(trace.value(*meaning, value));
                    });
                }
            }
        });
    })
}
