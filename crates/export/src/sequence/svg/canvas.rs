//! What is drawn so far, and the shapes that it is drawn with.

use super::layout::{BAR, BOX, Layout, NEST, PAD, box_width};
use super::measure::Font;
use super::style::HUE_COUNT;
use crate::safe;
use crate::sequence::{Lifeline, LifelineId, Mark, Row, RowId, Sequence};
use rtoscope_trace::{EventIndex, Party};
use std::fmt::{Display, Write as _};

/// Bars that are looked at for the one of a row: they nest a few deep at most.
const DEEPEST: usize = 8;

pub(super) struct Canvas<'a> {
    pub(super) sequence: &'a Sequence,
    pub(super) layout: &'a Layout,
    svg: String,
    /// For each lifeline its bars: first row, last row, depth.
    bars: Vec<Vec<(RowId, RowId, i32)>>,
    /// The first lifeline of an active object.
    first: usize,
}

/// A rectangle.
pub(super) struct Area {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) width: i32,
    pub(super) height: i32,
    pub(super) round: i32,
}

impl<'a> Canvas<'a> {
    pub(super) fn new(sequence: &'a Sequence, layout: &'a Layout, svg: String) -> Self {
        let mut bars = vec![Vec::new(); sequence.lifelines.len()];
        for bar in &sequence.bars {
            if let Some(bars) = bars.get_mut(bar.on.0) {
                bars.push((bar.first, bar.last, depth(bar.depth)));
            }
        }
        let is_other = |line: &Lifeline| !matches!(line.party, Party::Object(_));
        Self {
            sequence,
            layout,
            svg,
            bars,
            first: sequence.lifelines.partition_point(is_other),
        }
    }

    pub(super) fn finish(self) -> String {
        self.svg
    }

    /// Begins a group with a tooltip.
    pub(super) fn open(&mut self, class: impl Display, event: Option<EventIndex>, tooltip: &str) {
        let _ = write!(self.svg, "<g class=\"{class}\"");
        if let Some(event) = event {
            let _ = write!(self.svg, " data-event=\"{event}\"");
        }
        self.svg.push('>');
        if !tooltip.is_empty() {
            let _ = write!(self.svg, "<title>{}</title>", safe::xml(tooltip));
        }
    }

    /// Begins the group of a row on a lifeline.
    pub(super) fn open_row(&mut self, row: &Row, on: LifelineId) {
        let front = match row.mark {
            Mark::Post { front: true, .. } => " front",
            _ => "",
        };
        let class = format!("row {}{front} {}", class(row.mark), self.hue(on));
        self.open(class, Some(row.event), &row.details);
    }

    pub(super) fn close(&mut self) {
        self.svg.push_str("</g>\n");
    }

    /// A text; without a class if that is empty.
    pub(super) fn text(&mut self, class: &str, x: i32, y: i32, text: &str) {
        self.svg.push_str("<text");
        if !class.is_empty() {
            let _ = write!(self.svg, " class=\"{class}\"");
        }
        let _ = write!(self.svg, " x=\"{x}\" y=\"{y}\">{}</text>", safe::xml(text));
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

    /// A filled area with an outline.
    pub(super) fn area(&mut self, area: &Area) {
        let Area {
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

    /// A wire, with a wider one that only the pointer notices.
    pub(super) fn wire(&mut self, path: &str) {
        let _ = write!(
            self.svg,
            "<path class=\"wire\" d=\"{path}\"/><path class=\"hit\" d=\"{path}\"/>"
        );
    }

    pub(super) fn sign(&mut self, path: &str) {
        let _ = write!(self.svg, "<path class=\"sign\" d=\"{path}\"/>");
    }

    /// The tip of an arrow: open or filled.
    pub(super) fn tip(&mut self, x: i32, y: i32, rightwards: bool, solid: bool) {
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
        self.sign(&format!("M{left} {top}H{right}L{left} {low}H{right}Z"));
    }

    /// A state's box.
    pub(super) fn pill(&mut self, on: LifelineId, y: i32, state: &str) {
        let width = box_width(state);
        let x = self.layout.x(on);
        self.area(&Area {
            left: x - width / 2,
            top: y - BOX / 2,
            width,
            height: BOX,
            round: BOX / 2,
        });
        let short = Font::LABEL.fit(state, width - 2 * PAD);
        self.text("", x, y + 4, &short);
    }

    /// The side of a lifeline at a row: that of its bar, where it has one.
    pub(super) fn side(&self, on: LifelineId, row: RowId, right: bool) -> i32 {
        let bars = self.bars.get(on.0).map_or(&[][..], Vec::as_slice);
        let begun = bars.partition_point(|(first, _, _)| *first <= row);
        let begun = bars.get(..begun).unwrap_or_default().iter().rev();
        let mut here = begun.take(DEEPEST).filter(|(_, last, _)| row <= *last);
        let x = self.layout.x(on);
        match here.next() {
            Some((_, _, depth)) if right => x + BAR + NEST * depth,
            Some(_) => x - BAR,
            None => x,
        }
    }

    /// The class of a lifeline's colours.
    pub(super) fn hue(&self, id: LifelineId) -> String {
        match id.0.checked_sub(self.first) {
            Some(number) => format!("hue-{}", number % HUE_COUNT),
            None => "plain".to_owned(),
        }
    }
}

/// How many bars around one move it to the right.
pub(super) fn depth(depth: usize) -> i32 {
    i32::try_from(depth.min(DEEPEST)).unwrap_or_default()
}

/// The class of a mark.
pub(super) fn class(mark: Mark) -> &'static str {
    match mark {
        Mark::Post { .. } => "post",
        Mark::Take { .. } => "take",
        Mark::Defer { .. } => "defer",
        Mark::Call { .. } => "call",
        Mark::TimerStart { .. } => "timer-start",
        Mark::TimerStop { .. } => "timer-stop",
        Mark::Timeout { .. } => "timeout",
        Mark::State { .. } => "state",
        Mark::Action { .. } => "action",
        Mark::Refused { .. } => "refused",
        Mark::Gap => "gap",
        Mark::Restart => "restart",
    }
}
