//! The critical path of an event: what led to it, with totals.

use super::View;
use super::deadlines::describe_cause;
use crate::critical_path::{CriticalPath, PathCause, PathContext, PathOrigin, PathSegment};
use crate::naming::NameFormatter;
use crate::schedule::DelayCause;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashMap;
use std::hash::Hash;

/// The critical path of an event. Times are in ticks since the first event.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CriticalPathReport {
    /// The event.
    pub event: u32,
    /// The context that the path explains: that of its end.
    pub context: String,
    /// Start of the path.
    pub start: u64,
    /// The time of the event.
    pub end: u64,
    /// Ticks from start to end: the sum of the segments.
    pub duration: u64,
    /// Why the path does not go back further, as a name.
    pub origin: &'static str,
    /// The same as a phrase: what the path goes back to.
    pub origin_text: String,
    /// The segments, oldest first.
    pub segments: Vec<PathSegmentRow>,
    /// Time by context, longest first.
    pub contexts: Vec<PathContextTotal>,
    /// Time by context and cause, longest first.
    pub causes: Vec<PathCauseTotal>,
}

/// A part of the path with one context and one cause.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PathSegmentRow {
    /// Its start.
    pub start: u64,
    /// Its end.
    pub end: u64,
    /// Ticks from start to end.
    pub duration: u64,
    /// The event that began it, or the last before it.
    pub event: u32,
    /// The context that the path follows.
    pub context: String,
    /// The number of that context, unless it is an interrupt service routine.
    pub thread: Option<u32>,
    /// The core of that interrupt service routine.
    pub core: Option<u8>,
    /// The number of that interrupt service routine, if it has one.
    pub isr: Option<u32>,
    /// Whether the context runs.
    pub runs: bool,
    /// What it does, or what keeps it from running.
    pub cause: String,
    /// Whose wait the path follows meanwhile, and for what.
    pub blocks: Option<String>,
    /// The resumption that ends the segment.
    pub resumes: Option<PathResumption>,
}

/// A context ends the wait of another.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PathResumption {
    /// The event that ends it.
    pub event: u32,
    /// The context that waited.
    pub context: String,
    /// What it waited for.
    pub waited: String,
}

/// The time of a context on the path.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PathContextTotal {
    /// The context.
    pub context: String,
    /// Ticks in which the path follows it.
    pub duration: u64,
    /// Its share of the path, in percent; `null` if the path takes no time.
    pub share: Option<f64>,
}

/// The time of a cause on the path.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PathCauseTotal {
    /// The context that the path follows.
    pub context: String,
    /// What it does, or what keeps it from running.
    pub cause: String,
    /// Ticks.
    pub duration: u64,
    /// Its share of the path, in percent; `null` if the path takes no time.
    pub share: Option<f64>,
    /// The event that began the first such segment, or the last before it.
    pub event: u32,
}

/// Names the contexts and causes of a path, and sums them.
pub fn critical_path(view: &View<'_>, path: &CriticalPath) -> CriticalPathReport {
    let ticks = path.end.0.saturating_sub(path.start.0);
    let share = |part: u64| (ticks > 0).then(|| part as f64 * 100.0 / ticks as f64);
    let contexts = totals(path, |it| it.context).into_iter();
    let causes = totals(path, |it| (it.context, it.cause)).into_iter();
    CriticalPathReport {
        event: path.event.0,
        context: context_name(view, path.context),
        start: path.start.0,
        end: path.end.0,
        duration: ticks,
        origin: path.origin.name(),
        origin_text: origin_text(view, path),
        segments: path.segments.iter().map(|it| row(view, it)).collect(),
        contexts: contexts
            .map(|(context, ticks, _)| PathContextTotal {
                context: context_name(view, context),
                duration: ticks,
                share: share(ticks),
            })
            .collect(),
        causes: causes
            .map(|((context, cause), ticks, event)| PathCauseTotal {
                context: context_name(view, context),
                cause: cause_text(view, cause),
                duration: ticks,
                share: share(ticks),
                event,
            })
            .collect(),
    }
}

