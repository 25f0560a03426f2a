//! All reports in one document.

use super::communication::{self, Communication};
use super::components::{self, Component};
use super::findings::{self, Finding};
use super::health::{self, Health};
use super::latency::{self, Latency};
use super::load::{self, Load};
use super::performance::{self, Performance};
use super::states::{self, MachineStates};
use super::transitions::{self, Transitions};
use super::{
    DescribedTable, FrontEnd, ReportKind, TableRow, View, active, context_switches, cycles,
    deadlines, hardware, intervals, inversions, isr, locks, markers, objects, periods, pipeline,
    preemptions, profile, services, signals, stacks, threads, timers,
};
use rtoscope_trace::{ContextId, EventKindId, Frequency, Ticks, parallel};
use schemars::JsonSchema;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The selected reports and their options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReportOptions {
    /// The reports.
    pub kinds: BTreeSet<ReportKind>,
    /// Limits `services` to this context.
    pub context: Option<ContextId>,
    /// Number of windows in `load`.
    pub load_windows: usize,
    /// The kinds of events that `periods` includes.
    pub period_events: Vec<EventKindId>,
    /// What the cycles of `cycles` begin with; `None` for the best.
    pub anchor: Option<cycles::CycleAnchor>,
    /// Whether the findings are wanted, too.
    pub findings: bool,
}

impl Default for ReportOptions {
    /// All reports of all contexts.
    fn default() -> Self {
        Self {
            kinds: ReportKind::ALL.iter().copied().collect(),
            context: None,
            load_windows: load::DEFAULT_WINDOWS,
            period_events: Vec::new(),
            anchor: None,
            findings: true,
        }
    }
}

/// The machine-readable contract `rtoscope/report/1`: the scope, the findings,
/// and the selected reports; the others are absent.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct ReportDocument {
    /// `rtoscope/report/1`.
    pub schema: &'static str,
    /// The name of the recording.
    pub source: String,
    /// Events of the scope.
    pub events: u64,
    /// Ticks of the scope.
    pub span: u64,
    /// The same in nanoseconds, if the clock's frequency is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span_ns: Option<u64>,
    /// Cores of the scope that recorded events.
    pub cores: usize,
    /// The scope's first tick.
    pub start: u64,
    /// The scope's last tick.
    pub end: u64,
    /// Frequency of the clock, if known and if the clock measures time.
    pub frequency_hz: Option<u64>,
    /// `good`, `static`, `event-counter`, `lossy`, `uneven` or `unknown`: ticks of a
    /// `static` or `event-counter` clock are no durations, and reports about time are
    /// skipped. Shares of time are null for these, and for a `lossy` or `uneven` clock.
    pub clock_quality: String,
    /// The findings, the most severe first.
    pub findings: Vec<Finding>,
    /// See [`profile`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub profile: Option<Vec<profile::ProfileRow>>,
    /// See [`performance`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub performance: Option<Performance>,
    /// See [`threads`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<Vec<threads::ThreadRow>>,
    /// See [`stacks`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stacks: Option<Vec<stacks::StackRow>>,
    /// See [`services`]; of the selected context, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub services: Option<Vec<services::ServiceRow>>,
    /// See [`inversions`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inversions: Option<Vec<inversions::InversionRow>>,
    /// See [`preemptions`](mod@preemptions).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preemptions: Option<Vec<preemptions::PreemptionRow>>,
    /// See [`latency`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub latency: Option<Latency>,
    /// See [`periods`](mod@periods).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<Vec<periods::PeriodRow>>,
    /// See [`cycles`](mod@cycles).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycles: Option<cycles::Cycles>,
    /// See [`deadlines`]. Skipped without declared deadlines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadlines: Option<Vec<deadlines::DeadlineRow>>,
    /// See [`pipeline`]. Skipped without declared pipelines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pipeline: Option<Vec<pipeline::PipelineRow>>,
    /// See [`intervals`]. Skipped without declared intervals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Vec<intervals::IntervalRow>>,
    /// See [`isr`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub isr: Option<Vec<isr::IsrRow>>,
    /// See [`locks`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub locks: Option<Vec<locks::LockRow>>,
    /// See [`objects`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub objects: Option<Vec<objects::ObjectRow>>,
    /// See [`communication`](mod@communication).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub communication: Option<Communication>,
    /// See [`load`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<Load>,
    /// See [`context_switches`]. Skipped for other traces than context-switch
    /// logs, as most of the others are for these: [`ReportKind::applies_to`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context_switches: Option<context_switches::ContextSwitches>,
    /// See [`markers`]. Skipped for a trace without points of interest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub markers: Option<Vec<markers::MarkerRow>>,
    /// See [`hardware`]. Skipped without declarations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hardware: Option<hardware::HardwareReport>,
    /// See [`active`]. Skipped for a trace without active objects, like the
    /// next four.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub active: Option<Vec<active::ActiveObjectRow>>,
    /// See [`signals`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signals: Option<Vec<signals::SignalRow>>,
    /// See [`states`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<Vec<MachineStates>>,
    /// See [`transitions`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub transitions: Option<Transitions>,
    /// See [`timers`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timers: Option<Vec<timers::TimerRow>>,
    /// The statistics of the file system, see [`components`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filex: Option<Component>,
    /// The statistics of the network stack, see [`components`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub netx: Option<Component>,
    /// The statistics of the USB stack, see [`components`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub usbx: Option<Component>,
    /// See [`health`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
    /// The selected reports that do not apply to the trace.
    #[serde(skip)]
    pub skipped: Vec<ReportKind>,
}

