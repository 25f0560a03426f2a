//! What is wrong with a recording, or limits what it can say.

use super::{Label, OwnedRows, RowContext, TableContent, columns, list_content};
use rtoscope_trace::Diagnostic;

columns! {
    &Diagnostic;
    severity: Word = |_, it| Label::Severity(it.severity()),
        "`info`, `warning`, `error`";
    kind: Word = |_, it| Label::Static(it.kind.name()),
        "what it is about, such as `half-written-entry`";
    message: Text = |_, it| it.message.clone(),
        "a sentence for people";
    event: optional event = |scene, it| it.event.map(|event| scene.event_number(event)),
        "the first event concerned";
    offset: optional bytes = |_, it| it.offset,
        "where in the decompressed input";
    count: count = |_, it| it.count,
        "how often it happened, or how many events, entries or bytes it concerns";
}

pub(in crate::rows) fn rows<'a>(scene: RowContext<'a>) -> Box<dyn TableContent<'a> + 'a> {
    let all = scene.source.view.diagnostics.iter().collect();
    list_content(scene, OwnedRows::<&'a Diagnostic>(all))
}
