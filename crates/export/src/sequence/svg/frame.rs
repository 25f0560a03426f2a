//! The frame around the rows: lifelines, heads, bars and times.

use super::canvas::{Rect, SvgCanvas, depth_offset};
use super::layout::{
    BAND_HEIGHT, BAR_HALF_WIDTH, BOX_HEIGHT, HEAD_HEIGHT, MARGIN, MAX_HEAD_WIDTH, NEST_OFFSET,
    TEXT_PADDING,
};
use super::measure::Font;
use crate::sequence::{DiagramRow, Lifeline, LifelineId, RowId, RowKind, StepBar};
use rtoscope_trace::Endpoint;

impl SvgCanvas<'_> {
    pub(super) fn lifelines(&mut self) {
        let body = self.layout.body.clone();
        for (line, id) in self.sequence.lifelines.iter().zip((0..).map(LifelineId)) {
            let x = self.layout.x(id);
            self.open(
                format!("lifeline {}", self.colour_class(id)),
                None,
                &line.name,
            );
            self.line("", [x, body.start], [x, body.end]);
            self.close();
        }
    }

    pub(super) fn bars(&mut self) {
        for bar in &self.sequence.bars {
            let area = self.bar(bar);
            let open = if bar.is_open_ended || bar.starts_before {
                " open"
            } else {
                ""
            };
            let class = format!("bar{open} {}", self.colour_class(bar.on));
            self.open(class, Some(bar.event), &bar.details);
            self.rect(&area);
            self.close();
        }
    }

    fn bar(&self, bar: &StepBar) -> Rect {
        let layout = self.layout;
        let top = if bar.starts_before {
            layout.body.start
        } else {
            layout.y(bar.first)
        };
        let is_box = |row: &&DiagramRow| matches!(row.kind, RowKind::State { .. });
        let below = match self.sequence.rows.get(bar.last.0).filter(is_box) {
            Some(_) => BOX_HEIGHT / 2 + 3,
            None => 5,
        };
        let end = (layout.y(bar.last) + below).max(top + 7);
        Rect {
            left: layout.x(bar.on) - BAR_HALF_WIDTH + NEST_OFFSET * depth_offset(bar.depth),
            top,
            width: 2 * BAR_HALF_WIDTH,
            height: end - top,
            round: 2,
        }
    }

    /// The times on the left, without the part that equals the row above.
    pub(super) fn times(&mut self) {
        let mut above = "";
        self.open("times", None, "");
        for (row, id) in self.sequence.rows.iter().zip((0..).map(RowId)) {
            if row.time_text != above {
                let (x, y) = (self.layout.times_right, self.layout.y(id) + 4);
                self.text("time", x, y, &row.time_text);
            }
            above = &row.time_text;
        }
        self.close();
    }

    /// The names at the top and bottom, repeated in between in long diagrams;
    /// initial states; and the note on skipped rows.
    pub(super) fn heads(&mut self) {
        let (layout, sequence) = (self.layout, self.sequence);
        for (line, id) in sequence.lifelines.iter().zip((0..).map(LifelineId)) {
            self.head(line, id, layout.body.start - HEAD_HEIGHT);
            self.head(line, id, layout.body.end);
            if let Some(state) = &line.state {
                self.open(
                    format!("state first {}", self.colour_class(id)),
                    None,
                    state,
                );
                self.state_box(id, layout.body.start + TEXT_PADDING + BOX_HEIGHT / 2, state);
                self.close();
            }
        }
        for top in &layout.bands {
            self.band(*top);
        }
        if let Some(note) = sequence.skipped_rows_note() {
            let x = (layout.times_right + layout.width) / 2;
            self.text("note label", x, layout.body.end - TEXT_PADDING, &note);
        }
    }

    fn head(&mut self, line: &Lifeline, id: LifelineId, top: i32) {
        let (class, round) = match line.endpoint {
            Endpoint::Object(_) => ("object", 5),
            Endpoint::Other(_) | Endpoint::Unknown => ("actor", HEAD_HEIGHT / 2),
        };
        let (x, width) = (self.layout.x(id), width(line));
        self.open(
            format!("head {class} {}", self.colour_class(id)),
            None,
            &line.name,
        );
        self.rect(&Rect {
            left: x - width / 2,
            top,
            width,
            height: HEAD_HEIGHT,
            round,
        });
        let short = Font::HEAD.fit(&line.name, width - 2 * TEXT_PADDING);
        self.text("", x, top + HEAD_HEIGHT / 2 + 5, &short);
        self.close();
    }

    fn band(&mut self, top: i32) {
        let (left, right) = (
            self.layout.times_right + TEXT_PADDING,
            self.layout.width - MARGIN,
        );
        self.open("band", None, "");
        self.line(
            "rule",
            [left, top + BAND_HEIGHT],
            [right, top + BAND_HEIGHT],
        );
        for (line, id) in self.sequence.lifelines.iter().zip((0..).map(LifelineId)) {
            let short = Font::SMALL.fit(&line.name, width(line));
            self.text(
                "label",
                self.layout.x(id),
                top + BAND_HEIGHT - TEXT_PADDING,
                &short,
            );
        }
        self.close();
    }
}

/// The width of a lifeline's head, as reserved by the layout.
fn width(line: &Lifeline) -> i32 {
    Font::HEAD.width(&line.name).min(MAX_HEAD_WIDTH) + 2 * TEXT_PADDING
}
