//! The columns of the event list.

use super::selection::Row;
use super::text_lines;
use clap::ValueEnum;
use rtoscope_analysis::active::{ActiveObjects, Post};
use rtoscope_decode::FormatInfo;
use rtoscope_trace::{ContextId, Event, EventIndex, Ticks, Trace};
use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::sync::OnceLock;

macro_rules! columns {
    ($($(#[doc = $doc:literal])* $variant:ident $name:literal;)*) => {
        /// A column of the event list.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
        pub(crate) enum Column {
            $($(#[doc = $doc])* #[value(name = $name)] $variant,)*
        }

        impl Column {
            /// The name in headers and on the command line.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }
        }
    };
}

columns! {
    /// Event number; the oldest is 0
    Event "event";
    /// Ticks since the first event
    Time "time";
    /// Nanoseconds since the first event, if the clock's frequency is known
    TimeNs "time_ns";
    /// Timestamp as recorded
    Timestamp "timestamp";
    /// Sequence number of the record, in a stream
    Sequence "sequence";
    /// Offset of the record's frame, in a stream
    Offset "offset";
    /// Event that posted what an active object takes from its queue here
    PostEvent "post_event";
    /// Time in that queue, in ticks
    Waited "waited";
    /// Core
    Core "core";
    /// Thread, (interrupt), (initialize) or (idle)
    Context "context";
    /// Context word of the record
    ContextAddress "context_address";
    /// Thread priority
    Priority "priority";
    /// Preemption threshold of the thread
    Threshold "threshold";
    /// In an interrupt, the interrupted context
    Interrupted "interrupted";
    /// Kind of the event
    Kind "kind";
    /// Number of the kind in the format, without core bits
    Number "number";
    /// Software component
    Component "component";
    /// Object of the event
    Object "object";
    /// Information field 1 as recorded
    Info1 "info1";
    /// Information field 2 as recorded
    Info2 "info2";
    /// Information field 3 as recorded
    Info3 "info3";
    /// Information field 4 as recorded
    Info4 "info4";
    /// Information fields by name, decoded
    Arguments "arguments";
    /// Call stack, innermost function first, and why it ends
    Stack "stack";
}

impl Column {
    /// The default columns of CSV: a documented contract.
    pub(crate) const CSV: [Self; 14] = [
        Self::Event,
        Self::Time,
        Self::Timestamp,
        Self::Core,
        Self::Context,
        Self::ContextAddress,
        Self::Priority,
        Self::Threshold,
        Self::Kind,
        Self::Number,
        Self::Info1,
        Self::Info2,
        Self::Info3,
        Self::Info4,
    ];

    /// Whether the values are numbers, which are right-aligned.
    pub(crate) const fn is_number(self) -> bool {
        matches!(
            self,
            Self::Event
                | Self::Time
                | Self::TimeNs
                | Self::Timestamp
                | Self::Sequence
                | Self::Offset
                | Self::PostEvent
                | Self::Waited
                | Self::Core
                | Self::Priority
                | Self::Threshold
                | Self::Number
        )
    }
}

/// Writes column values; looks names up once.
pub(crate) struct ColumnValues<'a> {
    trace: &'a Trace,
    format_info: &'a FormatInfo,
    /// Posts by the event that starts the step handling them; computed on first
    /// use.
    posts: OnceLock<HashMap<EventIndex, Post>>,
    has_posts: bool,
    contexts: Vec<String>,
}

impl<'a> ColumnValues<'a> {
    pub(crate) fn new(trace: &'a Trace, format_info: &'a FormatInfo) -> Self {
        let contexts = trace.contexts.iter();
        Self {
            trace,
            format_info,
            posts: OnceLock::new(),
            has_posts: true,
            contexts: contexts
                .map(|context| trace.context_name(context.id))
                .collect(),
        }
    }

    /// Creates the values of a live part, for which earlier posts are unknown.
    pub(crate) fn of_live_part(trace: &'a Trace, format_info: &'a FormatInfo) -> Self {
        Self {
            posts: OnceLock::from(HashMap::new()),
            has_posts: false,
            ..Self::new(trace, format_info)
        }
    }

    pub(crate) fn trace(&self) -> &'a Trace {
        self.trace
    }

    pub(crate) fn format_info(&self) -> &'a FormatInfo {
        self.format_info
    }

    /// The columns of a text listing.
    pub(crate) fn default_columns(&self) -> Vec<Column> {
        let time = match self.trace.clock.frequency() {
            Some(_) => Column::TimeNs,
            None => Column::Time,
        };
        let mut columns = vec![Column::Event, time];
        if self.trace.cores.len() > 1 {
            columns.push(Column::Core);
        }
        if self.format_info.has_sequences() {
            columns.push(Column::Sequence);
        }
        columns.extend([Column::Context, Column::Kind]);
        let format = self.format_info.format().description();
        if format.is_record_stream && self.has_posts {
            columns.push(Column::Waited);
        }
        columns.push(Column::Arguments);
        columns
    }

    pub(crate) fn context(&self, id: ContextId) -> &str {
        self.contexts.get(id.index()).map_or("", String::as_str)
    }

    /// The post of the event that an active object takes here.
    pub(crate) fn post(&self, event: &Event) -> Option<&Post> {
        let taken = || {
            let interpreter = self.format_info.interpreter(self.trace);
            posts_by_step(&ActiveObjects::from_trace(self.trace, &interpreter))
        };
        self.posts.get_or_init(taken).get(&event.index)
    }

    /// The time that this event spent in its queue.
    pub(crate) fn queue_time(&self, event: &Event) -> Option<Ticks> {
        let post = self.post(event)?;
        Some(Ticks(event.time.0.saturating_sub(post.time.0)))
    }

    /// Appends the value of a column for an event; appends nothing if there is
    /// none.
    pub(crate) fn append(&self, to: &mut String, column: Column, event: &Event) {
        let trace = self.trace;
        let [info1, info2, info3, info4] = event.arguments;
        // Writing to a `String` cannot fail.
        let _ = match column {
            Column::Event => write!(to, "{}", trace.recording_event(event.index)),
            Column::Time => write!(to, "{}", trace.recording_time(event.time)),
            Column::TimeNs => match trace.timescale().time(event.time) {
                Some(time) => write!(to, "{}", time.0),
                None => Ok(()),
            },
            Column::Timestamp => write!(to, "{}", event.timestamp),
            Column::Sequence => append_optional(to, self.format_info.record_sequence(event.index)),
            Column::Offset => append_optional(to, self.format_info.record_offset(event.index)),
            Column::PostEvent => append_optional(
                to,
                self.post(event)
                    .map(|post| trace.recording_event(post.event)),
            ),
            Column::Waited => append_optional(to, self.queue_time(event)),
            Column::Core => write!(to, "{}", event.core),
            Column::Context => to.write_str(self.context(event.context)),
            Column::ContextAddress => match trace.contexts.get(event.context) {
                Some(context) => write!(to, "{}", context.address),
                None => Ok(()),
            },
            Column::Priority => append_optional(to, event.priority()),
            Column::Threshold => append_optional(to, event.threshold()),
            Column::Interrupted => match event.interrupted() {
                Some(context) => to.write_str(self.context(context)),
                None => Ok(()),
            },
            Column::Number => write!(to, "{}", event.kind),
            Column::Kind => to.write_str(&trace.catalogue.name(event.kind)),
            Column::Component => to.write_str(trace.catalogue.component(event.kind)),
            Column::Object => self.append_object(to, event),
            Column::Info1 => write!(to, "{info1}"),
            Column::Info2 => write!(to, "{info2}"),
            Column::Info3 => write!(to, "{info3}"),
            Column::Info4 => write!(to, "{info4}"),
            Column::Arguments => write!(to, "{}", trace.arguments_line(event)),
            Column::Stack => append_optional(to, trace.call_stacks.get(event.index)),
        };
    }

    /// Appends the value of a column for an event or a line.
    pub(crate) fn append_row(&self, to: &mut String, column: Column, row: &Row<'_>) {
        match row {
            Row::Event(event) => self.append(to, column, event),
            Row::Line(time, log, line) => {
                text_lines::append(to, self.trace, column, (*time, log, line));
            }
        }
    }

    fn append_object(&self, to: &mut String, event: &Event) -> std::fmt::Result {
        let kind = self.trace.catalogue.get(event.kind);
        let first = kind.and_then(|kind| kind.arguments.first()?.as_ref());
        let [address, ..] = event.arguments;
        match first.map(|argument| argument.meaning) {
            Some(meaning) if meaning.object_class().is_some() => {
                write!(to, "{:#}", self.trace.value(meaning, address))
            }
            _ => Ok(()),
        }
    }
}

/// Posts by the event that starts the step handling them.
fn posts_by_step(active: &ActiveObjects) -> HashMap<EventIndex, Post> {
    let taken = active.steps.iter().filter_map(|step| {
        let post = active.posts.get(step.post?.0 as usize)?;
        Some((step.first, *post))
    });
    taken.collect()
}

fn append_optional(to: &mut String, value: Option<impl Display>) -> std::fmt::Result {
    value.map_or(Ok(()), |value| write!(to, "{value}"))
}
