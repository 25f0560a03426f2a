//! Clocks that the kernel's ticks contradict, and sound ones.

use fastrand::Rng;
use rtoscope_decode::clock::ClockOptions;
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::ThreadXOptions;
use rtoscope_decode::{BufferChoice, open};
use rtoscope_generate::{ThreadXTruth, TrueContext, write_with_truth};
use rtoscope_trace::clock::{ClockDirection, ClockQuality};
use rtoscope_trace::{Diagnostic, DiagnosticKind, Trace};

/// A simulated target, and its recording.
struct Target {
    bytes: Vec<u8>,
    /// The true time of each event.
    times: Vec<u64>,
    truth: ThreadXTruth,
}

impl Target {
    fn new(options: &rtoscope_generate::ThreadXOptions) -> Self {
        let mut bytes = Vec::new();
        let (_, truth) = write_with_truth(options, &mut bytes, &mut |_| ()).unwrap();
        let trace = decode(&bytes, &ThreadXOptions::default());
        let times = trace.events.times().map(|time| time.0).collect();
        Self {
            bytes,
            times,
            truth,
        }
    }

    fn seeded(seed: u64) -> Self {
        Self::new(&rtoscope_generate::ThreadXOptions {
            events: 3000,
            threads: 5,
            seed,
            ..Default::default()
        })
    }

    fn span(&self) -> u64 {
        *self.times.last().unwrap()
    }

    /// The bytes with a clock that shows this at a time.
    fn restamped(&self, shown: impl Fn(u64) -> u64) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        rtoscope_fixtures::restamp_threadx(&mut bytes, |event| {
            shown(self.times[event as usize]) as u32
        });
        bytes
    }

    /// What a clock shows that stands from `start` on while the processor is idle.
    fn without_idle(&self, start: u64) -> Vec<u8> {
        let idle = self.truth.slices.iter();
        let idle = idle.filter(|slice| slice.context == TrueContext::Idle);
        let mut lost = 0;
        let mut idle: Vec<_> = idle
            .map(|slice| {
                let begin = slice.start_ticks.max(start);
                let end = slice.end_ticks.max(start);
                lost += end - begin;
                (end, lost)
            })
            .collect();
        idle.insert(0, (0, 0));
        self.restamped(|time| {
            let ended = idle.partition_point(|(end, _)| *end <= time);
            1000 + time - idle[ended - 1].1
        })
    }
}

fn decode(bytes: &[u8], options: &ThreadXOptions) -> Trace {
    let opened = open(Input::new(bytes), BufferChoice::First).unwrap();
    opened.decode(options).unwrap().trace
}

fn plain(bytes: &[u8]) -> Trace {
    decode(bytes, &ThreadXOptions::default())
}

fn with_period(bytes: &[u8], period: u64) -> Trace {
    let clock = ClockOptions {
        period: Some(period),
        ..ClockOptions::default()
    };
    let options = ThreadXOptions {
        clock,
        ..ThreadXOptions::default()
    };
    decode(bytes, &options)
}

fn found(trace: &Trace, kind: DiagnosticKind) -> Option<&Diagnostic> {
    trace.diagnostics.iter().find(|it| it.kind == kind)
}

fn contradiction(trace: &Trace) -> &Diagnostic {
    let found = found(trace, DiagnosticKind::ClockContradictsTicks);
    found.unwrap_or_else(|| panic!("no contradiction: {:?}", trace.clock))
}

#[test]
fn a_clock_that_stands_in_idle_measures_no_idle() {
    let trace = plain(&Target::seeded(5).without_idle(0));
    assert_eq!(trace.clock.quality, ClockQuality::Lossy);
    let found = contradiction(&trace);
    assert!(
        found
            .message
            .starts_with("the clock stands while the processor is idle"),
        "{}",
        found.message
    );
    assert!(trace.clock.measures_time() && !trace.clock.quality.measures_shares());
}

#[test]
fn a_clock_that_changes_its_speed_has_no_nanoseconds() {
    let target = Target::seeded(5);
    let change = 1_500_000;
    let trace = plain(&target.restamped(|time| time + 4 * time.saturating_sub(change)));
    assert_eq!(trace.clock.quality, ClockQuality::Uneven);
    let found = contradiction(&trace);
    assert!(
        found
            .message
            .starts_with("the clock changes its speed between events"),
        "{}",
        found.message
    );
    let time = target.times[found.event.unwrap().index()];
    assert!(time.abs_diff(change) < 300_000, "{time}: {}", found.message);
    let known = trace
        .clock
        .with_frequency(rtoscope_trace::Frequency::from_hertz(1_000_000));
    assert_eq!(known.frequency(), None);
}

#[test]
fn the_period_of_a_reload_timer_is_suspected() {
    let target = Target::seeded(5);
    for (scale, period) in [
        (10, 100_000_u64),
        (10, 25_000),
        (10, 400_000),
        (1, 12_500),
        (1, 2500),
    ] {
        let bytes = target.restamped(|time| period - 1 - time * scale % period);
        let trace = plain(&bytes);
        let reload = found(&trace, DiagnosticKind::ClockPeriod);
        let reload = reload.unwrap_or_else(|| panic!("{period}: {:?}", trace.clock));
        let option = format!("-O clock-period={period}");
        assert!(reload.message.contains(&option), "{}", reload.message);
    }
}