/// What several reports contain; empty if none of them is selected.
struct SharedFigures {
    /// The counts of each context.
    counts: Vec<performance::ContextCounts>,
    runs: periods::RunLengths,
}

impl SharedFigures {
    fn new(kinds: &BTreeSet<ReportKind>, view: &View<'_>) -> Self {
        let selects = |some: &[ReportKind]| some.iter().any(|kind| kinds.contains(kind));
        let has_counts = selects(&[ReportKind::Performance, ReportKind::Threads]);
        let has_runs = selects(&[ReportKind::Threads, ReportKind::Periods]);
        let (counts, runs) = parallel::join(
            || has_counts.then(|| performance::by_thread(view)),
            || has_runs.then(|| periods::run_lengths(view)),
        );
        Self {
            counts: counts.unwrap_or_default(),
            runs: runs.unwrap_or_default(),
        }
    }
}

/// Adds what was built to a document.
type AddPart = Box<dyn FnOnce(&mut ReportDocument) + Send>;

impl ReportDocument {
    /// Builds the selected reports, in parallel.
    pub fn new(source: &str, view: &View<'_>, options: &ReportOptions) -> Self {
        let all = options.kinds.iter().copied();
        let (applying, skipped): (BTreeSet<_>, BTreeSet<_>) =
            all.partition(|kind| kind.applies_to(view));
        let window = view.window();
        let mut document = Self {
            schema: "rtoscope/report/1",
            source: source.to_owned(),
            events: view.event_counts.events,
            span: view.span().0,
            span_ns: view.nanoseconds(view.span()),
            cores: view.cores(),
            start: window.start,
            end: window.end,
            frequency_hz: view.trace.clock.frequency().map(Frequency::hertz),
            clock_quality: view.trace.clock.quality.to_string(),
            skipped: skipped.into_iter().collect(),
            ..Self::default()
        };
        let figures = SharedFigures::new(&applying, view);
        // `None` is the part that takes longest: it is started first.
        let others = applying.iter().map(|kind| Some(*kind));
        let parts = std::iter::once(None).chain(others).collect();
        let parts = parallel::map(parts, |kind| match kind {
            Some(kind) => Self::part(kind, &applying, &figures, view, options),
            None => Self::activations(&applying, &figures, view, options),
        });
        for add in parts {
            add(&mut document);
        }
        document
    }

    /// Builds the reports on activations, and the findings.
    fn activations(
        kinds: &BTreeSet<ReportKind>,
        figures: &SharedFigures,
        view: &View<'_>,
        options: &ReportOptions,
    ) -> AddPart {
        let [has_periods, has_cycles] =
            [ReportKind::Periods, ReportKind::Cycles].map(|kind| kinds.contains(&kind));
        let finds_cycles = options.findings && ReportKind::Cycles.applies_to(view);
        let streams = match () {
            () if has_periods => periods::activation_streams(view, &options.period_events),
            () if has_cycles || finds_cycles => periods::thread_and_isr_streams(view),
            () => Vec::new(),
        };
        let with_best_anchor = has_cycles && options.anchor.is_none();
        let best =
            (finds_cycles || with_best_anchor).then(|| cycles::cycles_of(view, None, &streams));
        let findings = options.findings;
        let findings = findings.then(|| findings::with_cycles(view, best.as_ref()));
        let cycles = match options.anchor {
            None => best,
            anchor => Some(cycles::cycles_of(view, anchor, &streams)),
        };
        let cycles = cycles.filter(|_| has_cycles);
        let periods = has_periods.then(|| periods::rows(view, streams, &figures.runs));
        Box::new(|document| {
            document.findings = findings.unwrap_or_default();
            document.cycles = cycles;
            document.periods = periods;
        })
    }

