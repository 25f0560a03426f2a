//! Interrupt service routines.

use super::{Distribution, Hex, Samples, View};
use crate::report::ReportKind;
use crate::report::table::FrontEnd::{Text, Viewer};
use crate::report::table::{Cell, ReportTable, TableRow, column};
use crate::schedule::IsrActivation;
use foldhash::{HashMap, HashMapExt as _};
use rtoscope_trace::{EventIndex, Ticks, parallel};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The ISRs with one number, or all without a number.
///
/// Activations count where they start, durations where they end.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct IsrRow {
    /// The name: that of its function, `ISR 7` or `ISR (unnumbered)`.
    pub name: String,
    /// Its address, if that identifies it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub address: Option<Hex>,
    /// The number that the application gave it; for an ISR identified by its
    /// address, its index. `None` if it did not record entry and exit: then
    /// only groups of other records are known.
    pub number: Option<u32>,
    /// Number of activations.
    pub activations: u64,
    /// Activations that interrupted another ISR.
    pub nested: u64,
    /// Activations without a recorded entry or exit.
    pub unfinished: u64,
    /// Activations inferred from a group of records.
    pub inferred: u64,
    /// Maximum nesting of these activations, 1 without nesting; 0 if there are
    /// none.
    pub max_nesting: u16,
    /// The cores that ran it.
    pub cores: BTreeSet<u8>,
    /// CPU time in ticks, without the ISRs that interrupted it.
    pub total: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_ns: Option<u64>,
    /// The same as a share of the time of all cores; `None` if no time passes.
    pub percent: Option<f64>,
    /// From entry to exit, of complete activations.
    pub duration: Option<Distribution>,
    /// Self time: the same without the ISRs that interrupted it.
    pub self_duration: Option<Distribution>,
    /// From one entry to the next on the same core.
    pub interarrival: Option<Distribution>,
}

impl TableRow for IsrRow {
    const TABLE: ReportTable<Self> = ReportTable {
        path: "isr",
        title: ReportKind::Isr.title(),
        note: "",
        empty: "No interrupts were recorded",
        rank: "total",
        columns: &[
            column!(Text, name, "Routine"),
            column!(Count, activations, "Activations"),
            column!(Count, nested, "Nested"),
            column!(Count, max_nesting, "Max nesting"),
            column!(Count, unfinished, "Unfinished"),
            column!(Count, inferred, "Inferred"),
            column!(Duration, total, "CPU time", |row| Some(row.total)
                .filter(|_| row.has_known_time())
                .map(Cell::Duration))
            .total()
            .missing("unknown"),
            column!(Percent, percent, "Share", |row| row
                .percent
                .filter(|_| row.has_known_time())
                .map(Cell::Percent))
            .missing("unknown"),
            column!(Text, cores, "Cores", |row| {
                let cores: Vec<_> = row.cores.iter().map(u8::to_string).collect();
                Cell::made(&cores.join(", "))
            })
            .only(&[Text, Viewer]),
            column!(Distribution, duration, "Total time").hint("from entry to exit"),
            column!(Distribution, self_duration, "Self time")
                .hint("the same without nested routines")
                .only(&[Text, Viewer]),
            column!(Distribution, interarrival, "Interval").hint("from entry to entry"),
        ],
    };
}

impl IsrRow {
    /// Whether its CPU time is known: ISRs without number did take time, whether or not it
    /// was recorded, and so did those that never record their exit.
    pub fn has_known_time(&self) -> bool {
        let is_unended = self.activations > 0 && self.unfinished == self.activations;
        match self.number {
            Some(_) => !is_unended,
            None => self.total > 0,
        }
    }
}

/// The ISRs that began or ran in the scope, by number. They belong to no
/// thread: a scope of threads does not limit them.
pub fn isr(view: &View<'_>) -> Vec<IsrRow> {
    let window = view.window();
    let mut found = HashMap::<Option<u32>, IsrTotals>::new();
    for activation in &view.schedule.activations {
        if !view.includes_core(activation.core) || activation.start.0 > window.end {
            continue;
        }
        let totals = found.entry(activation.number).or_default();
        totals.count(view, &activation);
    }
    let mut all_totals: BTreeMap<_, _> = found.into_iter().collect();
    for core in view.core_cpu_times() {
        for (number, ticks) in &core.isrs {
            let totals = all_totals.entry(*number).or_default();
            totals.ticks = totals.ticks.saturating_add(*ticks);
            totals.cores.insert(core.core);
        }
    }
    let began = |(_, totals): &(_, IsrTotals)| totals.activations > 0 || totals.ticks > 0;
    let all_totals = all_totals.into_iter().filter(began);
    parallel::map(all_totals.collect(), |(number, totals)| {
        totals.row(view, number)
    })
}

/// Totals of the ISRs with a number.
#[derive(Debug, Default)]
struct IsrTotals {
    activations: u64,
    nested: u64,
    unfinished: u64,
    inferred: u64,
    max_nesting: u16,
    cores: BTreeSet<u8>,
    ticks: u64,
    duration: Samples,
    self_duration: Samples,
    interarrival: Samples,
    /// The last entry on each core.
    entries: Vec<Option<(Ticks, EventIndex)>>,
}

impl IsrTotals {
    fn count(&mut self, view: &View<'_>, activation: &IsrActivation) {
        if view.contains(activation.start) {
            self.activations += 1;
            self.nested += u64::from(activation.depth > 1);
            let inferred = activation.number.is_none();
            self.inferred += u64::from(inferred);
            self.unfinished += u64::from(!inferred && !activation.is_complete());
            self.max_nesting = self.max_nesting.max(activation.depth);
            if self.cores.last() != Some(&activation.core) {
                self.cores.insert(activation.core);
            }
        }
        if activation.is_complete() && view.contains(activation.end) {
            let duration = activation.duration();
            let self_time = Ticks(duration.0.saturating_sub(activation.nested.0));
            let interval = [activation.start, activation.end];
            self.duration.add_interval(interval, activation.last, None);
            self.self_duration.add(self_time, activation.last);
        }
        self.enter(view, activation);
    }

