//! The rows: message paths first, then symbols and labels above them.

use super::canvas::{SvgCanvas, row_class};
use super::layout::{BAR_HALF_WIDTH, LABEL_OFFSET, LOOP_WIDTH, MARGIN, TEXT_PADDING};
use super::measure::Font;
use crate::sequence::{DiagramRow, LifelineId, RowId, RowKind};
use std::fmt::Write as _;

/// The space for an hourglass before a label.
const HOURGLASS_WIDTH: i32 = 16;

impl SvgCanvas<'_> {
    pub(super) fn wires(&mut self) {
        for (row, id) in self.sequence.rows.iter().zip((0..).map(RowId)) {
            let (from, to, solid) = match row.kind {
                RowKind::Post { from, to, .. } => (from, to, false),
                RowKind::Call { from, to } if from != to => (from, to, true),
                _ => continue,
            };
            self.open_row(row, from);
            match row.kind {
                RowKind::Post {
                    take_row: taken, ..
                } if from == to => self.self_message_path(id, to, taken),
                RowKind::Post {
                    take_row: Some(taken),
                    ..
                } => self.slanted(id, [from, to], taken),
                _ => self.straight(id, [from, to], solid),
            }
            self.close();
        }
    }

    /// Draws a message to the row at which the other lifeline takes it.
    fn slanted(&mut self, row: RowId, [from, to]: [LifelineId; 2], taken: RowId) {
        let layout = self.layout;
        let rightwards = layout.x(from) < layout.x(to);
        let start = self.bar_side(from, row, rightwards);
        let end = self.bar_side(to, taken, !rightwards);
        let (top, bottom) = (layout.y(row), layout.y(taken));
        let mut path = format!("M{start} {top}");
        if layout.is_bent(self.sequence, [from, to], row..taken) {
            let out = layout.bend_offset(to, row..taken, BAR_HALF_WIDTH + TEXT_PADDING);
            let x = layout.x(to) + if rightwards { -out } else { out };
            let (slant, turn) = (top + 12, bottom - 4);
            let _ = write!(path, "L{x} {slant}V{turn}");
        }
        let _ = write!(path, "L{end} {bottom}");
        self.message_path(&path);
        self.arrowhead(end, bottom, rightwards, false);
    }

    /// Draws a message that the receiver does not take in the diagram.
    fn straight(&mut self, row: RowId, [from, to]: [LifelineId; 2], solid: bool) {
        let rightwards = self.layout.x(from) < self.layout.x(to);
        let start = self.bar_side(from, row, rightwards);
        let end = self.bar_side(to, row, !rightwards);
        let y = self.layout.y(row);
        self.message_path(&format!("M{start} {y}H{end}"));
        self.arrowhead(end, y, rightwards, solid);
    }

    /// Draws a message to the same lifeline.
    fn self_message_path(&mut self, row: RowId, on: LifelineId, taken: Option<RowId>) {
        let layout = self.layout;
        let start = self.bar_side(on, row, true);
        let top = layout.y(row);
        let out = layout.x(on) + self.loop_width(row, on, taken);
        let (end, bottom) = match taken {
            Some(taken) => (self.bar_side(on, taken, true), layout.y(taken)),
            None => (start, top + 8),
        };
        self.message_path(&format!("M{start} {top}H{out}V{bottom}H{end}"));
        self.arrowhead(end, bottom, false, false);
    }

    fn loop_width(&self, row: RowId, on: LifelineId, taken: Option<RowId>) -> i32 {
        self.layout
            .bend_offset(on, row..taken.unwrap_or(row), LOOP_WIDTH)
    }

    pub(super) fn rows(&mut self) {
        for (row, id) in self.sequence.rows.iter().zip((0..).map(RowId)) {
            match row.kind {
                RowKind::Gap | RowKind::Restart => self.divider(row, id),
                RowKind::Take {
                    post_row: Some(_), ..
                } => {}
                RowKind::State { on } => {
                    self.open_row(row, on);
                    self.state_box(on, self.layout.y(id), &row.label);
                    self.close();
                }
                RowKind::Post {
                    from,
                    to,
                    from_timer: timer,
                    ..
                } if from != to => {
                    self.message(row, id, [from, to], timer);
                }
                RowKind::Call { from, to } if from != to => {
                    self.message(row, id, [from, to], false);
                }
                RowKind::Post {
                    to,
                    from_timer: timer,
                    take_row: taken,
                    ..
                } => self.self_message(row, id, to, timer, taken),
                RowKind::Call { from: on, .. }
                | RowKind::Take { on, .. }
                | RowKind::Defer { on }
                | RowKind::TimerStart { on }
                | RowKind::TimerStop { on }
                | RowKind::Timeout { on }
                | RowKind::Action { on }
                | RowKind::Refused { on } => self.side_symbol(row, id, on),
            }
        }
    }

    /// Draws the label of a message to another lifeline, at its start.
    fn message(&mut self, row: &DiagramRow, id: RowId, [from, to]: [LifelineId; 2], timer: bool) {
        let layout = self.layout;
        let rightwards = layout.x(from) < layout.x(to);
        let start = self.bar_side(from, id, rightwards);
        let sign = if timer { HOURGLASS_WIDTH } else { 0 };
        let room =
            (layout.x(to) - layout.x(from)).abs() - 2 * BAR_HALF_WIDTH - 2 * TEXT_PADDING - sign;
        let text = Font::LABEL.fit(&row.label, room.max(0));
        let y = layout.y(id) - 5;
        let (class, x, glass) = if rightwards {
            (
                "label",
                start + TEXT_PADDING + sign,
                start + TEXT_PADDING + 4,
            )
        } else {
            let x = start - TEXT_PADDING;
            ("label left", x, x - Font::LABEL.width(&text) - TEXT_PADDING)
        };
        self.open_row(row, from);
        if timer {
            self.hourglass(glass, y - 4);
        }
        self.text(class, x, y, &text);
        self.close();
    }

    /// Draws the label of a message to the same lifeline.
    fn self_message(
        &mut self,
        row: &DiagramRow,
        id: RowId,
        on: LifelineId,
        timer: bool,
        taken: Option<RowId>,
    ) {
        let out = self.loop_width(id, on, taken) + TEXT_PADDING;
        let sign = if timer { HOURGLASS_WIDTH } else { 0 };
        let (x, y) = (self.layout.x(on) + out, self.layout.y(id) + 4);
        let room = self.layout.label_width(on) - out - sign;
        let text = Font::LABEL.fit(&row.label, room.max(0));
        self.open_row(row, on);
        if timer {
            self.hourglass(x + 4, y - 4);
        }
        self.text("label", x + sign, y, &text);
        self.close();
    }

    /// Draws a symbol at the right of a lifeline, with its label.
    fn side_symbol(&mut self, row: &DiagramRow, id: RowId, on: LifelineId) {
        let side = self
            .bar_side(on, id, true)
            .max(self.layout.x(on) + BAR_HALF_WIDTH);
        let (sign, y) = (side + 12, self.layout.y(id) - 4);
        self.open_row(row, on);
        match row.kind {
            RowKind::Take { .. } => self.found_message(id, on),
            RowKind::Refused { .. } => self.cross(sign, y),
            RowKind::Defer { .. } => self.tray(sign, y),
            RowKind::Call { .. } => self.self_call(side, y),
            RowKind::Action { .. } => {
                let (left, right, top, low) = (sign - 3, sign + 4, y - 4, y + 4);
                self.symbol_path(&format!("M{left} {top}L{right} {y}L{left} {low}Z"));
            }
            RowKind::TimerStop { .. } => {
                self.hourglass(sign, y);
                let (left, right, top, low) = (sign - 7, sign + 7, y - 6, y + 6);
                self.symbol_path(&format!("M{left} {low}L{right} {top}"));
            }
            _ => self.hourglass(sign, y),
        }
        let x = match row.kind {
            RowKind::Take { .. } => side + TEXT_PADDING,
            _ => side + LABEL_OFFSET - BAR_HALF_WIDTH - 2,
        };
        let room = self.layout.label_width(on) - (x - self.layout.x(on));
        let text = Font::LABEL.fit(&row.label, room.max(0));
        self.text("label", x, y + 4, &text);
        self.close();
    }

    /// Draws the taking of an event whose post is not in the diagram.
    fn found_message(&mut self, id: RowId, on: LifelineId) {
        let (end, y) = (self.bar_side(on, id, false), self.layout.y(id));
        let start = end - 22;
        self.dot(start, y);
        self.message_path(&format!("M{start} {y}H{end}"));
        self.arrowhead(end, y, true, false);
    }

    fn cross(&mut self, x: i32, y: i32) {
        let (left, right, top, low) = (x - 5, x + 5, y - 5, y + 5);
        let path = format!("M{left} {top}L{right} {low}M{right} {top}L{left} {low}");
        self.symbol_path(&path);
    }

    /// Draws a tray with an arrow into it.
    fn tray(&mut self, x: i32, y: i32) {
        let (left, right, top, low) = (x - 6, x + 6, y - 6, y + 5);
        self.symbol_path(&format!("M{left} {y}V{low}H{right}V{y}"));
        let (left, right, back, tip) = (x - 3, x + 3, y - 1, y + 2);
        let path = format!("M{x} {top}V{tip}M{left} {back}L{x} {tip}L{right} {back}");
        self.symbol_path(&path);
    }

    /// Draws a call within the lifeline.
    fn self_call(&mut self, side: i32, y: i32) {
        let (top, low, out, end) = (y - 4, y + 5, side + 18, side + 2);
        self.message_path(&format!("M{side} {top}H{out}V{low}H{end}"));
        self.arrowhead(end, low, false, true);
    }

    /// Draws a line across all lifelines.
    fn divider(&mut self, row: &DiagramRow, id: RowId) {
        let (left, right) = (
            self.layout.times_right + TEXT_PADDING,
            self.layout.width - MARGIN,
        );
        let (middle, y) = ((left + right) / 2, self.layout.y(id));
        let text = Font::LABEL.fit(&row.label, right - left - 2 * TEXT_PADDING);
        let half = Font::LABEL.width(&text) / 2 + TEXT_PADDING;
        let class = format!("row divider {}", row_class(row.kind));
        self.open(class, Some(row.event), &row.details);
        self.line("", [left, y], [(middle - half).max(left), y]);
        self.line("", [(middle + half).min(right), y], [right, y]);
        self.text("label", middle, y + 4, &text);
        self.close();
    }
}
