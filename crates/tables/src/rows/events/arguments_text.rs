//! The column `arguments`: the formatted arguments of events.

use super::EventRow;
use crate::rows::arguments::{ArgumentLayouts, ValueTexts};
use crate::rows::column_filler::{ColumnFiller, text_column};
use rtoscope_trace::Trace;
use rtoscope_trace::render::ArgumentLabel;

/// A column with the arguments of events, as [`Trace::arguments_line`] writes them.
pub(super) fn arguments_text<'f>(
    trace: &'f Trace,
    layouts: &'f ArgumentLayouts<'f>,
) -> Box<dyn ColumnFiller<EventRow> + 'f> {
    let labels = layouts.names.iter();
    let labels: Vec<_> = labels.map(|name| ArgumentLabel(name).to_string()).collect();
    let mut values = ValueTexts::new(trace, move |texts, argument, value| {
        let separator = if argument.position == 1 { "" } else { " " };
        let label = &labels[argument.name as usize];
        texts.write(separator);
        texts.write(label);
        texts.write_display(value);
    });
    text_column(move |row: &EventRow, texts| {
        let event = &row.event;
        let layout = layouts.of_slot(row.kind_slot);
        if !layout.is_known {
            return texts.push_display(trace.arguments_line(event));
        }
        layouts.visit(layout, trace.events.extras(), event, |argument| {
            values.write(event.kind, &argument, texts);
        });
        texts.finish();
    })
}
