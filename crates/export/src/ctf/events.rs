//! The trace of the recorded events.

use super::classes::EventClasses;
use super::clock::CtfClock;
use super::digest::{TraceDigest, Uuid};
use super::field::{self, CtfField, FieldType};
use super::labels::LabelSet;
use super::metadata::TraceMetadata;
use super::packets::CoreStreams;
use crate::Progress;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_trace::{ContextId, Event, EventIndex, Gap, Ticks, Trace};
use std::fs;
use std::io;
use std::path::Path;

/// Events between two progress updates.
const EVENT_BATCH: usize = 1 << 12;

/// Writes the events of a recording; returns the UUID of the trace and its clock.
pub(super) fn write(
    source: &AnalyzedRecording,
    folder: &Path,
    progress: &mut Progress<'_>,
) -> io::Result<(Uuid, CtfClock)> {
    let trace = &source.trace;
    let mut writer = EventWriter::new(trace, folder);
    let count = trace.events.len();
    for first in (0..count).step_by(EVENT_BATCH) {
        let batch = first..count.min(first + EVENT_BATCH);
        let events = batch.len() as u64;
        let mut result = Ok(());
        trace.events.visit(batch, |event| {
            if result.is_ok() {
                result = writer.add(&event);
            }
        });
        result?;
        progress(events);
    }
    let mut digest = writer.streams.close()?;
    digest.update(source.info.name.as_bytes());
    digest.update(source.info.format.as_bytes());
    write_metadata(source, folder, writer, digest)
}

/// The metadata are written last: the classes are known then, and a folder without
/// metadata is not a trace.
fn write_metadata(
    source: &AnalyzedRecording,
    folder: &Path,
    writer: EventWriter<'_>,
    digest: TraceDigest,
) -> io::Result<(Uuid, CtfClock)> {
    let identity = digest.uuid("events");
    let metadata = TraceMetadata {
        source,
        identity,
        clock: &writer.clock,
        environment: &[],
        context: &writer.context.fields(),
        classes: &writer.classes.into_classes(),
    };
    fs::write(folder.join("metadata"), metadata.write())?;
    Ok((identity, writer.clock))
}

struct EventWriter<'w> {
    trace: &'w Trace,
    clock: CtfClock,
    classes: EventClasses<'w>,
    streams: CoreStreams<'w>,
    /// The remaining gaps.
    gaps: std::iter::Peekable<std::slice::Iter<'w, Gap>>,
    /// The class of the event that marks an unknown number of lost events.
    lost_class: Option<u32>,
    context: EventContext,
}

impl<'w> EventWriter<'w> {
    fn new(trace: &'w Trace, folder: &'w Path) -> Self {
        let clock = CtfClock::new(trace);
        let classes = EventClasses::new(trace);
        let contexts = trace.contexts.iter();
        Self {
            trace,
            streams: CoreStreams::new(folder, clock.value(Ticks(0))),
            clock,
            context: EventContext {
                addresses: contexts.map(|context| context.address.0).collect(),
                form: FieldType::Hexadecimal(classes.word_bits()),
            },
            classes,
            gaps: trace.gaps.iter().peekable(),
            lost_class: None,
        }
    }

    #[inline]
    fn add(&mut self, event: &Event) -> io::Result<()> {
        let follows_gap = self
            .gaps
            .peek()
            .is_some_and(|gap| gap.next_event <= event.index);
        if follows_gap {
            self.write_gaps(event)?;
        }
        let class = self.classes.class_of(event);
        let stream = self.streams.stream(event.core)?;
        let to = stream.begin_event(class, self.clock.value(event.time));
        self.context
            .append(to, self.trace, event.index, event.context);
        self.classes.append(class, event, to);
        if follows_gap {
            // A separate packet bounds the time of the loss exactly: from its start
            // to its end.
            return stream.close();
        }
        stream.end_event()
    }

    /// Writes the gaps before an event.
    #[cold]
    fn write_gaps(&mut self, event: &Event) -> io::Result<()> {
        let stream = self.streams.stream(event.core)?;
        while let Some(gap) = self.gaps.next_if(|gap| gap.next_event <= event.index) {
            let [since, _] = self.trace.gap_bounds(gap);
            stream.add_lost_events(gap.missing.unwrap_or(0), self.clock.value(since))?;
            if gap.missing.is_some() {
                continue;
            }
            let classes = &mut self.classes;
            let lost = *self
                .lost_class
                .get_or_insert_with(|| classes.add_without_fields("lost"));
            let to = stream.begin_event(lost, stream.time());
            let unknown = ContextId::UNKNOWN;
            self.context.append(to, self.trace, event.index, unknown);
        }
        Ok(())
    }
}

/// The context of every event: its number in the recording, and the running
/// context.
struct EventContext {
    /// The addresses of contexts, by number.
    addresses: Vec<u64>,
    form: FieldType,
}

impl EventContext {
    fn fields(&self) -> Vec<CtfField> {
        field::unique_fields([
            ("number", FieldType::Unsigned(64)),
            ("context", FieldType::Labelled(LabelSet::Contexts, 32)),
            ("context_address", self.form),
        ])
    }

    #[inline]
    fn append(&self, to: &mut Vec<u8>, trace: &Trace, event: EventIndex, context: ContextId) {
        to.extend_from_slice(&trace.recording_event(event).to_le_bytes());
        to.extend_from_slice(&context.0.to_le_bytes());
        let address = self.addresses.get(context.index()).copied();
        self.form.append(to, trace, address.unwrap_or_default());
    }
}
