//! Diagrams of active objects.

use crate::answer::Diagram;
use crate::query::{MachineFormat, SequenceFormat, Window};
use crate::session::{AskError, Session};
use rtoscope_export::sequence::{self, Sequence, Show, Wish};
use rtoscope_export::{Machine, machine};
use rtoscope_trace::{EventIndex, Party};
use std::convert::Infallible;
use std::sync::Arc;

/// Rows that a sequence diagram can have.
const MOST_ROWS: u32 = 5000;
/// States and transitions that a machine can have so that it is drawn.
const MOST_PARTS: usize = 5000;
/// Bytes that the longest name would take, once in each row or part, at most.
const MOST_BYTES: usize = 2 << 20;

impl Session {
    /// A sequence diagram of a window.
    pub(crate) fn sequence(
        &self,
        window: &Window,
        objects: &[u32],
        format: SequenceFormat,
        show: Show,
        most: u32,
    ) -> Result<Diagram, AskError> {
        if !(1..=MOST_ROWS).contains(&most) {
            return Err(AskError::OutOfRange {
                what: "most",
                value: most.to_string(),
                expected: format!("1 to {MOST_ROWS}"),
            });
        }
        let parties = objects
            .iter()
            .map(|object| Ok(Party::Object(self.checked_object(*object)?)));
        let events = self.events_within(window);
        let (trace, active) = (&self.trace, &self.analysis.active);
        let wish = Wish {
            window: sequence::Window::Events(EventIndex(events.start)..EventIndex(events.end)),
            objects: parties.collect::<Result<_, AskError>>()?,
            signals: Vec::new(),
            show,
            most: self.parts_that_fit().min(most as usize),
        };
        let sequence = Sequence::of(trace, active, &wish);
        let render = match format {
            SequenceFormat::Svg => sequence::svg::render,
            SequenceFormat::Mermaid => sequence::mermaid::render,
            SequenceFormat::Plantuml => sequence::plantuml::render,
            SequenceFormat::MscGenerator => sequence::msc_generator::render,
        };
        Ok(Diagram {
            text: render(&sequence),
            shown: number(sequence.rows.len()),
            left_out: number(sequence.left_out),
        })
    }

    /// As many rows or parts as keep a diagram small, however long names are.
    fn parts_that_fit(&self) -> usize {
        let names = self
            .trace
            .objects
            .iter()
            .map(|object| object.name.as_bytes().len());
        let longest = names.max().unwrap_or_default().max(1);
        (MOST_BYTES / longest).max(1)
    }

    /// The state machine of an active object.
    pub(crate) fn machine_diagram(
        &self,
        context: u32,
        format: MachineFormat,
    ) -> Result<Arc<Diagram>, AskError> {
        let context = self.checked_object(context)?;
        let key = (context, format, self.hz());
        let drawn = self.caches.machines.get(key, |(context, format, _)| {
            let machine = Machine::of(&self.trace, &self.analysis.active, *context);
            let parts = machine.vertices.len() + machine.edges.len();
            let fits = parts <= self.parts_that_fit().min(MOST_PARTS);
            let text = match format {
                _ if !fits => String::new(),
                MachineFormat::Dot => machine::dot::render(&machine),
                MachineFormat::Mermaid => machine::mermaid::render(&machine),
            };
            let bytes = text.len();
            let diagram = Diagram {
                text,
                shown: if fits { number(parts) } else { 0 },
                left_out: if fits { 0 } else { number(parts) },
            };
            Ok::<_, Infallible>((diagram, bytes))
        });
        Ok(drawn.unwrap_or_else(|never| match never {}))
    }
}

fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
