//! Diagnostics about a stream.

use super::RkhOptions;
use super::guess::{Confidence, ConfigurationGuess};
use super::losses::{ProblemDetail, StreamLosses, StreamProblem};
use super::stream_info::{Provenance, StreamRun};
use crate::clock;
use rtoscope_trace::diagnostic::pluralise;
use rtoscope_trace::{Diagnostic, DiagnosticKind, EventIndex, Frequency, Gap};
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;

/// The properties of a stream to report.
pub(super) struct StreamFacts<'a> {
    pub(super) runs: &'a [StreamRun],
    pub(super) losses: &'a StreamLosses,
    pub(super) gaps: &'a [Gap],
    pub(super) provenance: Provenance,
    pub(super) guess: Option<&'a ConfigurationGuess>,
    pub(super) tick_rate: &'a TickRate,
    /// Number of events.
    pub(super) events: u32,
}

/// All diagnostics, by position.
pub(super) fn diagnostics(facts: &StreamFacts<'_>) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    all.extend(configuration(facts));
    for problem in &facts.losses.problems {
        all.push(self::problem(problem, facts));
    }
    all.extend(problem_overflow(facts.losses));
    for pair in facts.runs.windows(2) {
        if let [before, run] = pair {
            all.extend(self::run(before, run));
        }
    }
    all.extend(unknown_gaps(facts));
    all.extend(facts.tick_rate.diagnostic.clone());
    all
}

/// The source of the configuration, if it is neither the target nor the user.
fn configuration(facts: &StreamFacts<'_>) -> Option<Diagnostic> {
    let message = match (facts.provenance, facts.guess) {
        (Provenance::Guessed, Some(guess)) => {
            let share = guess.score() * 100.0;
            let mut message = format!(
                "the configuration of the records is guessed: {share:.1} % of {} fit it",
                pluralise(guess.frames, "frame", "frames")
            );
            if guess.confidence != Confidence::Certain && !guess.ambiguous.is_empty() {
                let keys = guess.ambiguous.join(", ");
                message.push_str(&format!("; ambiguous: {keys}"));
            }
            message
        }
        (Provenance::Default, _) => "the configuration of the records is unknown: using the \
                                     default of RKH's own host tool; set it, or guess it"
            .to_owned(),
        _ => return None,
    };
    Some(Diagnostic::new(
        DiagnosticKind::ConfigurationGuessed,
        message,
    ))
}

fn problem(problem: &StreamProblem, facts: &StreamFacts<'_>) -> Diagnostic {
    let events = facts.events;
    let StreamProblem {
        offset,
        event,
        detail,
    } = problem;
    let at = format!("at offset {offset:#x}");
    let bytes = |bytes: &u64| pluralise(*bytes, "byte", "bytes");
    let (kind, message) = match detail {
        ProblemDetail::Checksum { id, bytes: length } => (
            DiagnosticKind::BadFrame,
            format!(
                "the frame of {} {at} (record {id:#04x}) does not sum to 0",
                bytes(length)
            ),
        ),
        ProblemDetail::Malformed {
            id,
            extra: 0,
            bytes: length,
            ..
        } => (
            DiagnosticKind::BadFrame,
            format!(
                "the frame of {} {at} has invalid contents for record {id:#04x}",
                bytes(length)
            ),
        ),
        ProblemDetail::Malformed {
            id, extra, glued, ..
        } => {
            let mut message = format!(
                "the frame {at} has {} after the end of record {id:#04x}",
                bytes(extra)
            );
            if *glued > 0 {
                message.push_str(&format!(
                    ": it contains {glued} records that lost the flag between them and can be split"
                ));
            }
            (DiagnosticKind::BadFrame, message)
        }
        ProblemDetail::Unknown {
            id, bytes: length, ..
        } => (
            DiagnosticKind::UnknownRecord,
            format!(
                "the frame of {} {at} has the unknown record id {id:#04x}",
                bytes(length)
            ),
        ),
        ProblemDetail::Aborted { bytes: length } => (
            DiagnosticKind::BadFrame,
            format!("the frame {at} was aborted after {}", bytes(length)),
        ),
        ProblemDetail::TooLong { bytes: length } => (
            DiagnosticKind::BadFrame,
            format!(
                "the frame {at} has {}, which exceeds the maximum length of a frame",
                bytes(length)
            ),
        ),
        ProblemDetail::Text { bytes: length } => (
            DiagnosticKind::OtherText,
            format!("{} of other text precede a record {at}", bytes(length)),
        ),
        ProblemDetail::Lead { bytes: length } => (
            DiagnosticKind::CutFrame,
            format!(
                "the stream begins in the middle of a frame: {} before the first flag",
                bytes(length)
            ),
        ),
        ProblemDetail::Tail { bytes: length } => (
            DiagnosticKind::CutFrame,
            format!(
                "the stream ends in the middle of a frame: {} after the last flag {at}",
                bytes(length)
            ),
        ),
        ProblemDetail::Unclosed { bytes: length } => (
            DiagnosticKind::UnclosedFrame,
            format!(
                "the last frame, of {} {at}, has no closing flag: its record is probably complete",
                bytes(length)
            ),
        ),
        ProblemDetail::Gap {
            previous,
            sequence,
            missing,
        } => {
            let missing = u64::from(*missing);
            let min = if is_open(facts, *event) {
                "at least "
            } else {
                ""
            };
            let diagnostic = Diagnostic::new(
                DiagnosticKind::Gap,
                format!(
                    "{min}{} missing before offset {offset:#x}: number {sequence} follows {previous}",
                    pluralise(missing, "record is", "records are")
                ),
            );
            return at_event(
                diagnostic.at_offset(*offset).with_count(missing),
                *event,
                events,
            );
        }
    };
    at_event(
        Diagnostic::new(kind, message).at_offset(*offset),
        *event,
        events,
    )
}