/// The ticks and the first event of each key, the longest first.
fn totals<K: Copy + Eq + Hash>(
    path: &CriticalPath,
    key: impl Fn(&PathSegment) -> K,
) -> Vec<(K, u64, u32)> {
    let mut indices = HashMap::new();
    let mut totals: Vec<(K, u64, u32)> = Vec::new();
    for segment in &path.segments {
        let key = key(segment);
        let index = *indices.entry(key).or_insert(totals.len());
        match totals.get_mut(index) {
            Some((_, ticks, _)) => *ticks += segment.ticks(),
            None => totals.push((key, segment.ticks(), segment.event.0)),
        }
    }
    totals.sort_by_key(|(_, ticks, _)| std::cmp::Reverse(*ticks));
    totals
}

fn row(view: &View<'_>, segment: &PathSegment) -> PathSegmentRow {
    let (thread, core, isr) = match segment.context {
        PathContext::Context(context) => (Some(context.0), None, None),
        PathContext::Isr { core, number } => (None, Some(core), number),
    };
    PathSegmentRow {
        start: segment.start.0,
        end: segment.end.0,
        duration: segment.ticks(),
        event: segment.event.0,
        context: context_name(view, segment.context),
        thread,
        core,
        isr,
        runs: segment.cause == PathCause::Delay(DelayCause::Running),
        cause: cause_text(view, segment.cause),
        blocks: segment.blocks.map(|wait| {
            let thread = view.trace.context_name(wait.thread);
            let object = wait.resource.map(|it| view.resource_name(it));
            format!("{thread}: {}", wait.wait_reason.describe(object.as_deref()))
        }),
        resumes: segment.resumes.map(|resumption| PathResumption {
            event: resumption.event.0,
            context: view.trace.context_name(resumption.context),
            waited: match resumption.wait_reason {
                Some(reason) => {
                    let object = resumption.resource.map(|it| view.resource_name(it));
                    reason.describe(object.as_deref())
                }
                None => posted_signal(view, segment),
            },
        }),
    }
}

/// The event that a resumption posts to an active object.
fn posted_signal(view: &View<'_>, segment: &PathSegment) -> String {
    let posts = &view.active.posts;
    let event = segment.resumes.map(|it| it.event);
    let first = posts.partition_point(|post| Some(post.event) < event);
    let post = posts.get(first).filter(|post| Some(post.event) == event);
    let signal = post.map(|post| NameFormatter(view.trace).signal(post.signal));
    match signal {
        Some(signal) => format!("waiting for {signal}"),
        None => "waiting for an event".to_owned(),
    }
}

fn context_name(view: &View<'_>, context: PathContext) -> String {
    match context {
        PathContext::Context(context) => view.trace.context_name(context),
        PathContext::Isr { number, .. } => view.schedule.isr_name(number),
    }
}

fn cause_text(view: &View<'_>, cause: PathCause) -> String {
    match cause {
        PathCause::Delay(DelayCause::Running) => "running".to_owned(),
        PathCause::Delay(delay) => describe_cause(view, delay),
        PathCause::Queued => "the event was queued".to_owned(),
    }
}

fn origin_text(view: &View<'_>, path: &CriticalPath) -> String {
    let first = path.segments.first();
    let context = first.map_or(path.context, |first| first.context);
    let context = context_name(view, context);
    match path.origin {
        PathOrigin::Interrupt => format!("the start of {context}"),
        PathOrigin::InterruptEntryNotRecorded => {
            format!("the first event of {context}, whose entry is not recorded")
        }
        PathOrigin::Initialize => "the initialisation".to_owned(),
        PathOrigin::Window => "the start of the window".to_owned(),
        PathOrigin::TraceStart => "the start of the trace".to_owned(),
        PathOrigin::NotRecorded => format!("{context}, whose state before is not recorded"),
        PathOrigin::ResumptionNotRecorded => {
            format!("{context}, whose resumption is not recorded")
        }
        PathOrigin::Limit => format!("the limit of {} segments", path.segments.len()),
    }
}
