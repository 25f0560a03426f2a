//! The table `text_log_lines`.

use super::TableContent;
use super::column_getters::columns;
use super::label::Label;
use super::row_list::{OwnedRows, list_content};
use crate::row_context::RowContext;
use rtoscope_trace::Ticks;
use rtoscope_trace::text_log::{SignedTicks, TextLogLine};

/// A line of a text log.
pub(super) struct LineRow<'a> {
    log: &'a str,
    line: TextLogLine<'a>,
}

columns! {
    COLUMNS: LineRow<'_>;
    log: TextName = |_, it| it.log.to_owned(),
        "name of the text log";
    line: U64 = |_, it| it.line.number,
        "number of the line in the file, from 1";
    time: optional signed_ticks = |_, it| it.line.time.map(|SignedTicks(time)| time),
        "time since the first event of the recording, negative before it; null if unknown";
    time_ns: nanoseconds = |ctx, it| time_ns(ctx, it.line.time?),
        "`time` in nanoseconds";
    level: optional Dictionary = |_, it| it.line.level.map(|level| Label::Static(level.name())),
        "`error`, `warning`, `info`, `debug` or `trace`; null if the line has none";
    source: optional Text = |_, it| Some(it.line.source.to_owned()).filter(|it| !it.is_empty()),
        "module, tag or other source that the line names";
    text: Text = |_, it| it.line.text.to_owned(),
        "text after the stamp, the level and the source";
    is_continuation: Bool = |_, it| it.line.is_continuation,
        "whether the line has no stamp and follows a line with one";
}

fn time_ns(ctx: &RowContext<'_>, SignedTicks(time): SignedTicks) -> Option<i64> {
    let distance = ctx.nanoseconds(Ticks(time.unsigned_abs()))?;
    Some(distance * time.signum())
}

pub(super) fn rows<'a>(ctx: RowContext<'a>) -> Box<dyn TableContent + 'a> {
    let logs = ctx.recording.text_logs.iter();
    let rows = logs.flat_map(|log| {
        log.lines().map(|line| LineRow {
            log: &log.name,
            line,
        })
    });
    list_content(ctx, OwnedRows(rows.collect()))
}
