//! The steps of active objects.

use super::flow_name;
use super::tracks::RecordingWriter;
use crate::flows::{EventFlows, FlowKind};
use crate::timeline::Value::{Event, Number, Text};
use crate::timeline::{Class, Lanes, Value};
use rtoscope_analysis::active::RtcStep;
use rtoscope_analysis::naming::NameFormatter;
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Writes the steps, each with the end of its post's flow.
pub(super) fn write_steps<W: Write>(
    to: &mut RecordingWriter<'_, '_, W>,
    flows: &EventFlows,
) -> io::Result<()> {
    let (trace, active) = (to.view.trace, to.view.active);
    let naming = NameFormatter(trace);
    let mut objects: BTreeMap<_, Lanes<RecordingWriter<'_, '_, W>>> = BTreeMap::new();
    for step in &active.steps {
        let lanes = objects.entry(step.object).or_insert_with(|| {
            let name = trace.context_name(step.object);
            Lanes::new(format!("{name}: steps"))
        });
        let [before, after] = [step.before, step.after].map(|state| {
            let state = state.map(|state| naming.vertex(state));
            state.unwrap_or_default()
        });
        let arguments = [
            ("state before", Value::text(&before)),
            ("state after", Value::text(&after)),
            ("ending", Text(step.ending.name())),
            ("guards false", Number(step.guards_false.into())),
            ("first event", Event(step.first)),
            ("last event", Event(step.last)),
        ];
        let title = step_title(naming, step);
        let track = lanes.slice(to, [step.start, step.end], Class::Step, &title, &arguments)?;
        if let Some(post) = step.post {
            let (time, name) = (to.time(step.start), flow_name(FlowKind::Post));
            to.json.flow_end(track, time, name, flows.post(post));
        }
    }
    Ok(())
}

fn step_title(naming: NameFormatter<'_>, step: &RtcStep) -> String {
    match step.signal {
        Some(signal) => naming.signal(signal),
        None if step.initial => "(initial)".to_owned(),
        None => "(unknown signal)".to_owned(),
    }
}