/// Whether the number of records missing before an event is unknown: sequence
/// numbers show it only modulo 256.
fn is_open(facts: &StreamFacts<'_>, event: u32) -> bool {
    let at = facts.gaps.partition_point(|gap| gap.next_event.0 < event);
    let gap = facts.gaps.get(at).filter(|gap| gap.next_event.0 == event);
    gap.is_some_and(|gap| gap.missing.is_none())
}

/// Attaches a diagnostic to an event, if it exists.
fn at_event(diagnostic: Diagnostic, event: u32, events: u32) -> Diagnostic {
    if event < events {
        diagnostic.at_event(EventIndex(event))
    } else {
        diagnostic
    }
}

/// Problems that were only counted.
fn problem_overflow(losses: &StreamLosses) -> Option<Diagnostic> {
    let more = losses.total() - losses.problems.len() as u64;
    let message = format!(
        "{} after the first {}",
        pluralise(more, "problem", "problems"),
        StreamLosses::MAX_PROBLEMS
    );
    let diagnostic = Diagnostic::new(DiagnosticKind::BadFrame, message);
    (more > 0).then(|| diagnostic.with_count(more))
}

fn run(before: &StreamRun, run: &StreamRun) -> Option<Diagnostic> {
    let event = run.first;
    if run.restart {
        let message = format!("the target restarted before event {event}");
        return Some(Diagnostic::new(DiagnosticKind::Restart, message).at_event(event));
    }
    let changes = configuration_changes(&before.configuration, &run.configuration);
    let list = changes.join(", ");
    let message = match run.target {
        Some(_) => {
            format!("the target changed the configuration of its records at event {event} ({list})")
        }
        None => format!(
            "the records before event {event} suggest another configuration from there on ({list})"
        ),
    };
    let diagnostic = Diagnostic::new(DiagnosticKind::ConfigurationChanged, message);
    (!changes.is_empty()).then(|| diagnostic.at_event(event))
}

/// The user's settings that differ from those that the target sent.
pub(super) fn mismatch(runs: &[StreamRun], options: &RkhOptions) -> Option<Diagnostic> {
    let set = options.configuration.filter(|_| !options.ignores_target)?;
    let run = runs.iter().find(|run| run.target.is_some())?;
    let differences = options.given.iter().filter_map(|key| {
        let (set, sent) = (set.get(key)?, run.configuration.get(key)?);
        (set != sent).then(|| format!("{key} is {sent} in the stream, not {set}"))
    });
    let differences: Vec<_> = differences.collect();
    (!differences.is_empty()).then(|| {
        let message = format!(
            "the configuration that was set is not that of the target: {}; another firmware \
             may have recorded the stream",
            differences.join(", ")
        );
        Diagnostic::new(DiagnosticKind::ConfigurationMismatch, message).at_event(run.first)
    })
}

