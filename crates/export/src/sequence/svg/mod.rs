//! Sequence diagrams as self-contained SVG images.
//!
//! Time runs downwards, one row per event of interest, with the times on the left.
//! A posted event is an open arrow from the sender's lifeline to the row at which
//! the receiver takes it; if it waits long, the arrow goes down along the lifeline
//! for that time. A synchronous call is a filled arrow. A bar shows that an active
//! object handles an event; a broken outline marks an unknown end. The image
//! follows the reader's light or dark setting.
//!
//! Rows have their event number as `data-event`, stable classes (`post`, `take`,
//! `call`, `state`, `action`, `defer`, `refused`, `timer-start`, `timer-stop`,
//! `timeout`, `gap`, `restart`, `bar`), and the complete event as their tooltip.

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

/// Renders the diagram as an SVG document.
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
    // Message paths are below all labels.
    canvas.wires();
    canvas.times();
    canvas.rows();
    canvas.heads();
    let mut svg = canvas.finish();
    svg.push_str("</svg>\n");
    svg
}