    fn enter(&mut self, view: &View<'_>, activation: &IsrActivation) {
        let (start, first) = (activation.start, activation.first);
        let core = usize::from(activation.core);
        if self.entries.len() <= core {
            self.entries.resize(core + 1, None);
        }
        let Some(entry) = self.entries.get_mut(core) else {
            return;
        };
        // Otherwise the time of its entry is not known.
        let entered = activation.entered.then_some((start, first));
        let before = std::mem::replace(entry, entered);
        if let Some(_) = entered
            && let Some((earlier, event)) = before
            && view.contains(start)
            && !view.has_gap_between(Some(activation.core), event, first)
        {
            self.interarrival
                .add_interval([earlier, start], first, None);
        }
    }

    fn row(self, view: &View<'_>, number: Option<u32>) -> IsrRow {
        let clock = &view.trace.clock;
        IsrRow {
            name: view.schedule.isr_name(number),
            address: view.schedule.isr_function(number).map(|it| Hex(it.address)),
            number,
            activations: self.activations,
            nested: self.nested,
            unfinished: self.unfinished,
            inferred: self.inferred,
            max_nesting: self.max_nesting,
            cores: self.cores,
            total: self.ticks,
            total_ns: view.nanoseconds(Ticks(self.ticks)),
            percent: view.percent_of_cores(Ticks(self.ticks)),
            duration: self.duration.distribution(clock),
            self_duration: self.self_duration.distribution(clock),
            interarrival: self.interarrival.distribution(clock),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::{FIRST_THREAD, Fixture, window};
    use crate::report::Scope;
    use crate::schedule::{IsrActivationId, Running};
    use rtoscope_trace::Gap;

    fn activation(number: u32, start: u64, end: u64, depth: u16, nested: u64) -> IsrActivation {
        IsrActivation {
            number: Some(number),
            core: 0,
            depth,
            interrupted: FIRST_THREAD,
            first: EventIndex(start as u32),
            last: EventIndex(end as u32),
            entered: true,
            exited: true,
            start: Ticks(start),
            end: Ticks(end),
            nested: Ticks(nested),
        }
    }

    /// ISR 1 from 2 to 9, interrupted by ISR 2 from 3 to 5; ISR 1 from 20 to 24.
    fn fixture() -> Fixture {
        let isr = |id| Running::isr(IsrActivationId(id));
        let thread = Running::context(FIRST_THREAD);
        let slices = [
            (0, thread),
            (2, isr(0)),
            (3, isr(1)),
            (5, isr(0)),
            (9, thread),
            (20, isr(2)),
            (24, thread),
        ];
        let mut fixture = Fixture::empty(30, 1).with_core(0, &slices);
        fixture.schedule.activations = crate::PackedVec::from_iter([
            activation(1, 2, 9, 1, 2),
            activation(2, 3, 5, 2, 0),
            activation(1, 20, 24, 1, 0),
        ]);
        fixture
    }

    #[test]
    fn nested_isrs_count_once() {
        let rows = isr(&fixture().view(&Scope::default()));
        let [one, two] = &rows[..] else { panic!() };
        assert_eq!((one.activations, one.nested, one.total), (2, 0, 9));
        assert_eq!((two.activations, two.nested, two.total), (1, 1, 2));
        assert_eq!((one.max_nesting, two.max_nesting), (1, 2));
        let duration = one.duration.as_ref().unwrap();
        assert_eq!((duration.min, duration.max, duration.event), (4, 7, 9));
        let self_time = one.self_duration.as_ref().unwrap();
        assert_eq!((self_time.min, self_time.max, self_time.event), (4, 5, 9));
        let interarrival = one.interarrival.as_ref().unwrap();
        assert_eq!((interarrival.count, interarrival.max), (1, 18));
        assert_eq!(interarrival.event, 20);
        assert_eq!(one.percent, Some(30.0));
        assert_eq!(two.interarrival, None);
    }

    #[test]
    fn durations_count_in_the_window_of_their_end() {
        let scope = window(4, 20);
        let rows = isr(&fixture().view(&scope));
        let [one, two] = &rows[..] else { panic!() };
        assert_eq!((one.activations, one.total), (1, 4));
        assert_eq!(one.duration.as_ref().unwrap().max, 7);
        assert_eq!(one.interarrival.as_ref().unwrap().count, 1);
        assert_eq!((two.activations, two.total), (0, 1));
        assert_eq!(two.duration.as_ref().unwrap().max, 2);
    }

    #[test]
    fn gaps_interrupt_measurements() {
        let mut fixture = fixture();
        fixture.trace.gaps.push(Gap {
            next_event: EventIndex(20),
            missing: None,
            core: None,
            is_restart: false,
        });
        let rows = isr(&fixture.view(&Scope::default()));
        assert_eq!(rows[0].interarrival, None);
    }

    #[test]
    fn self_times_of_complete_isrs_add_up() {
        let cortex = Fixture::open("cm3_short.trx");
        let rows = isr(&cortex.view(&Scope::default()));
        for row in rows.iter().filter(|row| row.number.is_some()) {
            let self_time = row.self_duration.as_ref().unwrap();
            assert_eq!((self_time.count, row.unfinished), (row.activations, 0));
            let sum = self_time.mean * self_time.count as f64;
            assert!((sum - row.total as f64).abs() < 1.0, "{row:?}");
        }
    }
}