/// The trace shows fewer reloads than there were.
#[test]
fn pauses_longer_than_the_period_are_reported() {
    let target = Target::seeded(5);
    let period = 100_000;
    let bytes = target.restamped(|time| period - 1 - time * 10 % period);
    let trace = with_period(&bytes, period);
    assert_eq!(trace.clock.direction, ClockDirection::Down);
    assert!(trace.events.span().0 < 10 * target.span());
    assert_eq!(trace.clock.quality, ClockQuality::Lossy);
    let message = &contradiction(&trace).message;
    assert!(message.starts_with("the clock wraps unseen"), "{message}");
}

#[test]
fn a_clock_of_milliseconds_is_coarse() {
    let target = Target::seeded(5);
    let trace = plain(&target.restamped(|time| time / 1000));
    let coarse = found(&trace, DiagnosticKind::CoarseClock).unwrap();
    assert!(
        coarse.message.contains("1906 of 2999"),
        "{}",
        coarse.message
    );
    assert_eq!(trace.clock.quality, ClockQuality::Good);
}

/// The span of a target with two cores, if the counter of core 1 shows `shown`.
fn with_counter_of_core_1(seed: u64, shown: impl Fn(u64) -> u64) -> (Trace, u64) {
    let target = Target::new(&rtoscope_generate::ThreadXOptions {
        events: 3000,
        threads: 6,
        cores: 2,
        seed,
        ..Default::default()
    });
    let trace = plain(&target.bytes);
    let cores: Vec<_> = trace.events.iter().map(|event| event.core).collect();
    let mut bytes = target.bytes.clone();
    rtoscope_fixtures::restamp_threadx(&mut bytes, |event| {
        let time = 1000 + target.times[event as usize];
        let time = if cores[event as usize] == 1 {
            shown(time)
        } else {
            time
        };
        time as u32
    });
    (plain(&bytes), target.span())
}

#[test]
fn the_distance_between_counters_of_cores_is_found() {
    let distances = [
        1_u64 << 31,
        30_000_000_u64.wrapping_neg(),
        4_000_000,
        3_000_000_000,
    ];
    for (distance, seed) in distances.into_iter().zip(9..) {
        let (trace, span) = with_counter_of_core_1(seed, |time| time.wrapping_add(distance));
        let message = &found(&trace, DiagnosticKind::CoreClocks).unwrap().message;
        assert!(message.contains("a counter of its own"), "{message}");
        let found_span = trace.events.span().0;
        assert!(
            found_span.abs_diff(span) < 1000,
            "{found_span}, not {span}: {message}"
        );
        assert_eq!(found(&trace, DiagnosticKind::ClockContradictsTicks), None);
        assert_eq!(found(&trace, DiagnosticKind::BackwardStep), None);
    }
}

#[test]
fn counters_that_drift_apart_have_no_huge_span() {
    let drifting = |time: u64| time + 50_000_000 + time / 100;
    let (trace, span) = with_counter_of_core_1(9, drifting);
    let message = &found(&trace, DiagnosticKind::CoreClocks).unwrap().message;
    assert!(message.contains("drifts"), "{message}");
    let found_span = trace.events.span().0;
    assert!(
        found_span.abs_diff(span) < span / 50,
        "{found_span}, not {span}"
    );
}

#[test]
fn faults_at_random_places_are_found() {
    let mut random = Rng::with_seed(7);
    for seed in 1..=rtoscope_fixtures::cases(24).into() {
        let target = Target::seeded(seed);
        let span = target.span();
        let place = random.u64(span / 5..span * 3 / 4);
        let stands = target.restamped(|time| time.min(place));
        let [slow, fast] = [2, 4].map(|factor| {
            let slow =
                target.restamped(|time| time.min(place) + time.saturating_sub(place) / factor);
            let fast = target.restamped(|time| time + time.saturating_sub(place) * factor);
            (slow, fast)
        });
        let faults = [
            ("idle", target.without_idle(place)),
            ("stands", stands),
            ("half", slow.0),
            ("three times", slow.1),
            ("quarter", fast.0),
            ("five times", fast.1),
        ];
        for (fault, bytes) in faults {
            let trace = plain(&bytes);
            let known = found(&trace, DiagnosticKind::ClockContradictsTicks);
            assert!(
                known.is_some_and(|it| it.event.is_some()),
                "seed {seed}, {fault} from {place} of {span}"
            );
            assert!(!trace.clock.quality.measures_shares());
        }
    }
}

#[test]
fn sound_clocks_are_not_suspected() {
    let plain_options = rtoscope_generate::ThreadXOptions {
        events: 1500,
        ..Default::default()
    };
    for seed in 1..=rtoscope_fixtures::cases(12).into() {
        let options = || rtoscope_generate::ThreadXOptions {
            seed,
            threads: 3 + (seed % 8) as u16,
            ..plain_options.clone()
        };
        for options in [
            options(),
            rtoscope_generate::ThreadXOptions {
                clock_bits: 16,
                count_down: true,
                ..options()
            },
            rtoscope_generate::ThreadXOptions {
                clock_bits: 10,
                ..options()
            },
            rtoscope_generate::ThreadXOptions {
                cores: 2,
                shared_objects: true,
                ..options()
            },
            rtoscope_generate::ThreadXOptions {
                bare_ticks: true,
                timeouts: true,
                ..options()
            },
            rtoscope_generate::ThreadXOptions {
                thread_control: true,
                capacity: Some(700),
                ..options()
            },
        ] {
            let trace = Target::new(&options);
            let trace = plain(&trace.bytes);
            for kind in [
                DiagnosticKind::ClockContradictsTicks,
                DiagnosticKind::ClockPeriod,
                DiagnosticKind::CoarseClock,
                DiagnosticKind::CoreClocks,
            ] {
                assert_eq!(found(&trace, kind), None, "{options:?}");
            }
        }
    }
}
