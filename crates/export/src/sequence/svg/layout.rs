//! The layout in pixels.

use super::measure::Font;
use crate::sequence::{DiagramRow, LifelineId, RowId, RowKind, SequenceDiagram};
use std::collections::BTreeMap;
use std::ops::Range;

/// Space around the drawing.
pub(super) const MARGIN: i32 = 16;
/// Height of a lifeline's head.
pub(super) const HEAD_HEIGHT: i32 = 30;
/// Height of a state's box.
pub(super) const BOX_HEIGHT: i32 = 22;
/// Half the width of a bar.
pub(super) const BAR_HALF_WIDTH: i32 = 5;
/// The offset of a nested bar to the right.
pub(super) const NEST_OFFSET: i32 = 6;
/// The distance from a lifeline to the labels on its right: space for a bar and a
/// symbol.
pub(super) const LABEL_OFFSET: i32 = 32;
/// The padding around a text.
pub(super) const TEXT_PADDING: i32 = 8;
/// The width of a message to the same lifeline.
pub(super) const LOOP_WIDTH: i32 = 26;
/// Message paths go around states that are entered meanwhile, unless these are
/// wider than this.
const MAX_PASSED_WIDTH: i32 = 60;
/// The distance of parallel message paths.
pub(super) const LANE_WIDTH: i32 = 6;
/// The maximum number of parallel paths; more overlap.
const MAX_LANES: usize = 4;
/// Height of the band that repeats the names.
pub(super) const BAND_HEIGHT: i32 = 26;
/// The number of rows after which the names are repeated.
const ROWS_PER_BAND: usize = 40;
/// A path with a larger drop than this goes diagonally first, then down along the
/// lifeline.
const MAX_STRAIGHT_DROP: i32 = 84;

const MIN_GAP: i32 = 96;
const MAX_LABEL_WIDTH: i32 = 250;
/// Longer names are shortened in the lifeline's head.
pub(super) const MAX_HEAD_WIDTH: i32 = 200;
/// A row that follows after this multiple of the usual time is set apart.
const QUIET_FACTOR: u64 = 10;
const QUIET_SPACING: i32 = 12;

/// The positions of a diagram's elements.
pub(super) struct DiagramLayout {
    /// The x positions of the lifelines.
    pub(super) columns: Vec<i32>,
    /// The y positions of the rows.
    pub(super) rows: Vec<i32>,
    /// The tops of the bands that repeat the names.
    pub(super) bands: Vec<i32>,
    /// The lane of each row's message path.
    lanes: Vec<usize>,
    /// The distance of paths from each lifeline that go around its states.
    pass_offsets: Vec<i32>,
    /// The rows at which each lifeline enters a state.
    states: Vec<Vec<RowId>>,
    /// The vertical range of the lifelines, between the heads.
    pub(super) body: Range<i32>,
    /// The right edge of the times.
    pub(super) times_right: i32,
    pub(super) width: i32,
    pub(super) height: i32,
}

impl DiagramLayout {
    pub(super) fn new(sequence: &SequenceDiagram) -> Self {
        let clocks = sequence
            .rows
            .iter()
            .map(|row| Font::SMALL.width(&row.time_text));
        let times = MARGIN + clocks.max().unwrap_or_default();
        let lanes = assign_lanes(sequence);
        let (passes, states) = state_positions(sequence);
        let gaps = ColumnGaps::new(sequence, &lanes, &passes);
        let heads = head_widths(sequence);
        let half = |width: Option<&i32>| width.copied().unwrap_or_default() / 2;
        let mut x = times + 2 * TEXT_PADDING + half(heads.first()).max(gaps.left);
        let mut columns = Vec::with_capacity(heads.len());
        for number in 0..heads.len() {
            columns.push(x);
            x += gaps.between.get(number).copied().unwrap_or_default();
        }
        let last = columns.last().copied().unwrap_or(x);
        let right = gaps.right.max(half(heads.last()));
        let (rows, bands, end) = row_positions(sequence, MARGIN + HEAD_HEIGHT);
        let note = if sequence.skipped_rows > 0 {
            BAND_HEIGHT
        } else {
            0
        };
        Self {
            columns,
            rows,
            bands,
            lanes,
            pass_offsets: passes,
            states,
            body: MARGIN + HEAD_HEIGHT..end + note,
            times_right: times,
            width: last + right + MARGIN,
            height: end + note + HEAD_HEIGHT + MARGIN,
        }
    }

