//! Context-switch logs of simulated kernels with a known ground truth: recorded
//! by the recorder, decoded, and reported.

use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::report::context_switches::{ContextSwitches, context_switches};
use rtoscope_analysis::report::markers::{MarkerRow, markers};
use rtoscope_analysis::report::periods::{ActivationSource, activation_streams};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, DecodedRecording, UnpackedInput};
use rtoscope_generate::cswitch::{
    CswitchOptions, CswitchTruth, LogBuffer, OutputForm, write_with_truth,
};
use rtoscope_trace::DiagnosticKind;
use rtoscope_wire::cswitch::{EntryKind, PREVIOUSLY_DISABLED};
use std::collections::BTreeMap;

const SYNC_RESUME: u32 = EntryKind::SyncResume as u32;
const ASYNC_RESUME: u32 = EntryKind::AsyncResume as u32;

struct GeneratedCase {
    recording: DecodedRecording,
    report: ContextSwitches,
    markers: Vec<MarkerRow>,
    analyzed: AnalyzedRecording,
    truth: CswitchTruth,
}

fn generate(settings: &CswitchOptions) -> (Vec<u8>, CswitchTruth) {
    let mut bytes = Vec::new();
    let (summary, truth) = write_with_truth(settings, &mut bytes, &mut |_| ()).unwrap();
    assert_eq!(summary.bytes, bytes.len() as u64);
    assert_eq!(summary.entries, truth.entries);
    (bytes, truth)
}

fn case(settings: &CswitchOptions) -> GeneratedCase {
    let (bytes, truth) = generate(settings);
    let format = Some(rtoscope_decode::cswitch::FORMAT);
    let content = UnpackedInput::open(Input::new(&bytes), BufferChoice::First, format).unwrap();
    let recording = content.decode(&DecodeOptions::default()).unwrap();
    let DecodedRecording { trace, format_info } = recording.clone();
    let analyzed = AnalyzedRecording::new("generated", "generated", trace, &format_info);
    let found = context_switches(&analyzed.view());
    GeneratedCase {
        recording,
        report: found,
        markers: markers(&analyzed.view()),
        analyzed,
        truth,
    }
}

/// The number of an entry type by its name in the ground truth.
fn number(name: &str) -> u32 {
    let (plain, flag) = match name.strip_suffix("+PREVIOUSLY_DISABLED") {
        Some(plain) => (plain, PREVIOUSLY_DISABLED),
        None => (name, 0),
    };
    let kind = EntryKind::ALL.iter().find(|kind| kind.name() == plain);
    *kind.unwrap() as u32 | flag
}

impl GeneratedCase {
    fn check_entries(&self) {
        self.check_markers();
        let trace = &self.recording.trace;
        assert_eq!(trace.events.len() as u64, self.truth.entries);
        assert_eq!(trace.events.span().0, self.truth.span_ticks);
        let mut found: BTreeMap<u32, u64> = BTreeMap::new();
        for kind in trace.events.kinds() {
            *found.entry(kind.0).or_default() += 1;
        }
        let truth = self.truth.kinds.iter();
        let truth: BTreeMap<u32, u64> = truth.map(|(name, count)| (number(name), *count)).collect();
        assert_eq!(found, truth);
    }

    fn check_logs(&self) {
        let origin = self
            .recording
            .format_info
            .get::<rtoscope_decode::cswitch::LogInfo>()
            .unwrap();
        let cores = origin.cores.iter();
        let found = cores.map(|core| (core.core, core.entries, core.lost_entries, core.idle_ticks));
        let truth = self.truth.logs.iter();
        let truth = truth.map(|log| (log.core, log.entries, Some(log.lost), Some(log.idle_ticks)));
        assert_eq!(found.collect::<Vec<_>>(), truth.collect::<Vec<_>>());
        let wrapped = origin
            .cores
            .iter()
            .map(|core| core.overwritten.is_certain());
        let overwritten = self.truth.logs.iter().map(|log| log.overwritten > 0);
        assert!(wrapped.eq(overwritten));
        assert!(origin.names.len() <= self.truth.threads.len() + 3);
    }

