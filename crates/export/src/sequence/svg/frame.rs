//! What stands around the rows: lifelines with their heads and bars, times.

use super::canvas::{Area, Canvas, depth};
use super::layout::{BAND, BAR, BOX, HEAD, MARGIN, NEST, PAD, WIDEST_HEAD};
use super::measure::Font;
use crate::sequence::{Bar, Lifeline, LifelineId, Mark, Row, RowId};
use rtoscope_trace::Party;

impl Canvas<'_> {
    pub(super) fn lifelines(&mut self) {
        let body = self.layout.body.clone();
        for (line, id) in self.sequence.lifelines.iter().zip((0..).map(LifelineId)) {
            let x = self.layout.x(id);
            self.open(format!("lifeline {}", self.hue(id)), None, &line.name);
            self.line("", [x, body.start], [x, body.end]);
            self.close();
        }
    }

    pub(super) fn bars(&mut self) {
        for bar in &self.sequence.bars {
            let area = self.bar(bar);
            let open = if bar.open || bar.from_before {
                " open"
            } else {
                ""
            };
            let class = format!("bar{open} {}", self.hue(bar.on));
            self.open(class, Some(bar.event), &bar.details);
            self.area(&area);
            self.close();
        }
    }

    fn bar(&self, bar: &Bar) -> Area {
        let layout = self.layout;
        let top = if bar.from_before {
            layout.body.start
        } else {
            layout.y(bar.first)
        };
        let is_box = |row: &&Row| matches!(row.mark, Mark::State { .. });
        let below = match self.sequence.rows.get(bar.last.0).filter(is_box) {
            Some(_) => BOX / 2 + 3,
            None => 5,
        };
        let end = (layout.y(bar.last) + below).max(top + 7);
        Area {
            left: layout.x(bar.on) - BAR + NEST * depth(bar.depth),
            top,
            width: 2 * BAR,
            height: end - top,
            round: 2,
        }
    }

    /// The times at the left, but not what the row above says already.
    pub(super) fn times(&mut self) {
        let mut above = "";
        self.open("times", None, "");
        for (row, id) in self.sequence.rows.iter().zip((0..).map(RowId)) {
            if row.clock != above {
                let (x, y) = (self.layout.times, self.layout.y(id) + 4);
                self.text("time", x, y, &row.clock);
            }
            above = &row.clock;
        }
        self.close();
    }

    /// The names above and below, and between where it is far; first states; and
    /// what is left out.
    pub(super) fn heads(&mut self) {
        let (layout, sequence) = (self.layout, self.sequence);
        for (line, id) in sequence.lifelines.iter().zip((0..).map(LifelineId)) {
            self.head(line, id, layout.body.start - HEAD);
            self.head(line, id, layout.body.end);
            if let Some(state) = &line.state {
                self.open(format!("state first {}", self.hue(id)), None, state);
                self.pill(id, layout.body.start + PAD + BOX / 2, state);
                self.close();
            }
        }
        for top in &layout.bands {
            self.band(*top);
        }
        if let Some(note) = sequence.left_out_note() {
            let x = (layout.times + layout.width) / 2;
            self.text("note label", x, layout.body.end - PAD, &note);
        }
    }

    fn head(&mut self, line: &Lifeline, id: LifelineId, top: i32) {
        let (class, round) = match line.party {
            Party::Object(_) => ("object", 5),
            Party::Other(_) | Party::Unknown => ("actor", HEAD / 2),
        };
        let (x, width) = (self.layout.x(id), width(line));
        self.open(format!("head {class} {}", self.hue(id)), None, &line.name);
        self.area(&Area {
            left: x - width / 2,
            top,
            width,
            height: HEAD,
            round,
        });
        let short = Font::HEAD.fit(&line.name, width - 2 * PAD);
        self.text("", x, top + HEAD / 2 + 5, &short);
        self.close();
    }

    fn band(&mut self, top: i32) {
        let (left, right) = (self.layout.times + PAD, self.layout.width - MARGIN);
        self.open("band", None, "");
        self.line("rule", [left, top + BAND], [right, top + BAND]);
        for (line, id) in self.sequence.lifelines.iter().zip((0..).map(LifelineId)) {
            let short = Font::SMALL.fit(&line.name, width(line));
            self.text("label", self.layout.x(id), top + BAND - PAD, &short);
        }
        self.close();
    }
}

/// The width of a lifeline's head, for which the layout has made room.
fn width(line: &Lifeline) -> i32 {
    Font::HEAD.width(&line.name).min(WIDEST_HEAD) + 2 * PAD
}
