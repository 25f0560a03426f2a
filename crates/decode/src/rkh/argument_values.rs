//! The arguments of records as encoded on the wire.

use super::stream_info::StreamInfo;
use rtoscope_trace::extras::TypedItem;
use rtoscope_trace::{EventIndex, Trace};
use rtoscope_wire::rkh::record::record_spec;
use rtoscope_wire::rkh::{
    self, ArgumentKind, ArgumentLayout, RecordSpec, StreamConfiguration, TargetConfiguration,
};

/// The value of an argument as encoded on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireArgument<'a> {
    /// A number or an address.
    Number(u32),
    /// A text, without its NUL.
    Text(&'a [u8]),
    /// An item of a user record, which includes its type.
    Item(TypedItem<'a>),
    /// The target's configuration.
    Target(TargetConfiguration),
}

impl StreamInfo {
    /// The arguments of an event's record in wire order, each with its name in
    /// RKH's host tool; without the arguments that the configuration omits.
    ///
    /// An item of a user record has the name of its type; a target's
    /// configuration is one argument, `tcfg`.
    pub fn arguments<'a>(
        &self,
        trace: &'a Trace,
        event: EventIndex,
    ) -> Vec<(&'static str, WireArgument<'a>)> {
        let arguments = || {
            let run = self.run(event)?;
            let record = self.record(trace, event)?;
            Some(match record.layout {
                ArgumentLayout::Fixed => fixed_arguments(trace, event, record, &run.configuration),
                ArgumentLayout::Items => item_arguments(trace, event),
                ArgumentLayout::Expectation => {
                    expectation_arguments(trace, event, record, &run.configuration)
                }
                ArgumentLayout::Configuration => vec![("tcfg", WireArgument::Target(run.target?))],
            })
        };
        arguments().unwrap_or_default()
    }
}

fn fixed_arguments<'a>(
    trace: &'a Trace,
    event: EventIndex,
    record: &'static RecordSpec,
    configuration: &StreamConfiguration,
) -> Vec<(&'static str, WireArgument<'a>)> {
    let extras = trace.events.extras();
    let columns = trace.events.arguments(event);
    let columns = columns.into_iter().flatten().map(|value| value as u32);
    let values = columns.chain(extras.words(event).iter().copied());
    let carried = |argument: &rkh::ArgumentSpec| argument.kind.width(configuration) != Some(0);
    let arguments = record.arguments.iter().zip(values);
    let arguments = arguments.filter(|(argument, _)| carried(argument));
    arguments
        .map(|(argument, value)| match argument.kind {
            ArgumentKind::Text => (argument.name, WireArgument::Text(extras.text(value.into()))),
            _ => (argument.name, WireArgument::Number(value)),
        })
        .collect()
}

fn item_arguments(trace: &Trace, event: EventIndex) -> Vec<(&'static str, WireArgument<'_>)> {
    let items = trace.events.extras().items(event);
    items
        .map(|item| (item.item_type.name(), WireArgument::Item(item)))
        .collect()
}

/// The line and the event's id, followed by that event's arguments.
fn expectation_arguments<'a>(
    trace: &'a Trace,
    event: EventIndex,
    record: &'static RecordSpec,
    configuration: &StreamConfiguration,
) -> Vec<(&'static str, WireArgument<'a>)> {
    let mut arguments = fixed_arguments(trace, event, record, configuration);
    let Some((_, WireArgument::Number(id))) = arguments.last() else {
        return arguments;
    };
    let expected = self::record_spec(configuration.dialect, *id as u8);
    let named = expected.and_then(RecordSpec::expectation_arguments);
    let values = trace.events.extras().words(event).as_chunks().0.iter();
    let expected = named.into_iter().flatten().zip(values);
    arguments.extend(
        expected.map(|(argument, [_, value])| (argument.name, WireArgument::Number(*value))),
    );
    arguments
}