    /// Builds one of the other reports; the statistics of all components with the first.
    fn part(
        kind: ReportKind,
        kinds: &BTreeSet<ReportKind>,
        figures: &SharedFigures,
        view: &View<'_>,
        options: &ReportOptions,
    ) -> AddPart {
        fn part<T: Send + 'static>(
            report: T,
            place: fn(&mut ReportDocument) -> &mut Option<T>,
        ) -> AddPart {
            Box::new(move |document| *place(document) = Some(report))
        }
        match kind {
            ReportKind::Profile => part(profile::profile(view), |it| &mut it.profile),
            ReportKind::Performance => {
                let performance = performance::total(view, &figures.counts);
                part(performance, |it| &mut it.performance)
            }
            ReportKind::Threads => {
                let threads = threads::rows(view, &figures.counts, &figures.runs);
                part(threads, |it| &mut it.threads)
            }
            ReportKind::Stacks => part(stacks::stacks(view), |it| &mut it.stacks),
            ReportKind::Services => {
                let services = match options.context {
                    Some(context) => services::services_of(view, context),
                    None => services::services(view),
                };
                part(services, |it| &mut it.services)
            }
            ReportKind::Inversions => part(inversions::inversions(view), |it| &mut it.inversions),
            ReportKind::Preemptions => {
                part(preemptions::preemptions(view), |it| &mut it.preemptions)
            }
            ReportKind::Latency => part(latency::latency(view), |it| &mut it.latency),
            ReportKind::Periods | ReportKind::Cycles => Box::new(|_| {}),
            ReportKind::Deadlines => part(deadlines::deadlines(view), |it| &mut it.deadlines),
            ReportKind::Pipeline => part(pipeline::pipelines(view), |it| &mut it.pipeline),
            ReportKind::Intervals => part(intervals::intervals(view), |it| &mut it.intervals),
            ReportKind::Isr => part(isr::isr(view), |it| &mut it.isr),
            ReportKind::Locks => part(locks::locks(view), |it| &mut it.locks),
            ReportKind::Objects => part(objects::objects(view), |it| &mut it.objects),
            ReportKind::Communication => {
                let communication = communication::communication(view);
                part(communication, |it| &mut it.communication)
            }
            ReportKind::Load => part(load::load(view, options.load_windows), |it| &mut it.load),
            ReportKind::ContextSwitches => {
                let switches = context_switches::context_switches(view);
                part(switches, |it| &mut it.context_switches)
            }
            ReportKind::Markers => part(markers::markers(view), |it| &mut it.markers),
            ReportKind::Hardware => part(hardware::hardware(view), |it| &mut it.hardware),
            ReportKind::Active => part(active::active(view), |it| &mut it.active),
            ReportKind::Signals => part(signals::signals(view), |it| &mut it.signals),
            ReportKind::States => part(states::states(view), |it| &mut it.states),
            ReportKind::Transitions => {
                part(transitions::transitions(view), |it| &mut it.transitions)
            }
            ReportKind::Timers => part(timers::timers(view), |it| &mut it.timers),
            ReportKind::Filex | ReportKind::Netx | ReportKind::Usbx => {
                let mut components = kinds.iter().filter(|kind| kind.is_about_component());
                if components.next() != Some(&kind) {
                    return Box::new(|_| {});
                }
                let found = components::components(view);
                let component = |kind| {
                    let kind = kinds.get(&kind)?;
                    found.get(kind.name()).cloned()
                };
                let [filex, netx, usbx] =
                    [ReportKind::Filex, ReportKind::Netx, ReportKind::Usbx].map(component);
                Box::new(|document| {
                    document.filex = filex;
                    document.netx = netx;
                    document.usbx = usbx;
                })
            }
            ReportKind::Health => part(health::health(view), |it| &mut it.health),
        }
    }

    /// The tables of a report, as a front end shows them; none if the document does not have
    /// the report.
    pub fn tables(&self, kind: ReportKind, front_end: FrontEnd) -> Vec<DescribedTable<'_>> {
        let mut tables = Tables {
            front_end,
            is_catalogue: false,
            all: Vec::new(),
        };
        self.add_tables(kind, &mut tables);
        tables.all
    }

    /// Every table that a report can have, without rows, with all columns. The path of a
    /// table of rows that belong to a row of another one has `*` for its number. The figures
    /// of a component are known only from a document.
    pub fn all_tables(kind: ReportKind) -> Vec<DescribedTable<'static>> {
        static EMPTY: LazyLock<ReportDocument> = LazyLock::new(ReportDocument::default);
        let mut tables = Tables {
            front_end: FrontEnd::Data,
            is_catalogue: true,
            all: Vec::new(),
        };
        EMPTY.add_tables(kind, &mut tables);
        tables.all
    }

    fn add_tables<'r>(&'r self, kind: ReportKind, tables: &mut Tables<'r>) {
        match kind {
            ReportKind::Profile => tables.rows(self.profile.as_deref()),
            ReportKind::Performance => tables.figures(self.performance.as_ref()),
            ReportKind::Threads => tables.rows(self.threads.as_deref()),
            ReportKind::Stacks => tables.rows(self.stacks.as_deref()),
            ReportKind::Services => tables.rows(self.services.as_deref()),
            ReportKind::Inversions => tables.rows(self.inversions.as_deref()),
            ReportKind::Preemptions => tables.rows(self.preemptions.as_deref()),
            ReportKind::Latency => {
                let found = self.latency.as_ref();
                let threads = found.map(|found| &found.threads[..]);
                tables.rows(threads);
                let reason = found.and_then(|found| found.not_recorded);
                if let (Some(reason), Some(table)) = (reason, tables.all.last_mut()) {
                    table.empty = reason;
                }
                tables.rows(found.map(|found| &found.blocking[..]));
                tables.figures(found.filter(|found| {
                    found.isr_to_thread.is_some() || found.max_interrupt_burst.is_some()
                }));
                let renamed = Some(("latency.threads.*.waited", "Waits"));
                let name = |thread: &'r latency::ThreadLatency| (&*thread.name).into();
                tables.rows_of(threads, renamed, name, |thread| &thread.waited);
            }
            ReportKind::Periods => tables.rows(self.periods.as_deref()),
            ReportKind::Cycles => {
                let found = self.cycles.as_ref();
                if found.is_some_and(|found| found.anchor.is_none()) {
                    tables.rows::<cycles::Cycles>(Some(&[]));
                } else {
                    let outliers = found.map(|found| &found.outliers[..]);
                    tables.figures(found);
                    tables.rows(outliers);
                    let name = |row: &cycles::CycleRow| format!("cycle {}", row.cycle).into();
                    tables.rows_of(outliers, None, name, |row| &row.contexts);
                }
            }
            ReportKind::Deadlines => {
                let rows = self.deadlines.as_deref();
                tables.rows(rows);
                tables.rows_of(rows, None, |row| (&*row.name).into(), |row| &row.misses);
            }
            ReportKind::Pipeline => {
                let rows = self.pipeline.as_deref();
                tables.rows(rows);
                tables.rows_of(rows, None, |row| (&*row.name).into(), |row| &row.stages);
                tables.rows_of(rows, None, |row| (&*row.name).into(), |row| &row.misses);
                tables.group_by_row();
            }
            ReportKind::Intervals => {
                let rows = self.intervals.as_deref();
                tables.rows(rows);
                tables.rows_of(rows, None, |row| (&*row.name).into(), |row| &row.longest);
            }
            ReportKind::Isr => tables.rows(self.isr.as_deref()),
            ReportKind::Locks => tables.rows(self.locks.as_deref()),
            ReportKind::Objects => tables.rows(self.objects.as_deref()),
            ReportKind::Communication => {
                let found = self.communication.as_ref();
                tables.rows(found.map(|found| &found.uses[..]));
                tables.rows(found.map(|found| &found.flows[..]));
            }
            ReportKind::Load => tables.rows(self.load.as_ref().map(|load| &load.contexts[..])),
            ReportKind::ContextSwitches => {
                let found = self.context_switches.as_ref();
                tables.figures(found);
                tables.rows(found.map(|found| &found.threads[..]));
                tables.rows(found.map(|found| &found.handlers[..]));
                let off = found.and_then(|found| found.interrupts_off.as_ref());
                tables.rows(off.map(|off| &off.longest[..]));
            }
            ReportKind::Markers => tables.rows(self.markers.as_deref()),
            ReportKind::Hardware => {
                let found = self.hardware.as_ref();
                tables.rows(found.map(|found| &found.units[..]));
                tables.rows(found.map(|found| &found.slots[..]));
            }
            ReportKind::Active => tables.rows(self.active.as_deref()),
            ReportKind::Signals => tables.rows(self.signals.as_deref()),
            ReportKind::States => {
                let machines = self.states.as_deref();
                let name = |machine: &'r MachineStates| (&*machine.object).into();
                tables.rows(machines);
                tables.rows_of(machines, None, name, |machine| &machine.states);
                let renamed = Some(("states.*.active", "Active states"));
                tables.rows_of(machines, renamed, name, |machine| {
                    match machine.has_composite_states() {
                        true => &machine.active,
                        false => &[],
                    }
                });
                tables.group_by_row();
            }
            ReportKind::Transitions => {
                let found = self.transitions.as_ref();
                tables.rows(found.map(|found| &found.taken[..]));
                tables.rows(found.map(|found| &found.states_never_entered[..]));
                tables.rows(found.map(|found| &found.signals_never_received[..]));
            }
            ReportKind::Timers => {
                let rows = self.timers.as_deref();
                tables.rows(rows);
                tables.rows_of(
                    rows,
                    None,
                    |row| (&*row.name).into(),
                    |row| row.nominal.as_slice(),
                );
            }
            ReportKind::Filex => tables.component(kind, self.filex.as_ref()),
            ReportKind::Netx => tables.component(kind, self.netx.as_ref()),
            ReportKind::Usbx => tables.component(kind, self.usbx.as_ref()),
            ReportKind::Health => {
                let found = self.health.as_ref();
                tables.figures(found);
                tables.figures(found.and_then(|found| found.active.as_ref()));
                tables.rows(found.map(|found| &found.diagnostics[..]));
                tables.rows(found.map(|found| &found.gaps[..]));
            }
        }
    }

    /// Ticks of the scope.
    pub fn span(&self) -> Ticks {
        Ticks(self.span)
    }
}

