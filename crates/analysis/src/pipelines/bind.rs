//! Resolves the names of a chain in a trace.

use super::{Pipeline, PipelineStage, StageWorker, events, marked, messages, posts};
use crate::AnalyzedRecording;
use crate::markers::MarkerId;
use crate::naming::{NameFormatter, find_named};
use crate::timing::{ChainElement, ChainForm, PipelineDeclaration, StageHolding};
use rtoscope_trace::{ContextId, EventIndex, ObjectClass, ResourceId, Signal};
use std::collections::BTreeSet;

/// Follows the items of a declared pipeline.
pub(super) fn follow(
    recording: &AnalyzedRecording,
    declared: &PipelineDeclaration,
) -> Result<Pipeline, String> {
    let name = declared.name.clone();
    let end = match &declared.end {
        Some(filter) => {
            let bound = filter.bind(&recording.trace);
            let bound = bound.map_err(|error| error.to_string())?;
            Some(bound.matching().collect::<Vec<EventIndex>>())
        }
        None => None,
    };
    let elements = match &declared.chain {
        ChainForm::Markers { item, stages } => {
            let item = marker(recording, item)?;
            let stages = stages.iter().map(|name| marker_stage(recording, name));
            let pipeline = Pipeline::new(name, stages.collect::<Result<_, _>>()?);
            return Ok(marked::follow(recording, pipeline, item));
        }
        ChainForm::Events(chain) => {
            let stage = |name: &String| PipelineStage::new(name.clone(), StageWorker::Logger, None);
            let stages = chain.iter().map(|element| stage(&element.begin));
            let pipeline = Pipeline::new(name, stages.collect());
            return events::follow(recording, pipeline, chain);
        }
        ChainForm::Messages(elements) => elements,
    };
    match elements.iter().all(|it| is_active_object(recording, it)) {
        true => {
            if let Some(element) = declares_holding(elements) {
                return Err(format!(
                    "{:?} is an active object: its steps show what it does with an item",
                    element.name
                ));
            }
            let bound: Result<Vec<_>, String> = elements
                .iter()
                .map(|it| Ok((it.name.clone(), active_object(recording, it)?)))
                .collect();
            let (names, receivers): (Vec<_>, Vec<_>) = bound?.into_iter().unzip();
            let stages = names.into_iter().zip(&receivers);
            let stages = stages.map(|(name, (object, _))| {
                PipelineStage::new(name, StageWorker::ActiveObject(*object), None)
            });
            let pipeline = Pipeline::new(name, stages.collect());
            posts::follow(recording, pipeline, &receivers, end.as_deref())
        }
        false => {
            let stages = message_stages(recording, elements)?;
            let holdings = holdings(elements, end.is_some())?;
            let pipeline = Pipeline::new(name, stages);
            let end = end.as_deref();
            Ok(messages::follow(recording, pipeline, &holdings, end))
        }
    }
}

fn marker(recording: &AnalyzedRecording, name: &str) -> Result<MarkerId, String> {
    let markers = &recording.markers;
    markers.find(name).ok_or_else(|| {
        let all = markers.names.join(", ");
        format!("no marker is named {name:?}; available: {all}")
    })
}

fn marker_stage(recording: &AnalyzedRecording, name: &str) -> Result<PipelineStage, String> {
    let worker = StageWorker::Marker(marker(recording, name)?);
    Ok(PipelineStage::new(name.to_owned(), worker, None))
}

/// Contexts and the objects between them, in turn.
fn message_stages(
    recording: &AnalyzedRecording,
    elements: &[ChainElement],
) -> Result<Vec<PipelineStage>, String> {
    if let Some(element) = elements.iter().find(|it| it.signal.is_some()) {
        let name = &element.name;
        return Err(format!("no active object is named {name:?}"));
    }
    if elements.len().is_multiple_of(2) {
        let last = elements.last().map_or("", |it| &it.name);
        return Err(format!(
            "expected contexts and the objects between them in turn, ending with a context; \
             the chain ends with {last:?}"
        ));
    }
    let mut stages: Vec<PipelineStage> = Vec::new();
    let mut input = None;
    for (element, at) in elements.iter().zip(0..) {
        if at % 2 == 1 {
            let object = link(recording, &element.name)?;
            if stages.iter().any(|stage| stage.input == Some(object)) {
                return Err(format!("{:?} occurs twice in the chain", element.name));
            }
            input = Some(object);
            continue;
        }
        let worker = worker(recording, &element.name)?;
        stages.push(PipelineStage::new(
            element.name.clone(),
            worker,
            input.take(),
        ));
    }
    Ok(stages)
}