    /// Nothing is unknown if the log shows that interrupts record their
    /// returns: otherwise a thread may continue directly after a handler.
    fn check_figures(&self) {
        let (found, truth) = (&self.report, &self.truth);
        if !truth.kinds.contains_key("ISR_RETURN") {
            return;
        }
        assert_eq!(found.idle.share.total, truth.idle.ticks);
        assert_eq!(found.idle.periods, truth.idle.periods);
        assert_eq!(found.kernel.total, truth.kernel_ticks);
        assert_eq!(found.dispatches, truth.dispatches);
        assert_eq!(found.context_switches, truth.context_switches);
        let unknown = found.unknown.total;
        let cores = u64::from(truth.cores);
        // Cores start one after another, within one event.
        assert!(unknown <= 4 * cores, "{unknown}");

        let threads = found.threads.iter();
        let mut found_threads: Vec<_> = threads
            .map(|it| {
                (
                    it.name.clone(),
                    it.address.0.0,
                    it.dispatches,
                    it.share.total,
                )
            })
            .collect();
        found_threads.sort();
        let threads = truth
            .threads
            .iter()
            .filter(|it| it.cpu_ticks > 0 || it.dispatches > 0);
        let mut true_threads: Vec<_> = threads
            .map(|it| (it.name.clone(), it.address.0, it.dispatches, it.cpu_ticks))
            .collect();
        true_threads.sort();
        assert_eq!(found_threads, true_threads);

        let handlers = found.handlers.iter();
        let mut found_handlers: Vec<_> = handlers
            .map(|it| {
                let address = it.address.unwrap().0.0;
                let longest = it.max.unwrap_or_default();
                (
                    address,
                    it.name.clone(),
                    it.activations,
                    it.nested,
                    it.share.total,
                    longest,
                )
            })
            .collect();
        found_handlers.sort();
        let handlers = truth.handlers.iter();
        let true_handlers: Vec<_> = handlers
            .map(|it| {
                let name = it.name.clone();
                (
                    it.address.0,
                    name,
                    it.activations,
                    it.nested,
                    it.self_ticks,
                    it.max_ticks,
                )
            })
            .collect();
        assert_eq!(found_handlers, true_handlers);
        self.check_masks();
    }

    /// Each dispatch is an activation, and ends the period of the one before it, unless the
    /// thread continues where it was preempted.
    fn check_periods(&self) {
        let streams = activation_streams(&self.analyzed.view(), &[]);
        for thread in &self.truth.threads {
            let stream = streams.iter().find(|stream| {
                let ActivationSource::Thread(id) = stream.source else {
                    return false;
                };
                let context = self.analyzed.trace.contexts.get(id);
                context.is_some_and(|it| it.address.0 == thread.address.0)
            });
            let activations = stream.into_iter().flat_map(|it| &it.activations);
            let activations: Vec<_> = activations.collect();
            let mut starts: Vec<_> = activations.iter().map(|it| it.start.0).collect();
            starts.sort_unstable();
            let mut expected = thread.dispatched_at.clone();
            expected.sort_unstable();
            let events = self.analyzed.trace.events.iter();
            let resumes = events.filter(|it| {
                let context = self.analyzed.trace.contexts.get(it.context);
                let is_resume = [SYNC_RESUME, ASYNC_RESUME].contains(&it.kind.0);
                is_resume && context.is_some_and(|it| it.address.0 == thread.address.0)
            });
            let continued = resumes.skip(1).filter(|it| it.kind.0 == ASYNC_RESUME);
            let continued: Vec<_> = continued.map(|it| it.time.0).collect();
            expected.retain(|start| !continued.contains(start));
            assert_eq!(starts, expected, "{}", thread.name);
            for (pair, index) in activations.windows(2).zip(1..) {
                let period = pair[1].start.0.checked_sub(pair[0].start.0);
                let found = activations[index].period.map(|it| it.0);
                assert_eq!(found, period, "{}", thread.name);
            }
        }
    }

    /// Ring buffers lose begins, but no pair is wrong.
    fn check_markers(&self) {
        let truth = &self.truth.markers;
        let find = |name| self.markers.iter().find(|row| row.name == name);
        let job = find("job");
        let duration = job.and_then(|row| row.duration.as_ref());
        assert_eq!(duration.map_or(0, |it| it.count), truth.spans);
        assert_eq!(duration.map_or(0, |it| it.max), truth.max_ticks);
        assert_eq!(job.map_or(0, |row| row.begin_unknown), truth.begin_unknown);
        assert_eq!(job.map_or(0, |row| row.open), truth.open);
        let instants = find("checkpoint").map_or(0, |row| row.instants);
        assert_eq!(instants, truth.instants);
    }

