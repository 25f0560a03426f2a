//! A sequence diagram as a picture: an SVG file that needs nothing else.
//!
//! Time runs down, a row for each mark, with the times at the left. An event
//! that is posted is an open arrow from the sender's lifeline to where the
//! receiver takes it; if it waits long, the arrow goes down along the lifeline
//! for that time. A synchronous call is a filled arrow. A bar says that an active
//! object handles an event; one with a broken outline has no known end. A light
//! or dark look follows the reader's settings.
//!
//! Marks have the number of their event as `data-event`, classes that stay the
//! same (`post`, `take`, `call`, `state`, `action`, `defer`, `refused`,
//! `timer-start`, `timer-stop`, `timeout`, `gap`, `restart`, `bar`), and the
//! event in full as their tooltip.

mod canvas;
mod frame;
mod layout;
mod measure;
mod rows;
mod stylesheet;

use super::SequenceDiagram;
use crate::escape;
use canvas::SvgCanvas;
use layout::DiagramLayout;
use std::fmt::Write as _;

/// The diagram as an SVG document.
pub fn render(sequence: &SequenceDiagram) -> String {
    let layout = DiagramLayout::new(sequence);
    let (width, height) = (layout.width, layout.height);
    let names = sequence.lifelines.iter().map(|line| line.name.as_str());
    let names = escape::xml(&names.collect::<Vec<_>>().join(", "));
    let mut svg = String::new();
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rtoscope-sequence\" role=\"img\" \
         width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\">\n\
         <title>Sequence diagram</title>\n\
         <desc>{names}</desc>\n\
         <style>\n{}</style>\n\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n",
        stylesheet::stylesheet()
    );
    let mut canvas = SvgCanvas::new(sequence, &layout, svg);
    canvas.lifelines();
    canvas.bars();
    // Wires lie below all labels.
    canvas.wires();
    canvas.times();
    canvas.rows();
    canvas.heads();
    let mut svg = canvas.finish();
    svg.push_str("</svg>\n");
    svg
}
