//! The rows: wires first, then signs and labels upon them.

use super::canvas::{Canvas, class};
use super::layout::{ASIDE, BAR, LOOP, MARGIN, PAD};
use super::measure::Font;
use crate::sequence::{LifelineId, Mark, Row, RowId};
use std::fmt::Write as _;

/// Room for an hourglass before a label.
const HOURGLASS: i32 = 16;

impl Canvas<'_> {
    pub(super) fn wires(&mut self) {
        for (row, id) in self.sequence.rows.iter().zip((0..).map(RowId)) {
            let (from, to, solid) = match row.mark {
                Mark::Post { from, to, .. } => (from, to, false),
                Mark::Call { from, to } if from != to => (from, to, true),
                _ => continue,
            };
            self.open_row(row, from);
            match row.mark {
                Mark::Post { taken, .. } if from == to => self.own_wire(id, to, taken),
                Mark::Post {
                    taken: Some(taken), ..
                } => self.slanted(id, [from, to], taken),
                _ => self.straight(id, [from, to], solid),
            }
            self.close();
        }
    }

    /// From a lifeline to where another takes what is sent.
    fn slanted(&mut self, row: RowId, [from, to]: [LifelineId; 2], taken: RowId) {
        let layout = self.layout;
        let rightwards = layout.x(from) < layout.x(to);
        let start = self.side(from, row, rightwards);
        let end = self.side(to, taken, !rightwards);
        let (top, bottom) = (layout.y(row), layout.y(taken));
        let mut path = format!("M{start} {top}");
        if layout.is_bent(self.sequence, [from, to], row..taken) {
            let out = layout.beyond(to, row..taken, BAR + PAD);
            let x = layout.x(to) + if rightwards { -out } else { out };
            let (slant, turn) = (top + 12, bottom - 4);
            let _ = write!(path, "L{x} {slant}V{turn}");
        }
        let _ = write!(path, "L{end} {bottom}");
        self.wire(&path);
        self.tip(end, bottom, rightwards, false);
    }

    /// To a lifeline that does not take it in the diagram.
    fn straight(&mut self, row: RowId, [from, to]: [LifelineId; 2], solid: bool) {
        let rightwards = self.layout.x(from) < self.layout.x(to);
        let start = self.side(from, row, rightwards);
        let end = self.side(to, row, !rightwards);
        let y = self.layout.y(row);
        self.wire(&format!("M{start} {y}H{end}"));
        self.tip(end, y, rightwards, solid);
    }

    /// From a lifeline to itself.
    fn own_wire(&mut self, row: RowId, on: LifelineId, taken: Option<RowId>) {
        let layout = self.layout;
        let start = self.side(on, row, true);
        let top = layout.y(row);
        let out = layout.x(on) + self.reach(row, on, taken);
        let (end, bottom) = match taken {
            Some(taken) => (self.side(on, taken, true), layout.y(taken)),
            None => (start, top + 8),
        };
        self.wire(&format!("M{start} {top}H{out}V{bottom}H{end}"));
        self.tip(end, bottom, false, false);
    }

    fn reach(&self, row: RowId, on: LifelineId, taken: Option<RowId>) -> i32 {
        self.layout.beyond(on, row..taken.unwrap_or(row), LOOP)
    }

    pub(super) fn rows(&mut self) {
        for (row, id) in self.sequence.rows.iter().zip((0..).map(RowId)) {
            match row.mark {
                Mark::Gap | Mark::Restart => self.divider(row, id),
                Mark::Take {
                    posted: Some(_), ..
                } => {}
                Mark::State { on } => {
                    self.open_row(row, on);
                    self.pill(on, self.layout.y(id), &row.label);
                    self.close();
                }
                Mark::Post {
                    from, to, timer, ..
                } if from != to => {
                    self.message(row, id, [from, to], timer);
                }
                Mark::Call { from, to } if from != to => {
                    self.message(row, id, [from, to], false);
                }
                Mark::Post {
                    to, timer, taken, ..
                } => self.own(row, id, to, timer, taken),
                Mark::Call { from: on, .. }
                | Mark::Take { on, .. }
                | Mark::Defer { on }
                | Mark::TimerStart { on }
                | Mark::TimerStop { on }
                | Mark::Timeout { on }
                | Mark::Action { on }
                | Mark::Refused { on } => self.beside(row, id, on),
            }
        }
    }

    /// The label of a message to another lifeline, at its beginning.
    fn message(&mut self, row: &Row, id: RowId, [from, to]: [LifelineId; 2], timer: bool) {
        let layout = self.layout;
        let rightwards = layout.x(from) < layout.x(to);
        let start = self.side(from, id, rightwards);
        let sign = if timer { HOURGLASS } else { 0 };
        let room = (layout.x(to) - layout.x(from)).abs() - 2 * BAR - 2 * PAD - sign;
        let text = Font::LABEL.fit(&row.label, room.max(0));
        let y = layout.y(id) - 5;
        let (class, x, glass) = if rightwards {
            ("label", start + PAD + sign, start + PAD + 4)
        } else {
            let x = start - PAD;
            ("label left", x, x - Font::LABEL.width(&text) - PAD)
        };
        self.open_row(row, from);
        if timer {
            self.hourglass(glass, y - 4);
        }
        self.text(class, x, y, &text);
        self.close();
    }

    /// The label of a message to oneself.
    fn own(&mut self, row: &Row, id: RowId, on: LifelineId, timer: bool, taken: Option<RowId>) {
        let out = self.reach(id, on, taken) + PAD;
        let sign = if timer { HOURGLASS } else { 0 };
        let (x, y) = (self.layout.x(on) + out, self.layout.y(id) + 4);
        let room = self.layout.beside(on) - out - sign;
        let text = Font::LABEL.fit(&row.label, room.max(0));
        self.open_row(row, on);
        if timer {
            self.hourglass(x + 4, y - 4);
        }
        self.text("label", x + sign, y, &text);
        self.close();
    }

    /// A sign at the right side of a lifeline with its label.
    fn beside(&mut self, row: &Row, id: RowId, on: LifelineId) {
        let side = self.side(on, id, true).max(self.layout.x(on) + BAR);
        let (sign, y) = (side + 12, self.layout.y(id) - 4);
        self.open_row(row, on);
        match row.mark {
            Mark::Take { .. } => self.found(id, on),
            Mark::Refused { .. } => self.cross(sign, y),
            Mark::Defer { .. } => self.tray(sign, y),
            Mark::Call { .. } => self.own_call(side, y),
            Mark::Action { .. } => {
                let (left, right, top, low) = (sign - 3, sign + 4, y - 4, y + 4);
                self.sign(&format!("M{left} {top}L{right} {y}L{left} {low}Z"));
            }
            Mark::TimerStop { .. } => {
                self.hourglass(sign, y);
                let (left, right, top, low) = (sign - 7, sign + 7, y - 6, y + 6);
                self.sign(&format!("M{left} {low}L{right} {top}"));
            }
            _ => self.hourglass(sign, y),
        }
        let x = match row.mark {
            Mark::Take { .. } => side + PAD,
            _ => side + ASIDE - BAR - 2,
        };
        let room = self.layout.beside(on) - (x - self.layout.x(on));
        let text = Font::LABEL.fit(&row.label, room.max(0));
        self.text("label", x, y + 4, &text);
        self.close();
    }

    /// What is taken comes from nowhere in the diagram.
    fn found(&mut self, id: RowId, on: LifelineId) {
        let (end, y) = (self.side(on, id, false), self.layout.y(id));
        let start = end - 22;
        self.dot(start, y);
        self.wire(&format!("M{start} {y}H{end}"));
        self.tip(end, y, true, false);
    }

    fn cross(&mut self, x: i32, y: i32) {
        let (left, right, top, low) = (x - 5, x + 5, y - 5, y + 5);
        let path = format!("M{left} {top}L{right} {low}M{right} {top}L{left} {low}");
        self.sign(&path);
    }

    /// A tray with an arrow into it.
    fn tray(&mut self, x: i32, y: i32) {
        let (left, right, top, low) = (x - 6, x + 6, y - 6, y + 5);
        self.sign(&format!("M{left} {y}V{low}H{right}V{y}"));
        let (left, right, back, tip) = (x - 3, x + 3, y - 1, y + 2);
        let path = format!("M{x} {top}V{tip}M{left} {back}L{x} {tip}L{right} {back}");
        self.sign(&path);
    }

    /// A call that does not leave the lifeline.
    fn own_call(&mut self, side: i32, y: i32) {
        let (top, low, out, end) = (y - 4, y + 5, side + 18, side + 2);
        self.wire(&format!("M{side} {top}H{out}V{low}H{end}"));
        self.tip(end, low, false, true);
    }

    /// A line across all lifelines.
    fn divider(&mut self, row: &Row, id: RowId) {
        let (left, right) = (self.layout.times + PAD, self.layout.width - MARGIN);
        let (middle, y) = ((left + right) / 2, self.layout.y(id));
        let text = Font::LABEL.fit(&row.label, right - left - 2 * PAD);
        let half = Font::LABEL.width(&text) / 2 + PAD;
        let class = format!("row divider {}", class(row.mark));
        self.open(class, Some(row.event), &row.details);
        self.line("", [left, y], [(middle - half).max(left), y]);
        self.line("", [(middle + half).min(right), y], [right, y]);
        self.text("label", middle, y + 4, &text);
        self.close();
    }
}
