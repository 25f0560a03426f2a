//! What is wrong with a recording, or limits what it can say.

use super::{Content, Key, Made, Scene, columns, listed};
use rtoscope_trace::Diagnostic;

columns! {
    &Diagnostic;
    severity: Word = |_, it| Key::Severity(it.severity()),
        "`info`, `warning`, `error`";
    kind: Word = |_, it| Key::Word(it.kind.name()),
        "what it is about, such as `half-written-entry`";
    message: Text = |_, it| it.message.clone(),
        "a sentence for people";
    event: optional event = |scene, it| it.event.map(|event| scene.event(event)),
        "the first event concerned";
    offset: optional bytes = |_, it| it.offset,
        "where in the decompressed input";
    count: count = |_, it| it.count,
        "how often it happened, or how many events, entries or bytes it concerns";
}

pub(in crate::rows) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    let all = scene.source.view.diagnostics.iter().collect();
    listed(scene, Made::<&'a Diagnostic>(all))
}
