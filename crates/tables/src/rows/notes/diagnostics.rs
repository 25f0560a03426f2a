//! The table `diagnostics`.

use super::{Label, OwnedRows, RowContext, TableContent, columns, list_content};
use rtoscope_trace::Diagnostic;

columns! {
    &Diagnostic;
    severity: Word = |_, it| Label::Severity(it.severity()),
        "`info`, `warning`, `error`";
    kind: Word = |_, it| Label::Static(it.kind.name()),
        "kind of diagnostic, such as `half-written-entry`";
    message: Text = |_, it| it.message.clone(),
        "the message";
    event: optional event = |scene, it| it.event.map(|event| scene.event_number(event)),
        "first event concerned";
    offset: optional bytes = |_, it| it.offset,
        "position in the decompressed input";
    count: count = |_, it| it.count,
        "number of occurrences, or of events, entries or bytes concerned";
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.diagnostics.iter().collect();
    list_content(scene, OwnedRows::<&'a Diagnostic>(all))
}