fn declares_holding(elements: &[ChainElement]) -> Option<&ChainElement> {
    let mut elements = elements.iter();
    elements.find(|it| it.holding != StageHolding::Undeclared)
}

/// What is declared of the stages in a chain of contexts and the objects between them.
fn holdings(elements: &[ChainElement], has_end: bool) -> Result<Vec<StageHolding>, String> {
    let first = elements.get(..2).unwrap_or_default();
    let links = elements.iter().skip(1).step_by(2);
    let mut without = first.iter().chain(links);
    if let Some(element) = without.find(|it| it.holding != StageHolding::Undeclared) {
        return Err(format!("{:?} takes no items from a link", element.name));
    }
    let stages = elements.iter().step_by(2);
    let holdings: Vec<_> = stages.map(|it| it.holding).collect();
    match (holdings.last(), elements.last()) {
        (Some(last), Some(element)) if *last != StageHolding::Undeclared && !has_end => {
            Err(format!(
                "{:?} is the last stage: declare the `end` of items in rtoscope.toml",
                element.name
            ))
        }
        _ => Ok(holdings),
    }
}

/// The queue or semaphore with a name.
fn link(recording: &AnalyzedRecording, name: &str) -> Result<ResourceId, String> {
    let view = recording.view();
    let resources = recording.schedule.resources.iter().zip(0..);
    let links = resources.filter(|(it, _)| {
        let class = it.class;
        matches!(class, ObjectClass::Queue | ObjectClass::Semaphore)
    });
    let links = links.map(|(_, id)| (ResourceId(id), view.resource_name(ResourceId(id))));
    find_named("queue or semaphore", links, name)
}

/// The thread or interrupt service routine with a name.
fn worker(recording: &AnalyzedRecording, name: &str) -> Result<StageWorker, String> {
    let (trace, schedule) = (&recording.trace, &recording.schedule);
    let threads = trace.contexts.threads().map(|it| it.id);
    let threads = threads.map(|id| (StageWorker::Thread(id), trace.context_name(id)));
    let numbers = schedule.activations.iter().filter_map(|it| it.number);
    let numbers: BTreeSet<_> = numbers.collect();
    let isrs = numbers.into_iter().map(|number| {
        let name = schedule.isr_name(Some(number));
        (StageWorker::Isr(number), name)
    });
    find_named(
        "thread or interrupt service routine",
        threads.chain(isrs),
        name,
    )
}

fn is_active_object(recording: &AnalyzedRecording, element: &ChainElement) -> bool {
    let mut objects = recording.active.objects.iter();
    objects.any(|it| recording.trace.context_name(*it) == element.name)
}

/// The receiver of an item, and the signal with which it receives it.
fn active_object(
    recording: &AnalyzedRecording,
    element: &ChainElement,
) -> Result<(ContextId, Option<Signal>), String> {
    let trace = &recording.trace;
    let objects = recording.active.objects.iter();
    let objects = objects.map(|id| (*id, trace.context_name(*id)));
    let object = find_named("active object", objects, &element.name)?;
    let Some(name) = &element.signal else {
        return Ok((object, None));
    };
    let posts = recording.active.posts.iter();
    let signals: BTreeSet<_> = posts.map(|post| post.signal).collect();
    let names = NameFormatter(trace);
    let signals = signals.into_iter().map(|it| (it, names.signal(it)));
    let signal = find_named("signal", signals, name)?;
    Ok((object, Some(signal)))
}
