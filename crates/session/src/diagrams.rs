//! Diagrams of active objects, and communication graphs.

use crate::error::QueryError;
use crate::query::{GraphFormat, SequenceFormat, Window};
use crate::response::Diagram;
use crate::session::Session;
use rtoscope_export::communication::{self, Party};
use rtoscope_export::sequence::{self, RowOptions, SequenceDiagram, SequenceOptions};
use rtoscope_export::{CommunicationGraph, StateMachine, machine};
use rtoscope_trace::{ContextId, Endpoint, EventIndex, ObjectId};
use std::convert::Infallible;
use std::sync::Arc;

/// Maximum number of rows of a sequence diagram.
const MAX_ROWS: u32 = 5000;
/// Maximum number of states and transitions of a drawn state machine, or of
/// nodes and edges of a communication graph.
const MAX_ELEMENTS: usize = 5000;
/// Maximum number of bytes for names, assuming the longest name in each row or element.
const MAX_NAME_BYTES: usize = 2 << 20;

impl Session {
    /// A sequence diagram of a window.
    pub(crate) fn sequence(
        &self,
        window: &Window,
        objects: &[u32],
        format: SequenceFormat,
        show: RowOptions,
        limit: u32,
    ) -> Result<Diagram, QueryError> {
        if !(1..=MAX_ROWS).contains(&limit) {
            return Err(QueryError::OutOfRange {
                parameter: "limit",
                value: limit.to_string(),
                expected: format!("1 to {MAX_ROWS}"),
            });
        }
        let endpoints = objects
            .iter()
            .map(|object| self.checked_active_object(*object).map(Endpoint::Object))
            .filter(|object| *object != Err(QueryError::NotInPart));
        let endpoints: Vec<_> = endpoints.collect::<Result<_, QueryError>>()?;
        // An empty list would mean all of them.
        if endpoints.is_empty() && !objects.is_empty() {
            return Err(QueryError::NotInPart);
        }
        let events = self.events_within(window);
        let (trace, active) = (&self.recording.trace, &self.recording.active);
        let options = SequenceOptions {
            window: sequence::DiagramWindow::Events(
                EventIndex(events.start)..EventIndex(events.end),
            ),
            objects: endpoints,
            signals: Vec::new(),
            show,
            max_rows: self.max_elements().min(limit as usize),
        };
        let sequence = SequenceDiagram::new(trace, active, &options);
        let render = match format {
            SequenceFormat::Svg => sequence::svg::render,
            SequenceFormat::Mermaid => sequence::text_formats::mermaid,
            SequenceFormat::Plantuml => sequence::text_formats::plantuml,
            SequenceFormat::MscGenerator => sequence::text_formats::msc_generator,
        };
        Ok(Diagram {
            text: render(&sequence),
            shown: saturating_u32(sequence.rows.len()),
            skipped: saturating_u32(sequence.skipped_rows),
        })
    }

    /// The number of rows or elements that keeps a diagram small even if names are
    /// long.
    fn max_elements(&self) -> usize {
        let names = self
            .recording
            .trace
            .objects
            .iter()
            .map(|object| object.name.as_bytes().len());
        let longest = names.max().unwrap_or_default().max(1);
        (MAX_NAME_BYTES / longest).max(1)
    }

    /// The state machine diagram of an active object.
    pub(crate) fn machine_diagram(
        &self,
        context: u32,
        format: GraphFormat,
    ) -> Result<Arc<Diagram>, QueryError> {
        let context = self.checked_active_object(context)?;
        let key = (context, format, self.frequency_hz());
        let drawn = self
            .caches
            .machines
            .get_or_insert(key, |(context, format, _)| {
                let machine =
                    StateMachine::new(&self.recording.trace, &self.recording.active, *context);
                let parts = machine.vertices.len() + machine.transitions.len();
                let diagram = self.graph_diagram(parts, || match format {
                    GraphFormat::Dot => machine::dot::render(&machine),
                    GraphFormat::Mermaid => machine::mermaid::render(&machine),
                });
                let bytes = diagram.text.len();
                Ok::<_, Infallible>((diagram, bytes))
            });
        Ok(drawn.unwrap_or_else(|never| match never {}))
    }

    /// The communication graph of a part of the trace.
    pub(crate) fn communication_graph(
        &self,
        [start, end]: [Option<u64>; 2],
        format: GraphFormat,
    ) -> Result<Diagram, QueryError> {
        let stats = self.recording.scope_stats(self.time_scope(start, end)?);
        let mut graph = CommunicationGraph::new(&self.recording.view_of(&stats));
        for node in &mut graph.nodes {
            if let Party::Endpoint(Endpoint::Object(context)) = &mut node.party {
                *context = ContextId(self.context_id(*context));
            }
            node.object = node.object.map(|object| ObjectId(self.object_id(object)));
        }
        Ok(
            self.graph_diagram(graph.nodes.len() + graph.edges.len(), || match format {
                GraphFormat::Dot => communication::dot::render(&graph),
                GraphFormat::Mermaid => communication::mermaid::render(&graph),
            }),
        )
    }

    /// A graph of a number of elements, unless they are too many.
    fn graph_diagram(&self, elements: usize, render: impl FnOnce() -> String) -> Diagram {
        let fits = elements <= self.max_elements().min(MAX_ELEMENTS);
        let [shown, skipped] = if fits { [elements, 0] } else { [0, elements] };
        Diagram {
            text: if fits { render() } else { String::new() },
            shown: saturating_u32(shown),
            skipped: saturating_u32(skipped),
        }
    }
}

fn saturating_u32(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