    fn check_masks(&self) {
        let truth = &self.truth.interrupts_off;
        let Some(found) = &self.report.interrupts_off else {
            assert_eq!(truth.count, 0);
            return;
        };
        assert_eq!(found.count, truth.count);
        assert_eq!(found.nested, truth.nested);
        assert_eq!(found.share.total, truth.ticks);
        let longest = found.duration.as_ref().map_or(0, |it| it.max);
        assert_eq!(longest, truth.max_ticks);
        assert_eq!(found.unknown.open, truth.open);
        let other = found.unknown.start_unknown + found.unknown.switched + found.unknown.unrecorded;
        assert_eq!(other + found.unknown.lost, 0);
    }
}

fn settings() -> impl Strategy<Value = CswitchOptions> {
    let numbers = (any::<u64>(), 1..40_u16, 1..4_u8, 1..4000_u64);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    (numbers, flags).prop_map(|((seed, threads, cores, entries), flags)| {
        let (inheritance, timeouts, shared_objects, markers) = flags;
        CswitchOptions {
            entries,
            threads,
            cores: cores.min(threads as u8),
            seed,
            inheritance,
            timeouts,
            shared_objects,
            markers,
            ..CswitchOptions::default()
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn a_complete_log_matches_the_truth(settings in settings()) {
        let case = case(&settings);
        case.check_entries();
        case.check_logs();
        case.check_figures();
        case.check_periods();
        let diagnostics = case.recording.trace.diagnostics.iter();
        // A short log may have threads and no handler.
        let has_handlers = !case.truth.handlers.is_empty();
        let diagnostics = diagnostics.filter(|it| has_handlers || it.kind != DiagnosticKind::NoHandlers);
        prop_assert_eq!(diagnostics.map(|it| &*it.message).collect::<Vec<_>>(), [""; 0]);
    }

    #[test]
    fn a_buffer_keeps_what_fits(
        settings in settings(), slots in 1..3000_u32, cyclic in any::<bool>(),
    ) {
        let buffer = LogBuffer { slots, cyclic };
        let case = case(&CswitchOptions { buffer: Some(buffer), ..settings.clone() });
        case.check_entries();
        case.check_logs();
        let logs = &case.truth.logs;
        prop_assert!(logs.iter().all(|log| log.entries <= slots.into()));
        let gone: u64 = logs.iter().map(|log| log.lost + log.overwritten).sum();
        prop_assert_eq!(case.truth.entries + gone, settings.entries);
        if logs.iter().all(|log| log.overwritten == 0) {
            case.check_figures();
        } else {
            let found = &case.report;
            let off = case.truth.idle.ticks - found.idle.share.total;
            prop_assert!(off <= found.unknown.total);
            let cores = u64::from(settings.cores);
            prop_assert!(found.dispatches.abs_diff(case.truth.dispatches) <= cores);
        }
    }

    #[test]
    fn narrow_counters_are_unwrapped(settings in settings(), counter_bits in 16..32_u8) {
        let case = case(&CswitchOptions { counter_bits, ..settings });
        case.check_entries();
        case.check_figures();
    }
}

#[test]
fn raw_memory_has_the_entries_of_the_container() {
    for buffer in [
        None,
        Some(LogBuffer {
            slots: 700,
            cyclic: true,
        }),
    ] {
        let settings = CswitchOptions {
            entries: 9000,
            buffer,
            ..CswitchOptions::default()
        };
        let raw = CswitchOptions {
            form: OutputForm::Raw,
            ..settings.clone()
        };
        let (bytes, truth) = generate(&raw);
        assert_eq!(bytes.len() as u64, truth.entries * 24);
        let contained = case(&settings).recording.trace;
        let (bytes_again, _) = generate(&raw);
        assert_eq!(bytes, bytes_again);
        let raw = case(&raw).recording.trace;
        assert_eq!(raw.events.len(), contained.events.len());
        for (one, other) in raw.events.iter().zip(contained.events.iter()) {
            assert_eq!(one.timestamp, other.timestamp);
            assert_eq!(one.arguments, other.arguments);
        }
        let known = |found: &rtoscope_trace::Diagnostic| {
            use DiagnosticKind::{
                ConfigurationGuessed, NoHandlers, Overwritten, PerhapsOverwritten, UnresolvedName,
            };
            [
                ConfigurationGuessed,
                NoHandlers,
                Overwritten,
                PerhapsOverwritten,
                UnresolvedName,
            ]
            .contains(&found.kind)
        };
        assert!(raw.diagnostics.iter().all(known), "{:?}", raw.diagnostics);
    }
}