    /// The x position of a lifeline.
    pub(super) fn x(&self, lifeline: LifelineId) -> i32 {
        self.columns.get(lifeline.0).copied().unwrap_or_default()
    }

    /// The y position of a row.
    pub(super) fn y(&self, row: RowId) -> i32 {
        self.rows.get(row.0).copied().unwrap_or_default()
    }

    /// The distance from a lifeline at which a path goes down between two rows: at
    /// least `least`, and around the states entered meanwhile.
    pub(super) fn bend_offset(&self, on: LifelineId, rows: Range<RowId>, min: i32) -> i32 {
        let lane = lane(&self.lanes, rows.start);
        let states = self.states.get(on.0).map_or(&[][..], Vec::as_slice);
        let first = states.partition_point(|row| *row < rows.start);
        let meanwhile = states.get(first).is_some_and(|row| *row < rows.end);
        let pass = self.pass_offsets.get(on.0).filter(|_| meanwhile);
        lane + pass.map_or(min, |pass| min.max(*pass))
    }

    /// Whether a path goes down along the lifeline at its end, because it would be
    /// too steep or cross labels.
    pub(super) fn is_bent(
        &self,
        sequence: &SequenceDiagram,
        [from, to]: [LifelineId; 2],
        rows: Range<RowId>,
    ) -> bool {
        if self.y(rows.end) - self.y(rows.start) > MAX_STRAIGHT_DROP {
            return true;
        }
        let left = if self.x(from) < self.x(to) { from } else { to };
        let between = sequence.rows.get(rows.start.0 + 1..rows.end.0);
        let mut between = between.unwrap_or_default().iter();
        between.any(|row| label_lifeline(row.kind) == Some(left))
    }

    /// The maximum width of a label on the right of a lifeline.
    pub(super) fn label_width(&self, lifeline: LifelineId) -> i32 {
        let next = self.columns.get(lifeline.0 + 1);
        let end = next.map_or(self.width - MARGIN, |next| next - TEXT_PADDING);
        end - self.x(lifeline)
    }
}

fn lane(lanes: &[usize], row: RowId) -> i32 {
    let lane = lanes.get(row.0).copied().unwrap_or_default();
    i32::try_from(lane).unwrap_or_default() * LANE_WIDTH
}

/// The distances of paths that go around states, and the rows of these states, by
/// lifeline.
fn state_positions(sequence: &SequenceDiagram) -> (Vec<i32>, Vec<Vec<RowId>>) {
    let count = sequence.lifelines.len();
    let (mut passes, mut states) = (vec![0; count], vec![Vec::new(); count]);
    for (row, id) in sequence.rows.iter().zip((0..).map(RowId)) {
        if let RowKind::State { on } = row.kind
            && let (Some(pass), Some(rows)) = (passes.get_mut(on.0), states.get_mut(on.0))
        {
            let past = box_width(&row.label) / 2 + TEXT_PADDING;
            *pass = past.min(MAX_PASSED_WIDTH).max(*pass);
            rows.push(id);
        }
    }
    (passes, states)
}

/// The widths of the heads.
fn head_widths(sequence: &SequenceDiagram) -> Vec<i32> {
    let lifelines = sequence.lifelines.iter();
    let width = |name: &str| Font::HEAD.width(name).min(MAX_HEAD_WIDTH) + 3 * TEXT_PADDING;
    lifelines.map(|lifeline| width(&lifeline.name)).collect()
}

