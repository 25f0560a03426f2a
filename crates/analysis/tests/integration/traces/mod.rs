//! All reports of recorded traces, whole, in part and damaged: nothing panics,
//! and the sums agree to the tick.

mod gaps;

use rtoscope_analysis::report::{ReportDocument, ReportKind, ReportOptions, performance};
use rtoscope_analysis::schedule::{CoreSlices, LockEnding, RunningContext};
use rtoscope_analysis::{
    AnalysisBuilder, AnalyzedRecording, RecordingInfo, Schedule, ScheduleBuilder, Scope,
};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::catalogue::{NetxDialect, statistics};
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_fixtures::{
    read_testdata, recordings_and_shared, recordings_in, shared_traces, testdata,
};
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::events::ArgumentColumn;
use rtoscope_trace::{Contexts, Event, EventIndex, Gap, Interpret, Ticks, Trace};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// A buffer and its name.
struct TraceFile {
    name: String,
    bytes: Vec<u8>,
}

/// All available traces, each once.
fn files() -> Vec<TraceFile> {
    let mut files: Vec<TraceFile> = Vec::new();
    let own = ["threadx", "threadx-services"].map(recordings_and_shared);
    let samples = recordings_in(&shared_traces("tracex-samples"));
    for path in own.into_iter().flatten().chain(samples) {
        let file = TraceFile {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            bytes: fs::read(&path).unwrap(),
        };
        if files.iter().all(|known| known.bytes != file.bytes) {
            files.push(file);
        }
    }
    files.sort_by(|one, other| one.name.cmp(&other.name));
    assert!(files.len() >= 25, "{} traces", files.len());
    files
}

fn file(name: &str) -> TraceFile {
    let bytes = read_testdata(&format!("threadx/{name}.trx"));
    let name = name.to_owned();
    TraceFile { name, bytes }
}

impl TraceFile {
    fn trace(&self) -> Trace {
        decode(&self.bytes).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }
}

fn decode(bytes: &[u8]) -> Result<Trace, rtoscope_decode::DecodeError> {
    let opened = open(Input::new(bytes), BufferChoice::First)?;
    Ok(opened.decode(&threadx::ThreadXOptions::default())?.trace)
}

fn schedule(trace: &Trace) -> Schedule {
    Schedule::from_trace(trace, &mut threadx::ThreadXInterpreter::new(trace))
}

fn analyze(trace: &Trace) -> AnalyzedRecording {
    let mut interpreter = threadx::ThreadXInterpreter::new(trace);
    let mut builder = AnalysisBuilder::new(trace);
    builder.push(trace, &mut interpreter, trace.events.len());
    let info = RecordingInfo {
        statistics: statistics(NetxDialect::default()),
        ..RecordingInfo::default()
    };
    let analysis = builder.finish(trace);
    AnalyzedRecording::from_analysis(info, trace.clone(), analysis)
}

fn reports(
    name: &str,
    recording: &AnalyzedRecording,
    scope: &Scope,
    options: &ReportOptions,
) -> ReportDocument {
    let stats = recording.scope_stats(scope.clone());
    ReportDocument::new(name, &recording.view_of(&stats), options)
}

/// Builds all reports, checks their sums, and that they serialise.
fn check(name: &str, recording: &AnalyzedRecording, scope: &Scope) -> ReportDocument {
    let document = reports(name, recording, scope, &ReportOptions::default());
    let what = format!("{name}, {scope:?}");
    check_sums(&document, scope, &what);
    check_numbers(&document, &what);
    document
}

