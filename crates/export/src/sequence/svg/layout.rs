//! Where everything is, in pixels.

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
/// From the middle of a bar to its side.
pub(super) const BAR_HALF_WIDTH: i32 = 5;
/// How far a bar within a bar is moved to the right.
pub(super) const NEST_OFFSET: i32 = 6;
/// From a lifeline to the labels on its right: room for a bar and a sign.
pub(super) const LABEL_OFFSET: i32 = 32;
/// Between a text and what is beside it.
pub(super) const TEXT_PADDING: i32 = 8;
/// How far a message to oneself reaches.
pub(super) const LOOP_WIDTH: i32 = 26;
/// Wires pass states that are reached meanwhile, unless these are wider than this.
const MAX_PASSED_WIDTH: i32 = 60;
/// Between wires that wait side by side.
pub(super) const LANE_WIDTH: i32 = 6;
/// How many of them stand side by side; more lie upon each other.
const MAX_LANES: usize = 4;
/// Height of the band that repeats the names.
pub(super) const BAND_HEIGHT: i32 = 26;
/// After so many rows the names are repeated.
const ROWS_PER_BAND: usize = 40;
/// A wire that goes down further than this goes slantwise first, then down along
/// the lifeline.
const MAX_STRAIGHT_DROP: i32 = 84;

const MIN_GAP: i32 = 96;
const MAX_LABEL_WIDTH: i32 = 250;
/// A longer name is shortened in its lifeline's head.
pub(super) const MAX_HEAD_WIDTH: i32 = 200;
/// Rows that come later than the one before by so many times the usual are set
/// off.
const QUIET_FACTOR: u64 = 10;
const QUIET_SPACING: i32 = 12;

/// The places of a diagram's parts.
pub(super) struct DiagramLayout {
    /// The middles of the lifelines.
    pub(super) columns: Vec<i32>,
    /// The lines of the rows.
    pub(super) rows: Vec<i32>,
    /// The tops of the bands that repeat the names.
    pub(super) bands: Vec<i32>,
    /// In which lane the wire of a row waits.
    lanes: Vec<usize>,
    /// How far wires along each lifeline are from it to pass its states.
    pass_offsets: Vec<i32>,
    /// The rows at which each lifeline reaches a state.
    states: Vec<Vec<RowId>>,
    /// Where lifelines begin and end, between the heads.
    pub(super) body: Range<i32>,
    /// The right end of the times.
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

    /// The middle of a lifeline.
    pub(super) fn x(&self, lifeline: LifelineId) -> i32 {
        self.columns.get(lifeline.0).copied().unwrap_or_default()
    }

    /// The line of a row.
    pub(super) fn y(&self, row: RowId) -> i32 {
        self.rows.get(row.0).copied().unwrap_or_default()
    }

    /// How far from a lifeline a wire goes down along it between two rows: so far
    /// at least, and past the states that it reaches meanwhile.
    pub(super) fn bend_offset(&self, on: LifelineId, rows: Range<RowId>, least: i32) -> i32 {
        let lane = lane(&self.lanes, rows.start);
        let states = self.states.get(on.0).map_or(&[][..], Vec::as_slice);
        let first = states.partition_point(|row| *row < rows.start);
        let meanwhile = states.get(first).is_some_and(|row| *row < rows.end);
        let pass = self.pass_offsets.get(on.0).filter(|_| meanwhile);
        lane + pass.map_or(least, |pass| least.max(*pass))
    }

    /// Whether a wire goes down along the lifeline where it ends, because it would
    /// be steep, or lie across labels.
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

    /// How wide a label on the right of a lifeline can be.
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

/// How far wires are from each lifeline that pass its states, and the rows of
/// these.
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

/// Side by side where several wires wait at one lifeline.
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

/// The room that lifelines need beside them.
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
        // By how many lifelines they span, so that wide ones use what narrow
        // ones already need.
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

    /// Makes room between two lifelines; right of the last, if they are equal.
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

    /// Makes room on both sides of a lifeline.
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

/// The widest label from a lifeline to another: by how many they are apart and
/// the left one, then the right one and the width. A label beside a lifeline has
/// the same one twice.
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

/// The lifeline on whose right a mark has its label.
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

/// The lines of rows below a place, the tops of bands between them, and the end.
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

/// From how many ticks on the time between two rows is long.
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