/// Assigns lanes to paths that go down along the same lifeline.
fn assign_lanes(sequence: &SequenceDiagram) -> Vec<usize> {
    let mut waiting = BTreeMap::<LifelineId, [Option<RowId>; MAX_LANES]>::new();
    let lane = |(number, row): (usize, &DiagramRow)| {
        let RowKind::Post {
            to,
            take_row: Some(taken),
            ..
        } = row.kind
        else {
            return 0;
        };
        let slots = waiting.entry(to).or_default();
        let free = |slot: &Option<RowId>| slot.is_none_or(|until| until < RowId(number));
        let place = slots.iter().position(free).unwrap_or(MAX_LANES - 1);
        if let Some(slot) = slots.get_mut(place) {
            *slot = Some(taken);
        }
        place
    };
    sequence.rows.iter().enumerate().map(lane).collect()
}

/// The space that lifelines need beside them.
struct ColumnGaps {
    between: Vec<i32>,
    left: i32,
    right: i32,
}

impl ColumnGaps {
    fn new(sequence: &SequenceDiagram, lanes: &[usize], passes: &[i32]) -> Self {
        let count = sequence.lifelines.len();
        let mut gaps = Self {
            between: vec![MIN_GAP; count.saturating_sub(1)],
            left: 0,
            right: MIN_GAP / 2,
        };
        let heads = head_widths(sequence);
        for ((gap, left), right) in gaps
            .between
            .iter_mut()
            .zip(&heads)
            .zip(heads.iter().skip(1))
        {
            *gap = (*gap).max((left + right) / 2 + 2 * TEXT_PADDING);
        }
        // Sort by the number of spanned lifelines, so that wide labels use the
        // space that narrow ones already need.
        for ((_, first), (last, width)) in label_needs(sequence, lanes, passes) {
            gaps.widen(first, last, width);
        }
        for lifeline in sequence.lifelines.iter().enumerate() {
            if let (number, Some(state)) = (lifeline.0, &lifeline.1.state) {
                gaps.center(number, box_width(state));
            }
        }
        for row in &sequence.rows {
            if let RowKind::State { on } = row.kind {
                gaps.center(on.0, box_width(&row.label));
            }
        }
        gaps
    }

    /// Widens the space between two lifelines; right of the last, if they are
    /// equal.
    fn widen(&mut self, first: usize, last: usize, width: i32) {
        let Some(between) = self.between.get_mut(first..last.max(first + 1)) else {
            self.right = self.right.max(width);
            return;
        };
        let missing = width - between.iter().sum::<i32>();
        let count = i32::try_from(between.len()).unwrap_or(i32::MAX);
        if missing > 0 {
            let more = missing / count + i32::from(missing % count != 0);
            between.iter_mut().for_each(|gap| *gap += more);
        }
    }

    /// Widens the space on both sides of a lifeline.
    fn center(&mut self, lifeline: usize, width: i32) {
        let half = width / 2 + TEXT_PADDING;
        match lifeline.checked_sub(1) {
            Some(before) => self.widen(before, lifeline, half + TEXT_PADDING),
            None => self.left = self.left.max(half),
        }
        self.widen(lifeline, lifeline, half + TEXT_PADDING);
    }
}

/// The width of a state's box.
pub(super) fn box_width(state: &str) -> i32 {
    Font::LABEL.width(state).min(MAX_LABEL_WIDTH) + 2 * TEXT_PADDING
}