fn check_sums(document: &ReportDocument, scope: &Scope, what: &str) {
    check_profile(document, scope, what);
    let span = document.span;
    for thread in document.threads.as_ref().unwrap() {
        let states = &thread.states;
        let waiting: u64 = states.waiting.values().sum();
        let sum = {
            let ready = states.ready.unwrap_or_default();
            states.running + states.interrupted + ready + waiting + states.unknown
        };
        // A deleted thread has no state.
        let is_complete = sum == span || sum < span && thread.deleted;
        assert!(is_complete, "states of {} in {what}", thread.name);
    }
    let services = document.services.as_ref().unwrap();
    let counted: u64 = services.iter().map(|service| service.count).sum();
    assert_eq!(counted, document.events, "services of {what}");

    let performance = document.performance.as_ref().unwrap();
    let threads = document.threads.as_ref().unwrap();
    let of_threads = |figure: fn(&rtoscope_analysis::report::threads::ThreadRow) -> u64| -> u64 {
        threads.iter().map(figure).sum()
    };
    assert_eq!(
        of_threads(|it| it.dispatches),
        performance.dispatches,
        "{what}"
    );
    assert_eq!(
        of_threads(|it| it.suspensions.unwrap()),
        performance.suspensions,
        "{what}"
    );
    assert_eq!(
        of_threads(|it| it.resumptions.unwrap()),
        performance.resumptions,
        "{what}"
    );
    let inversions = document.inversions.as_ref().unwrap();
    assert_eq!(
        inversions.len() as u64,
        performance.inversions.unwrap().total,
        "{what}"
    );
    let isr = document.isr.as_ref().unwrap();
    let activations: u64 = isr.iter().map(|row| row.activations).sum();
    assert_eq!(activations, performance.interrupts, "{what}");
}

/// The quality of the clock.
fn quality(document: &ReportDocument) -> ClockQuality {
    ClockQuality::from_name(&document.clock_quality).unwrap()
}

fn check_profile(document: &ReportDocument, scope: &Scope, what: &str) {
    let (span, cores) = (document.span, document.cores as u64);
    let profile = document.profile.as_ref().unwrap();
    let sum: u64 = profile.iter().map(|row| row.duration).sum();
    if scope.threads.is_none() {
        assert_eq!(sum, span * cores, "profile of {what}");
    } else {
        assert!(sum <= span * cores, "profile of {what}");
    }
    for row in profile {
        let expected = row.duration as f64 / (span * cores) as f64 * 100.0;
        match row.percent {
            Some(percent) => assert!((percent - expected).abs() < 0.001, "{row:?} of {what}"),
            None => assert!(
                span * cores == 0 || !quality(document).measures_shares(),
                "{row:?} of {what}"
            ),
        }
    }

    if !quality(document).measures_shares() {
        assert_eq!(document.load, None, "{what}");
        return;
    }
    // The load has all interrupts in one row.
    let key = |kind, address| (kind, address);
    let mut expected = BTreeMap::new();
    for row in profile.iter().filter(|row| row.duration > 0) {
        *expected.entry(key(row.kind, row.address)).or_insert(0) += row.duration;
    }
    let load = document.load.as_ref().unwrap();
    let mut found = BTreeMap::new();
    for row in &load.contexts {
        let sum: u64 = row.cpu_time.iter().sum();
        *found.entry(key(row.kind, row.address)).or_insert(0) += sum;
        assert_eq!(row.cpu_time.len(), load.start.len());
        assert_eq!(row.percent.len(), load.start.len());
    }
    if span > 0 {
        assert_eq!(found, expected, "load of {what}");
    }
    if !load.start.is_empty() {
        let events: u64 = load.events.iter().sum();
        assert_eq!(events, document.events, "events of the load of {what}");
    }
}

/// The key of a report in JSON.
fn json_key(kind: ReportKind) -> String {
    kind.name().replace('-', "_")
}

/// JSON has no infinite numbers and silently turns them into `null`, so the
/// test searches the output of `Debug` for them.
fn check_numbers(document: &ReportDocument, what: &str) {
    let json = serde_json::to_value(document).unwrap();
    assert_eq!(json["schema"], "rtoscope/report/1");
    for kind in ReportKind::ALL {
        let quality = quality(document);
        let is_known = match kind {
            ReportKind::Load => quality.measures_shares(),
            kind => quality.measures_time() || !kind.needs_time(),
        };
        let expected = is_of_threadx(*kind) && is_known;
        assert_eq!(
            json.get(json_key(*kind)).is_some(),
            expected,
            "{kind} of {what}"
        );
    }
    let text = format!("{document:?}");
    let mut rest = text.as_str();
    while let Some(start) = rest.find('"') {
        check_wording(&rest[..start], what);
        rest = &rest[start + 1..];
        let mut escaped = false;
        let end = rest.find(|letter| {
            let ends = letter == '"' && !escaped;
            escaped = letter == '\\' && !escaped;
            ends
        });
        rest = &rest[end.unwrap() + 1..];
    }
    check_wording(rest, what);
}

