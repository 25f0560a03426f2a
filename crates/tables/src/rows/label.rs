//! Labels: the values of dictionary columns.

use crate::row_context::RowContext;
use rtoscope_analysis::markers::MarkerId;
use rtoscope_analysis::naming::NameFormatter;
use rtoscope_analysis::report::periods::ActivationSource;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{
    Address, CodeLocation, ContextId, Endpoint, Name, Object, ObjectId, ResourceId, Severity,
    Signal, Vertex,
};

/// The number of a context, unless the context is unknown.
pub(super) fn context_number(context: ContextId) -> Option<u32> {
    (context != ContextId::UNKNOWN).then_some(context.0)
}

/// A value of a dictionary column before it is formatted. Equal labels have
/// equal texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Label {
    /// A constant.
    Static(&'static str),
    /// The format of the recording.
    Format,
    /// The quality of the recording's clock.
    Quality(ClockQuality),
    /// The severity of a diagnostic.
    Severity(Severity),
    /// A context.
    Context(ContextId),
    /// An object that the recording names.
    Object(ObjectId),
    /// An object shared by threads, with or without a name.
    Resource(ResourceId),
    /// An interrupt service routine by its number.
    Routine(Option<u32>),
    /// The signal of an event of active objects.
    Signal(Signal),
    /// A state or pseudostate.
    Vertex(Vertex),
    /// A sender or receiver that is known.
    Party(Endpoint),
    /// A timer of active objects.
    Timer(Address),
    /// What recurs.
    Source(ActivationSource),
    /// A point of interest.
    Marker(MarkerId),
    /// The function of a frame of call stacks, by the frame's index.
    FrameFunction(u32),
    /// The source file of a frame.
    FrameFile(u32),
}

impl Label {
    /// A context, unless it is unknown.
    pub(super) fn context(context: ContextId) -> Option<Self> {
        context_number(context).map(|_| Self::Context(context))
    }

    /// A sender or receiver, unless it is unknown.
    pub(super) fn party(party: Endpoint) -> Option<Self> {
        (party != Endpoint::Unknown).then_some(Self::Party(party))
    }

    /// The formatted text.
    pub(super) fn text(self, ctx: &RowContext<'_>) -> String {
        let (recording, trace) = (ctx.recording, ctx.trace());
        let naming = NameFormatter(trace);
        match self {
            Self::Static(word) => word.to_owned(),
            Self::Format => recording.info.format.to_owned(),
            Self::Quality(quality) => quality.to_string(),
            Self::Severity(severity) => severity.to_string(),
            Self::Context(context) => trace.context_name(context),
            Self::Object(object) => {
                let object = trace.objects.get(object);
                object.map(Object::display_name).unwrap_or_default()
            }
            Self::Resource(resource) => recording.view().resource_name(resource),
            Self::Routine(number) => recording.schedule.isr_name(number),
            Self::Signal(signal) => naming.signal(signal),
            Self::Vertex(vertex) => naming.vertex(vertex),
            Self::Party(party) => naming.endpoint(party).unwrap_or_default(),
            Self::Timer(timer) => naming.timer(timer),
            Self::Source(source) => source.name(&recording.view()),
            Self::Marker(marker) => recording.markers.name(marker).to_owned(),
            Self::FrameFunction(frame) => frame_name(ctx, frame, |frame| &frame.function),
            Self::FrameFile(frame) => frame_name(ctx, frame, |frame| &frame.file),
        }
    }
}

fn frame_name(
    ctx: &RowContext<'_>,
    frame: u32,
    of: impl Fn(&CodeLocation) -> &Option<Name>,
) -> String {
    let frame = ctx.trace().call_stacks.frames().get(frame as usize);
    let name = frame.and_then(|frame| of(frame).as_ref());
    name.map(ToString::to_string).unwrap_or_default()
}