/// The differences, as `key before -> after`.
pub(super) fn configuration_changes(
    before: &StreamConfiguration,
    after: &StreamConfiguration,
) -> Vec<String> {
    let keys = CONFIGURATION_KEYS.iter().map(|key| key.name);
    let values = keys.map(|key| (key, before.get(key), after.get(key)));
    let mut changes: Vec<_> = values
        .filter(|(_, before, after)| before != after)
        .filter_map(|(key, before, after)| Some(format!("{key} {} -> {}", before?, after?)))
        .collect();
    if before.dialect != after.dialect {
        let [before, after] = [before, after].map(|it| it.dialect.name());
        changes.push(format!("RKH {before} -> {after}"));
    }
    changes
}

/// Gaps of unknown length because records have no sequence numbers, caused by
/// bad frames. Restarts and lost connections between numbered records have
/// their own diagnostics.
fn unknown_gaps(facts: &StreamFacts<'_>) -> Option<Diagnostic> {
    let has_own_diagnostic = |gap: &Gap| {
        let following = facts
            .runs
            .partition_point(|run| run.first <= gap.next_event);
        let run = following.checked_sub(1).and_then(|run| facts.runs.get(run));
        run.is_none_or(|run| run.first == gap.next_event || run.configuration.sequence)
    };
    let mut unknown = facts
        .gaps
        .iter()
        .filter(|gap| gap.missing.is_none() && !has_own_diagnostic(gap));
    let first = unknown.next()?.next_event;
    let count = 1 + unknown.count() as u64;
    let message = format!(
        "records are missing at {}, first before event {first}; without sequence numbers their \
         number is unknown",
        pluralise(count, "place", "places")
    );
    Some(
        Diagnostic::new(DiagnosticKind::Gap, message)
            .at_event(first)
            .with_count(count),
    )
}

/// The frequency of the clock.
pub(super) struct TickRate {
    pub(super) frequency: Option<Frequency>,
    diagnostic: Option<Diagnostic>,
}

/// The frequency of a stream's clock: the target's modulo 65536 (the last field of record TCFG has
/// 16 bits), the user's if that agrees, or if the target's may be cut or is overridden.
pub(super) fn tick_rate(runs: &[StreamRun], options: &RkhOptions) -> TickRate {
    let given = options.clock_frequency;
    let reported = runs.iter().filter_map(|run| run.target);
    let reported = reported
        .map(|target| target.timestamp_hz)
        .find(|hertz| *hertz != 0);
    let agrees = |reported: &u16| given.is_some_and(|given| given.hertz() as u16 == *reported);
    let Some(reported) = reported.filter(|reported| !agrees(reported)) else {
        return TickRate {
            frequency: given,
            diagnostic: None,
        };
    };
    let stamped = runs.iter().any(|run| run.configuration.timestamp.is_some());
    if !stamped {
        return TickRate {
            frequency: given,
            diagnostic: None,
        };
    }
    let likely = LIKELY_RATES.iter().find(|rate| **rate as u16 == reported);
    let recorded = match likely {
        Some(_) => None,
        None => Frequency::from_hertz(reported.into()),
    };
    if let Some(given) = given {
        let used = match recorded {
            Some(recorded) if !options.overrides_frequency => recorded,
            _ => given,
        };
        let contains = format!(
            "the target reports {reported} clock ticks per second (the low 16 bits of the frequency)"
        );
        return TickRate {
            frequency: Some(used),
            diagnostic: Some(clock::frequency_mismatch(given, &contains, used)),
        };
    }
    let message = match likely {
        Some(rate) => format!(
            "the target reports {reported} clock ticks per second, but {rate} has the same low \
             16 bits: set the frequency to show times in seconds"
        ),
        None => format!(
            "the target reports {reported} clock ticks per second; it would report the same for \
             {}, because it sends only 16 bits",
            u64::from(reported) + (1 << 16)
        ),
    };
    TickRate {
        frequency: recorded,
        diagnostic: Some(Diagnostic::new(DiagnosticKind::StampRate, message)),
    }
}

/// Common clock frequencies that do not fit into 16 bits, in hertz. The first
/// is that of POSIX `clock()`, which RKH's own Linux port uses.
const LIKELY_RATES: [u32; 32] = [
    1_000_000,
    100_000,
    125_000,
    200_000,
    250_000,
    500_000,
    2_000_000,
    4_000_000,
    5_000_000,
    8_000_000,
    10_000_000,
    12_000_000,
    16_000_000,
    20_000_000,
    24_000_000,
    25_000_000,
    32_000_000,
    40_000_000,
    48_000_000,
    50_000_000,
    64_000_000,
    72_000_000,
    80_000_000,
    84_000_000,
    96_000_000,
    100_000_000,
    120_000_000,
    150_000_000,
    160_000_000,
    168_000_000,
    180_000_000,
    200_000_000,
];