/// A ThreadX trace has no active objects, no explicit switches and no markers, and
/// declares nothing.
fn is_of_threadx(kind: ReportKind) -> bool {
    let is_other = matches!(
        kind,
        ReportKind::ContextSwitches
            | ReportKind::Markers
            | ReportKind::Hardware
            | ReportKind::Deadlines
            | ReportKind::Pipeline
            | ReportKind::Intervals
    );
    !kind.is_about_active_objects() && !is_other
}

fn check_wording(text: &str, what: &str) {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    let strange = words.find(|word| ["NaN", "inf"].contains(word));
    assert_eq!(strange, None, "a number of {what}: {text}");
}

/// A window of time.
fn window(from: u64, to: u64) -> Scope {
    Scope {
        start: Some(Ticks(from)),
        end: Some(Ticks(to)),
        ..Scope::default()
    }
}

/// An event of a trace.
fn event(trace: &Trace, index: usize) -> Event {
    trace.events.get(EventIndex(index as u32)).unwrap()
}

/// The whole trace, a third, windows without time or events, single cores and
/// threads.
fn scopes(trace: &Trace) -> Vec<Scope> {
    let span = trace.events.span().0;
    let middle = event(trace, trace.events.len() / 2).time.0;
    let mut scopes = vec![
        Scope::default(),
        window(0, 0),
        window(span, span),
        window(middle, middle),
        window(middle + 1, middle + 1),
        window(span + 10, span + 20),
    ];
    let third = |number: u64| span * number / 3;
    scopes.push(window(third(1), third(2)));
    let cores = trace.cores.iter().copied().take(2).chain([255]);
    scopes.extend(cores.map(|core| Scope {
        core: Some(core),
        ..window(third(1), third(3))
    }));
    let threads: Vec<_> = trace.contexts.threads().map(|thread| thread.id).collect();
    let sets = [&threads[..threads.len().min(1)], &threads[..0]];
    scopes.extend(sets.map(|set| Scope {
        threads: Some(set.iter().copied().collect()),
        ..Scope::default()
    }));
    scopes
}

#[test]
fn sums_hold_in_every_scope() {
    for file in files() {
        let trace = file.trace();
        let recording = analyze(&trace);
        for scope in scopes(&trace) {
            let document = check(&file.name, &recording, &scope);
            let span = document.end - document.start;
            assert_eq!(span, document.span);
            if scope.core == Some(255) {
                assert_eq!(document.cores, 0);
            }
        }
    }
}

/// Ticks by kind, address and ISR.
fn ticks(document: &ReportDocument) -> BTreeMap<(String, Option<String>), u64> {
    let mut ticks = BTreeMap::new();
    for row in document.profile.as_ref().unwrap() {
        let address = row.address.map(|address| format!("{address:?}"));
        let name = format!("{:?} {}", row.kind, row.context);
        *ticks.entry((name, address)).or_insert(0) += row.duration;
    }
    ticks.retain(|_, ticks| *ticks > 0);
    ticks
}

fn add(
    sums: &mut BTreeMap<(String, Option<String>), u64>,
    more: BTreeMap<(String, Option<String>), u64>,
) {
    for (key, ticks) in more {
        *sums.entry(key).or_insert(0) += ticks;
    }
}

