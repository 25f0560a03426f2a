//! The SVG written so far, and its basic shapes.

use super::layout::{
    BAR_HALF_WIDTH, BOX_HEIGHT, DiagramLayout, NEST_OFFSET, TEXT_PADDING, box_width,
};
use super::measure::Font;
use super::stylesheet::OBJECT_COLOUR_COUNT;
use crate::escape;
use crate::sequence::{DiagramRow, Lifeline, LifelineId, RowId, RowKind, SequenceDiagram};
use rtoscope_trace::{Endpoint, EventIndex};
use std::fmt::{Display, Write as _};

/// The maximum number of nested bars searched for a row: they nest only a few deep.
const MAX_BAR_DEPTH: usize = 8;

pub(super) struct SvgCanvas<'a> {
    pub(super) sequence: &'a SequenceDiagram,
    pub(super) layout: &'a DiagramLayout,
    svg: String,
    /// The bars of each lifeline: first row, last row, depth.
    bars: Vec<Vec<(RowId, RowId, i32)>>,
    /// The first lifeline that is an active object.
    first_object: usize,
}

/// A rectangle.
pub(super) struct Rect {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) round: i32,
}

impl<'a> SvgCanvas<'a> {
    pub(super) fn new(
        sequence: &'a SequenceDiagram,
        layout: &'a DiagramLayout,
        svg: String,
    ) -> Self {
        let mut bars = vec![Vec::new(); sequence.lifelines.len()];
        for bar in &sequence.bars {
            if let Some(bars) = bars.get_mut(bar.on.0) {
                bars.push((bar.first, bar.last, depth_offset(bar.depth)));
            }
        }
        let is_other = |line: &Lifeline| !matches!(line.endpoint, Endpoint::Object(_));
        Self {
            sequence,
            layout,
            svg,
            bars,
            first_object: sequence.lifelines.partition_point(is_other),
        }
    }

    pub(super) fn finish(self) -> String {
        self.svg
    }

    /// Opens a group with a tooltip.
    pub(super) fn open(&mut self, class: impl Display, event: Option<EventIndex>, tooltip: &str) {
        let _ = write!(self.svg, "<g class=\"{class}\"");
        if let Some(event) = event {
            let _ = write!(self.svg, " data-event=\"{event}\"");
        }
        self.svg.push('>');
        if !tooltip.is_empty() {
            let _ = write!(self.svg, "<title>{}</title>", escape::xml(tooltip));
        }
    }

    /// Opens the group of a row on a lifeline.
    pub(super) fn open_row(&mut self, row: &DiagramRow, on: LifelineId) {
        let front = match row.kind {
            RowKind::Post { to_front: true, .. } => " front",
            _ => "",
        };
        let class = format!(
            "row {}{front} {}",
            row_class(row.kind),
            self.colour_class(on)
        );
        self.open(class, Some(row.event), &row.details);
    }

    pub(super) fn close(&mut self) {
        self.svg.push_str("</g>\n");
    }

    /// Draws a text, without a class if that is empty.
    pub(super) fn text(&mut self, class: &str, x: i32, y: i32, text: &str) {
        self.svg.push_str("<text");
        if !class.is_empty() {
            let _ = write!(self.svg, " class=\"{class}\"");
        }
        let _ = write!(
            self.svg,
            " x=\"{x}\" y=\"{y}\">{}</text>",
            escape::xml(text)
        );
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [i32; 2], [x2, y2]: [i32; 2]) {
        self.svg.push_str("<line");
        if !class.is_empty() {
            let _ = write!(self.svg, " class=\"{class}\"");
        }
        let _ = write!(
            self.svg,
            " x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>"
        );
    }

    /// Draws a filled rectangle with an outline.
    pub(super) fn rect(&mut self, area: &Rect) {
        let Rect {
            left,
            top,
            width,
            height,
            round,
        } = area;
        let _ = write!(
            self.svg,
            "<rect class=\"tint\" x=\"{left}\" y=\"{top}\" \
             width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>"
        );
    }

