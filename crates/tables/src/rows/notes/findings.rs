//! The table `findings`.

use super::{Label, OwnedRows, RowContext, TableContent, columns, list_content};
use rtoscope_analysis::report::findings::{Finding, FindingCategory, findings};
use rtoscope_trace::{EventIndex, Ticks};
use serde::Serialize as _;
use std::fmt;

columns! {
    Finding;
    severity: Word = |_, it| Label::Static(it.severity.name()),
        "`critical`, `warning`, `note`";
    category: Text = |_, it| CategoryName(it.category).to_string(),
        "category of the finding, such as `starvation`";
    message: Text = |_, it| it.message.clone(),
        "the message";
    event: optional event = |scene, it| it.event.map(|event| scene.event_number(EventIndex(event))),
        "event to look at";
    time: optional ticks = |scene, it| event_time(scene, it).map(|time| scene.time(time)),
        "time of that event, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| event_time(scene, it).and_then(|time| scene.time_ns(time)),
        "`time` in nanoseconds";
}

/// Displays a category by its name in the reports.
struct CategoryName(FindingCategory);

impl fmt::Display for CategoryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

fn event_time(scene: &RowContext<'_>, finding: &Finding) -> Option<Ticks> {
    finding
        .event
        .map(|event| scene.event_time(EventIndex(event)))
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    list_content(scene, OwnedRows(findings(&scene.source.view)))
}