#[test]
fn cores_and_windows_add_up() {
    let options = ReportOptions {
        kinds: BTreeSet::from([ReportKind::Profile]),
        ..ReportOptions::default()
    };
    for file in files() {
        let trace = file.trace();
        let recording = analyze(&trace);
        let span = trace.events.span().0;
        let of = |scope: Scope| ticks(&reports(&file.name, &recording, &scope, &options));
        let whole = of(Scope::default());
        let mut sums = BTreeMap::new();
        for core in &trace.cores {
            let core = Some(*core);
            add(
                &mut sums,
                of(Scope {
                    core,
                    ..Scope::default()
                }),
            );
        }
        assert_eq!(sums, whole, "cores of {}", file.name);
        let mut sums = BTreeMap::new();
        for part in 0..7 {
            add(
                &mut sums,
                of(window(span * part / 7, span * (part + 1) / 7)),
            );
        }
        assert_eq!(sums, whole, "parts of {}", file.name);
    }
}

#[test]
fn slices_cover_all_time() {
    for file in files() {
        let trace = file.trace();
        check_slices(&file.name, &trace, &schedule(&trace));
    }
}

fn check_slices(name: &str, trace: &Trace, schedule: &Schedule) {
    assert_eq!(schedule.span, trace.events.span(), "{name}");
    let numbers: Vec<_> = schedule.cores.iter().map(|slices| slices.core).collect();
    assert_eq!(numbers, trace.cores, "{name}");
    for slices in &schedule.cores {
        let mut covered = 0;
        let mut before = None;
        for (slice, end) in slices.iter() {
            assert_eq!(slice.start.0, covered, "{name}");
            assert!(slice.start < end, "an empty slice of {name} at {covered}");
            assert_ne!(before, Some(slice.running), "{name} at {covered}");
            assert!(slice.event.index() < trace.events.len(), "{name}");
            if let RunningContext::Thread(thread) = slice.running.running_context() {
                assert!(trace.contexts.get(thread).is_some(), "{name} at {covered}");
            }
            (covered, before) = (end.0, Some(slice.running));
        }
        assert_eq!(covered, schedule.span.0, "{name}");
    }
    for intervals in &schedule.threads {
        assert!(intervals.iter().is_sorted_by_key(|it| it.start), "{name}");
        if let Some(first) = intervals.get(0) {
            assert_eq!(first.start, Ticks(0), "{name}");
        }
    }
}

#[test]
fn batches_do_not_change_the_schedule() {
    let mut random = RandomNumbers(7);
    for file in files() {
        let mut trace = file.trace();
        for has_gaps in [false, true] {
            if has_gaps {
                let count = trace.events.len() as u32;
                let indices = [count / 5, count / 2, count / 2 + 1, count - 1];
                let indices = indices.into_iter().filter(|index| *index > 0);
                trace.gaps = indices.map(gap).collect();
                trace.gaps.dedup_by_key(|gap| gap.next_event);
            }
            let whole = schedule(&trace);
            for longest in [1, 10, 1000] {
                let mut interpreter = threadx::ThreadXInterpreter::new(&trace);
                let mut builder = ScheduleBuilder::new(&trace);
                let mut fed = 0;
                while fed < trace.events.len() {
                    fed += 1 + random.below(longest);
                    builder.push_events(&trace, &mut interpreter, fed);
                }
                let pieces = builder.finish(interpreter.resources(), interpreter.isr_functions());
                assert!(pieces == whole, "{} by {longest}", file.name);
            }
        }
    }
}

/// Reproducible pseudo-random numbers (Knuth's MMIX).
struct RandomNumbers(u64);

impl RandomNumbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = self.0.wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

