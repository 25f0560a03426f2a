//! The trace of what was recorded.

use super::classes::Classes;
use super::clock::Clock;
use super::digest::{Digest, Uuid};
use super::field::{self, Field};
use super::form::Form;
use super::labels::Labels;
use super::metadata::Metadata;
use super::packets::Streams;
use crate::Progress;
use rtoscope_tables::Source;
use rtoscope_trace::{ContextId, Event, EventIndex, Gap, Ticks, Trace};
use std::fs;
use std::io;
use std::path::Path;

/// Events between two looks at whether writing went well.
const BATCH: usize = 1 << 12;

/// Writes the events of a recording, and says which trace they are and what their
/// clock is.
pub(super) fn write(
    source: &Source<'_>,
    folder: &Path,
    progress: &mut Progress<'_>,
) -> io::Result<(Uuid, Clock)> {
    let trace = source.view.trace;
    let mut writer = Writer::new(trace, folder);
    let count = trace.events.len();
    for first in (0..count).step_by(BATCH) {
        let batch = first..count.min(first + BATCH);
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
    digest.add(source.name.as_bytes());
    digest.add(source.format.as_bytes());
    write_metadata(source, folder, writer, digest)
}

/// The metadata come last: the classes are known then, and a folder without them
/// is no trace.
fn write_metadata(
    source: &Source<'_>,
    folder: &Path,
    writer: Writer<'_>,
    digest: Digest,
) -> io::Result<(Uuid, Clock)> {
    let identity = digest.identity("events");
    let metadata = Metadata {
        source,
        identity,
        clock: &writer.clock,
        environment: &[],
        context: &writer.context.fields(),
        classes: &writer.classes.into_all(),
    };
    fs::write(folder.join("metadata"), metadata.write())?;
    Ok((identity, writer.clock))
}

struct Writer<'w> {
    trace: &'w Trace,
    clock: Clock,
    classes: Classes<'w>,
    streams: Streams<'w>,
    /// Those that are still to come.
    gaps: std::iter::Peekable<std::slice::Iter<'w, Gap>>,
    /// The class of what stands for events whose number is not known.
    lost: Option<u32>,
    context: Context,
}

impl<'w> Writer<'w> {
    fn new(trace: &'w Trace, folder: &'w Path) -> Self {
        let clock = Clock::of(trace);
        let classes = Classes::new(trace);
        let contexts = trace.contexts.iter();
        Self {
            trace,
            streams: Streams::new(folder, clock.value(Ticks(0))),
            clock,
            context: Context {
                addresses: contexts.map(|context| context.address.0).collect(),
                form: Form::Hexadecimal(classes.bits()),
            },
            classes,
            gaps: trace.gaps.iter().peekable(),
            lost: None,
        }
    }

    #[inline]
    fn add(&mut self, event: &Event) -> io::Result<()> {
        let behind_gap = self
            .gaps
            .peek()
            .is_some_and(|gap| gap.before <= event.index);
        if behind_gap {
            self.lose(event)?;
        }
        let class = self.classes.of(event);
        let stream = self.streams.of(event.core)?;
        let to = stream.event(class, self.clock.value(event.time));
        self.context
            .append(to, self.trace, event.index, event.context);
        self.classes.append(class, event, to);
        if behind_gap {
            // A packet of its own tells exactly when events were lost: from its
            // beginning to its end.
            return stream.close();
        }
        stream.end_event()
    }

    /// Tells the gaps before an event.
    #[cold]
    fn lose(&mut self, event: &Event) -> io::Result<()> {
        let stream = self.streams.of(event.core)?;
        while let Some(gap) = self.gaps.next_if(|gap| gap.before <= event.index) {
            let [since, _] = self.trace.gap_times(gap);
            stream.lose(gap.missing.unwrap_or(0), self.clock.value(since))?;
            if gap.missing.is_some() {
                continue;
            }
            let classes = &mut self.classes;
            let lost = *self.lost.get_or_insert_with(|| classes.add_bare("lost"));
            let to = stream.event(lost, stream.time());
            let nobody = ContextId::UNKNOWN;
            self.context.append(to, self.trace, event.index, nobody);
        }
        Ok(())
    }
}

/// What every event says of its context: its number in the recording, and who
/// executed.
struct Context {
    /// The addresses of contexts, by their number.
    addresses: Vec<u64>,
    form: Form,
}

impl Context {
    fn fields(&self) -> Vec<Field> {
        field::named([
            ("number", Form::Unsigned(64)),
            ("context", Form::Labelled(Labels::Contexts, 32)),
            ("context_address", self.form),
        ])
    }

    #[inline]
    fn append(&self, to: &mut Vec<u8>, trace: &Trace, event: EventIndex, context: ContextId) {
        to.extend_from_slice(&trace.number(event).to_le_bytes());
        to.extend_from_slice(&context.0.to_le_bytes());
        let address = self.addresses.get(context.index()).copied();
        self.form.append(to, trace, address.unwrap_or_default());
    }
}