    pub(super) fn dot(&mut self, x: i32, y: i32) {
        let _ = write!(
            self.svg,
            "<circle class=\"solid\" cx=\"{x}\" cy=\"{y}\" r=\"3\"/>"
        );
    }

    /// Draws a message path, with a wider invisible one as the pointer target.
    pub(super) fn message_path(&mut self, path: &str) {
        let _ = write!(
            self.svg,
            "<path class=\"wire\" d=\"{path}\"/><path class=\"hit\" d=\"{path}\"/>"
        );
    }

    pub(super) fn symbol_path(&mut self, path: &str) {
        let _ = write!(self.svg, "<path class=\"sign\" d=\"{path}\"/>");
    }

    /// Draws an arrowhead, open or filled.
    pub(super) fn arrowhead(&mut self, x: i32, y: i32, rightwards: bool, solid: bool) {
        let back = if rightwards { x - 8 } else { x + 8 };
        let (top, low) = (y - 4, y + 4);
        let (class, close) = if solid { ("solid", "Z") } else { ("sign", "") };
        let _ = write!(
            self.svg,
            "<path class=\"{class}\" d=\"M{back} {top}L{x} {y}L{back} {low}{close}\"/>"
        );
    }

    pub(super) fn hourglass(&mut self, x: i32, y: i32) {
        let (left, right, top, low) = (x - 4, x + 4, y - 5, y + 5);
        self.symbol_path(&format!("M{left} {top}H{right}L{left} {low}H{right}Z"));
    }

    /// Draws a state's box.
    pub(super) fn state_box(&mut self, on: LifelineId, y: i32, state: &str) {
        let width = box_width(state);
        let x = self.layout.x(on);
        self.rect(&Rect {
            left: x - width / 2,
            top: y - BOX_HEIGHT / 2,
            width,
            height: BOX_HEIGHT,
            round: BOX_HEIGHT / 2,
        });
        let short = Font::LABEL.fit(state, width - 2 * TEXT_PADDING);
        self.text("", x, y + 4, &short);
    }

    /// The side of a lifeline at a row: that of its bar, if there is one.
    pub(super) fn bar_side(&self, on: LifelineId, row: RowId, right: bool) -> i32 {
        let bars = self.bars.get(on.0).map_or(&[][..], Vec::as_slice);
        let started = bars.partition_point(|(first, _, _)| *first <= row);
        let started = bars.get(..started).unwrap_or_default().iter().rev();
        let mut here = started
            .take(MAX_BAR_DEPTH)
            .filter(|(_, last, _)| row <= *last);
        let x = self.layout.x(on);
        match here.next() {
            Some((_, _, depth)) if right => x + BAR_HALF_WIDTH + NEST_OFFSET * depth,
            Some(_) => x - BAR_HALF_WIDTH,
            None => x,
        }
    }

    /// The colour class of a lifeline.
    pub(super) fn colour_class(&self, id: LifelineId) -> String {
        match id.0.checked_sub(self.first_object) {
            Some(number) => format!("hue-{}", number % OBJECT_COLOUR_COUNT),
            None => "plain".to_owned(),
        }
    }
}

/// The horizontal offset of a nested bar.
pub(super) fn depth_offset(depth: usize) -> i32 {
    i32::try_from(depth.min(MAX_BAR_DEPTH)).unwrap_or_default()
}

/// The CSS class of a row kind.
pub(super) fn row_class(mark: RowKind) -> &'static str {
    match mark {
        RowKind::Post { .. } => "post",
        RowKind::Take { .. } => "take",
        RowKind::Defer { .. } => "defer",
        RowKind::Call { .. } => "call",
        RowKind::TimerStart { .. } => "timer-start",
        RowKind::TimerStop { .. } => "timer-stop",
        RowKind::Timeout { .. } => "timeout",
        RowKind::State { .. } => "state",
        RowKind::Action { .. } => "action",
        RowKind::Refused { .. } => "refused",
        RowKind::Gap => "gap",
        RowKind::Restart => "restart",
    }
}