/// The tables of a report.
struct Tables<'r> {
    front_end: FrontEnd,
    /// Whether tables without rows are wanted, too.
    is_catalogue: bool,
    all: Vec<DescribedTable<'r>>,
}

impl<'r> Tables<'r> {
    /// Adds the table of rows.
    fn rows<R: TableRow>(&mut self, rows: Option<&'r [R]>) {
        let rows = rows.or(self.is_catalogue.then_some(&[]));
        let table = rows.map(|rows| DescribedTable::new(rows, self.front_end));
        self.all.extend(table);
    }

    /// Adds the figures of a report with one row.
    fn figures<R: TableRow>(&mut self, row: Option<&'r R>) {
        match row {
            Some(row) => self.all.push(DescribedTable::figures(row, self.front_end)),
            None if self.is_catalogue => self.rows::<R>(None),
            None => {}
        }
    }

    /// Adds the tables of the rows that belong to the rows of another table, where there are
    /// any, with another path and title if given.
    fn rows_of<P, R: TableRow>(
        &mut self,
        parents: Option<&'r [P]>,
        renamed: Option<(&'static str, &'static str)>,
        name: impl Fn(&'r P) -> Cow<'r, str>,
        rows: impl Fn(&'r P) -> &'r [R],
    ) {
        let front_end = self.front_end;
        let table = |rows: &'r [R]| {
            let table = DescribedTable::new(rows, front_end);
            match renamed {
                Some((path, title)) => DescribedTable {
                    path: path.into(),
                    title,
                    ..table
                },
                None => table,
            }
        };
        for (parent, index) in parents.into_iter().flatten().zip(0..) {
            let rows = rows(parent);
            if !rows.is_empty() {
                self.all.push(table(rows).of(index, name(parent)));
            }
        }
        if self.is_catalogue {
            self.all.push(table(&[]));
        }
    }

    /// Puts the tables that belong to the same row one after the other.
    fn group_by_row(&mut self) {
        let number = |path: &str| path.split('.').find_map(|part| part.parse::<usize>().ok());
        self.all.sort_by_key(|table| number(&table.path));
    }

    /// Adds the figures of a component.
    fn component(&mut self, kind: ReportKind, component: Option<&'r Component>) {
        let table = component.map(|component| DescribedTable::component(kind, component));
        self.all.extend(table);
    }
}
