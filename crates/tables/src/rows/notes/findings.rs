//! What an engineer should look at first.

use super::{Content, Key, Made, Scene, columns, listed};
use rtoscope_analysis::report::findings::{Finding, Subject, findings};
use rtoscope_trace::{EventIndex, Ticks};
use serde::Serialize as _;
use std::fmt;

columns! {
    Finding;
    weight: Word = |_, it| Key::Word(it.weight.name()),
        "how much it matters: `critical`, `warning`, `note`";
    subject: Text = |_, it| Shown(it.subject).to_string(),
        "what it is about, such as `starvation`";
    message: Text = |_, it| it.message.clone(),
        "a sentence for people";
    event: optional event = |scene, it| it.event.map(|event| scene.event(EventIndex(event))),
        "where to look";
    time: optional ticks = |scene, it| time(scene, it).map(|time| scene.time(time)),
        "when that event happened, since the first event of the recording";
    time_ns: nanoseconds = |scene, it| time(scene, it).and_then(|time| scene.time_ns(time)),
        "`time` as time";
}

/// A subject by its name in the reports.
struct Shown(Subject);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.serialize(f)
    }
}

fn time(scene: &Scene<'_>, finding: &Finding) -> Option<Ticks> {
    finding.event.map(|event| scene.happened(EventIndex(event)))
}

pub(in crate::rows) fn rows<'a>(scene: Scene<'a>) -> Box<dyn Content<'a> + 'a> {
    listed(scene, Made(findings(&scene.source.view)))
}
