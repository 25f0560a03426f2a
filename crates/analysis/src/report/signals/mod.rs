//! Events by receiver, signal and sender.

use super::{Distribution, Samples, View};
use crate::active::{RtcStep, StepEnding};
use crate::naming::NameFormatter;
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Html, Text, Viewer};
use crate::report::table::{ReportTable, TableRow, column};
use rtoscope_trace::{ContextId, Endpoint, Signal, Ticks};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Events of one signal that one sender posts to an active object.
///
/// A duration counts in the window in which it ends.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct SignalRow {
    /// The receiver.
    pub object: String,
    /// The signal: its name, or `signal 7`.
    pub signal: String,
    /// Its number.
    pub number: u32,
    /// The sender; `None` if it is not recorded.
    pub sender: Option<String>,
    /// Number of posts.
    pub posted: u64,
    /// Posts at the front of the queue.
    pub front: u64,
    /// Posts that recalled a deferred event.
    pub recalled: u64,
    /// Posts with a known take.
    pub taken: u64,
    /// From the post to the start of the step.
    pub queueing: Option<Distribution>,
    /// From the post to the end of the step.
    pub response: Option<Distribution>,
    /// The maximum response time.
    pub slowest: Option<SlowestResponse>,
}

impl TableRow for SignalRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "signals",
        title: ReportKind::Signals.title(),
        note: "",
        empty: "No events were posted",
        rank: "posted",
        columns: &[
            column!(Text, signal, "Signal"),
            column!(Text, sender, "Sender").missing("(unknown)"),
            column!(Text, object, "Receiver"),
            column!(Count, posted, "Posted"),
            column!(Count, front, "Front").hint("Posted to the front of the queue"),
            column!(Count, recalled, "Recalled")
                .hint("Deferred before")
                .only(&[Text, Viewer]),
            column!(Count, taken, "Taken").hint("Events with a known step"),
            column!(Duration, queueing?.p50, "Median queueing time").only(&[Text]),
            column!(Duration, response?.p50, "Median response time").only(&[Text]),
            column!(Duration, slowest?.duration, "Slowest response").only(&[Text, Viewer]),
            column!(Event, slowest?.post_event, "Slowest post"),
            column!(Event, slowest?.first_event, "First event")
                .hint("First event of the slowest step")
                .only(&[Text, Viewer]),
            column!(Event, slowest?.last_event, "Last event")
                .hint("Last event of the slowest step")
                .only(&[Text, Viewer]),
            column!(Distribution, queueing, "Queueing time")
                .hint("from post to start of step")
                .only(&[Html, Viewer]),
            column!(Distribution, response, "Response time")
                .hint("from post to end of step")
                .only(&[Html, Viewer]),
        ],
    };
}

/// The step with the maximum response time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
pub struct SlowestResponse {
    /// From the post to the end of the step, in ticks.
    pub duration: u64,
    /// The post.
    pub post_event: u32,
    /// The first event of the step.
    pub first_event: u32,
    /// The last event of the step.
    pub last_event: u32,
}

/// The rows, in the order of the receivers, then by signal and sender.
pub fn signals(view: &View<'_>) -> Vec<SignalRow> {
    let mut all: BTreeMap<(ContextId, Signal, Endpoint), SignalTotals> = BTreeMap::new();
    for post in &view.active.posts {
        if !view.includes_thread(post.to) {
            continue;
        }
        let step = post
            .step
            .and_then(|step| view.active.steps.get(step.index()));
        let posted = view.contains(post.time);
        let ends = step.is_some_and(|step| view.contains(step.start) || view.contains(step.end));
        if !posted && !ends {
            continue;
        }
        let totals = all.entry((post.to, post.signal, post.from)).or_default();
        if posted {
            totals.posted += 1;
            totals.front += u64::from(post.front);
            totals.recalled += u64::from(post.recalled);
        }
        if let Some(step) = step {
            totals.step(view, post, step);
        }
    }
    all.into_iter()
        .map(|(key, totals)| row(view, key, totals))
        .collect()
}

#[derive(Debug, Default)]
struct SignalTotals {
    posted: u64,
    front: u64,
    recalled: u64,
    taken: u64,
    queueing: Samples,
    response: Samples,
    slowest: Option<SlowestResponse>,
}

impl SignalTotals {
    fn step(&mut self, view: &View<'_>, post: &crate::active::Post, step: &RtcStep) {
        if view.contains(step.start) {
            self.taken += 1;
            let interval = [post.time, step.start];
            self.queueing
                .add_interval(interval, step.first, Some(step.object));
        }
        if matches!(step.ending, StepEnding::Recorded(_)) && view.contains(step.end) {
            let response = Ticks(step.end.0.saturating_sub(post.time.0));
            let interval = [post.time, step.end];
            self.response
                .add_interval(interval, step.last, Some(step.object));
            if self
                .slowest
                .is_none_or(|slowest| slowest.duration < response.0)
            {
                self.slowest = Some(SlowestResponse {
                    duration: response.0,
                    post_event: post.event.0,
                    first_event: step.first.0,
                    last_event: step.last.0,
                });
            }
        }
    }
}

fn row(
    view: &View<'_>,
    (object, signal, sender): (ContextId, Signal, Endpoint),
    totals: SignalTotals,
) -> SignalRow {
    let naming = NameFormatter(view.trace);
    let clock = &view.trace.clock;
    SignalRow {
        object: view.trace.context_name(object),
        signal: naming.signal(signal),
        number: signal.0,
        sender: naming.endpoint(sender),
        posted: totals.posted,
        front: totals.front,
        recalled: totals.recalled,
        taken: totals.taken,
        queueing: totals.queueing.distribution(clock),
        response: totals.response.distribution(clock),
        slowest: totals.slowest,
    }
}

#[cfg(test)]
mod tests;