/// The widest labels between lifelines: the number of spanned gaps, the left and
/// the right lifeline, and the width. A label beside a lifeline has the same one
/// twice.
fn label_needs(
    sequence: &SequenceDiagram,
    lanes: &[usize],
    passes: &[i32],
) -> BTreeMap<(usize, usize), (usize, i32)> {
    let mut needs = BTreeMap::new();
    let beyond = |on: LifelineId, row| {
        let pass = passes.get(on.0).copied().unwrap_or_default();
        pass.max(LOOP_WIDTH) + lane(lanes, row)
    };
    for (row, number) in sequence.rows.iter().zip((0..).map(RowId)) {
        let text = Font::LABEL.width(&row.label).min(MAX_LABEL_WIDTH);
        let (first, last, width) = match row.kind {
            RowKind::Post { from, to, .. } | RowKind::Call { from, to } if from == to => {
                let out = beyond(from, number) + LABEL_OFFSET;
                (from.0, from.0, text + out)
            }
            RowKind::Post { from, to, .. } | RowKind::Call { from, to } => {
                let ends = 2 * BAR_HALF_WIDTH + 3 * TEXT_PADDING + beyond(to, number);
                (from.0.min(to.0), from.0.max(to.0), text + ends)
            }
            mark => match label_lifeline(mark) {
                Some(on) => (on.0, on.0, text + LABEL_OFFSET + NEST_OFFSET + TEXT_PADDING),
                None => continue,
            },
        };
        let need = needs.entry((last - first, first)).or_insert((last, 0));
        need.1 = need.1.max(width);
    }
    needs
}

/// The lifeline to whose right a row has its label.
fn label_lifeline(mark: RowKind) -> Option<LifelineId> {
    match mark {
        RowKind::Take { on, post_row: None }
        | RowKind::Defer { on }
        | RowKind::TimerStart { on }
        | RowKind::TimerStop { on }
        | RowKind::Timeout { on }
        | RowKind::Action { on }
        | RowKind::Refused { on } => Some(on),
        RowKind::Post { from, to, .. } | RowKind::Call { from, to } if from == to => Some(to),
        _ => None,
    }
}

/// The y positions of the rows below `top`, the tops of the bands between them, and
/// the end.
fn row_positions(sequence: &SequenceDiagram, top: i32) -> (Vec<i32>, Vec<i32>, i32) {
    let states = sequence.lifelines.iter().any(|line| line.state.is_some());
    let mut y = top
        + if states {
            BOX_HEIGHT + 3 * TEXT_PADDING
        } else {
            TEXT_PADDING
        };
    let quiet = quiet_ticks(&sequence.rows);
    let mut rows = Vec::with_capacity(sequence.rows.len());
    let mut bands = Vec::new();
    let mut before = None;
    for (number, row) in sequence.rows.iter().enumerate() {
        if number > 0 && number % ROWS_PER_BAND == 0 {
            bands.push(y + TEXT_PADDING);
            y += BAND_HEIGHT + 2 * TEXT_PADDING;
        }
        let since = before.map_or(0, |before| row.time.0.saturating_sub(before));
        if quiet.is_some_and(|quiet| since >= quiet) {
            y += QUIET_SPACING;
        }
        before = Some(row.time.0);
        let (height, line) = match row.kind {
            RowKind::Take {
                post_row: Some(_), ..
            } => (16, 10),
            RowKind::State { .. } => (30, 16),
            RowKind::Gap | RowKind::Restart => (38, 19),
            RowKind::Post { from, to, .. } if from == to => (26, 17),
            _ => (26, 20),
        };
        rows.push(y + line);
        y += height;
    }
    (rows, bands, y + 2 * TEXT_PADDING)
}

/// The time between two rows, in ticks, from which on it counts as long.
fn quiet_ticks(rows: &[DiagramRow]) -> Option<u64> {
    let pairs = rows.iter().zip(rows.iter().skip(1));
    let between = pairs.map(|(row, next)| next.time.0.saturating_sub(row.time.0));
    let mut between: Vec<_> = between.filter(|ticks| *ticks > 0).collect();
    let middle = between.len() / 2;
    if between.is_empty() {
        return None;
    }
    let (_, median, _) = between.select_nth_unstable(middle);
    Some(median.saturating_mul(QUIET_FACTOR))
}