#[test]
fn damaged_input_does_not_panic() {
    let mut random = RandomNumbers(2026);
    for name in [
        "linux32_inv_nondet",
        "linux32_isr",
        "linux32_exact",
        "be64_s390x_wrap",
        "smp32_cores",
        "cm3_midinsert",
        "linux32_names",
    ] {
        let TraceFile { name, bytes } = file(name);
        let header = {
            let opened = open(Input::new(bytes.as_slice()), BufferChoice::First).unwrap();
            opened.timeline[0].buffer.layout.header_bytes()
        };
        for round in 0..8 {
            let mut damaged = bytes.clone();
            for _ in 0..1 << random.below(10) {
                let at = header + random.below(bytes.len() - header);
                // Small changes preserve more of the structure.
                damaged[at] = match random.below(3) {
                    0 => random.next() as u8,
                    1 => damaged[at] ^ 1 << random.below(8),
                    _ => bytes[header + random.below(bytes.len() - header)],
                };
            }
            let what = format!("{name}, damage {round}");
            let mut trace = decode(&damaged).unwrap_or_else(|error| panic!("{what}: {error}"));
            if random.below(3) == 0 {
                let count = trace.events.len();
                let indices: BTreeSet<_> = (0..5).map(|_| 1 + random.below(count - 1)).collect();
                trace.gaps = indices.into_iter().map(|index| gap(index as u32)).collect();
            }
            check_slices(&what, &trace, &schedule(&trace));
            let span = trace.events.span().0;
            let third = random.below(3) as u64;
            let some = Scope {
                core: (third == 0).then(|| trace.cores[0]),
                ..window(span / 3 * third, (span / 3).saturating_mul(third + 1))
            };
            let recording = analyze(&trace);
            for scope in [Scope::default(), some] {
                check(&what, &recording, &scope);
            }
        }
    }
}

fn gap(before: u32) -> Gap {
    Gap {
        next_event: EventIndex(before),
        missing: None,
        core: None,
        is_restart: false,
    }
}

/// An aborted wait resumes a thread as if it were suspended: it does not get
/// the object.
#[test]
fn an_aborted_wait_keeps_its_wait_reason() {
    let mut trace = decode(&file("cm3_system").bytes).unwrap();
    let resumed = 436;
    let whole = schedule(&trace);
    const SUSPENDED: u32 = 3;
    trace.events.edit(|columns| match &mut columns.arguments {
        ArgumentColumn::Narrow(arguments) => arguments[resumed as usize][1] = SUSPENDED,
        ArgumentColumn::Wide(_) => panic!("arguments of 4 bytes"),
    });
    let aborted = schedule(&trace);
    let by_event = |schedule: &Schedule| {
        let mut all = schedule.inversions.iter();
        let found = all.find(|one| one.last == Some(EventIndex(resumed)));
        found.map(|one| (one.ending, (one.start, one.end, one.owners.clone())))
    };
    let (ending, whole) = by_event(&whole).unwrap();
    assert_eq!(ending, LockEnding::Done);
    assert_eq!(by_event(&aborted), Some((LockEnding::GaveUp, whole)));
}

/// The figures that TraceX shows for its own sample traces.
#[test]
fn published_figures_of_tracex_match() {
    let sample = |name: &str| {
        let path = shared_traces("tracex-samples").join(name);
        let bytes = fs::read(path).ok()?;
        Some(decode(&bytes).unwrap())
    };
    if let Some(trace) = sample("demo_threadx.trx") {
        let document = check("demo_threadx", &analyze(&trace), &Scope::default());
        let found = document.performance.unwrap();
        let expected = performance::Performance {
            context_switches: 18,
            suspensions: 16,
            resumptions: 19,
            interrupts: 3,
            ..found
        };
        assert_eq!(found, expected);
        let profile = document.profile.unwrap();
        for (name, percent) in [("thread 1", 50.9), ("thread 2", 45.3)] {
            let row = profile.iter().find(|row| row.context == name).unwrap();
            let found = row.percent.unwrap();
            assert!((found - percent).abs() <= 0.05, "{name}: {found} %");
        }
    }
    if let Some(trace) = sample("demo_filex.trx") {
        let document = check("demo_filex", &analyze(&trace), &Scope::default());
        let filex = document.filex.unwrap();
        for (name, value) in [
            ("media_opens", 19),
            ("media_closes", 19),
            ("media_flushes", 19),
            ("directory_reads", 18),
            ("directory_writes", 19),
            ("directory_cache_misses", 18),
        ] {
            let figure = filex.figures.iter().find(|it| it.name == name).unwrap();
            assert_eq!(figure.value, value, "{name}");
        }
    }
}
