//! Whether the sequence of events is possible on a target.

use super::checker::Checker;
use super::reading::{generate, read};
use crate::ThreadXOptions;
use rtoscope_wire::threadx::{BufferLayout, CONTEXT_INTERRUPT, UlongSize};

fn follow(options: &ThreadXOptions) -> Checker {
    let (bytes, summary) = generate(options);
    let buffer = read(&bytes);
    let checker = Checker::follow(&buffer, options);
    for thread in &summary.threads {
        let dispatches = checker.dispatches(thread.pointer);
        assert!(dispatches.contains(&thread.dispatches), "{}", thread.name);
        assert!(thread.dispatches > 1, "{} starves", thread.name);
    }
    let gaps = buffer.gaps(options.count_down);
    let quarter = buffer.header.timer_mask / 4 + 1;
    assert_eq!(gaps.iter().sum::<u64>(), summary.span_ticks);
    assert!(gaps.iter().all(|gap| *gap <= quarter));
    assert!(checker.idle_entries > 0);
    checker
}

#[test]
fn every_kind_of_event_occurs_in_a_default_trace() {
    let options = ThreadXOptions::default();
    let checker = follow(&options);
    for id in [
        1, 2, 3, 4, 5, 6, 10, 11, 17, 20, 21, 27, 30, 32, 36, 50, 52, 57, 60, 68, 69, 81, 83, 88,
        100, 109, 112,
    ] {
        assert!(checker.events_by_id.contains_key(&id), "no event {id}");
    }
    for (id, state) in [(69, 5), (68, 5), (83, 6), (32, 7), (52, 13), (112, 4)] {
        assert!(checker.waits.contains(&(id, state)), "no wait in {id}");
    }
    assert!(checker.events_by_id[&5] > 100);
    assert!(checker.events_by_id.keys().any(|id| *id >= 4096));
    assert_eq!(checker.deepest_nesting, 2);
    assert!(checker.preemptions > 1000);
    assert!(checker.idle_entries > 1000);
}

#[test]
fn applications_of_every_size_are_consistent() {
    for threads in 1..=30 {
        follow(&ThreadXOptions {
            events: 10_000,
            threads,
            seed: u64::from(threads),
            ..ThreadXOptions::default()
        });
    }
    follow(&ThreadXOptions {
        events: 100_000,
        threads: 200,
        ..ThreadXOptions::default()
    });
}

#[test]
fn several_cores_are_consistent() {
    for (cores, threads) in [(2, 2), (2, 13), (4, 30), (32, 80)] {
        follow(&ThreadXOptions {
            events: 60_000,
            threads,
            cores,
            ..ThreadXOptions::default()
        });
    }
}

#[test]
fn clocks_of_every_width_unwrap() {
    for bits in 8..=64 {
        let ulong = if bits > 32 {
            UlongSize::Eight
        } else {
            UlongSize::Four
        };
        let options = ThreadXOptions {
            events: 5000,
            clock_bits: bits,
            count_down: bits % 2 == 0,
            layout: BufferLayout {
                ulong,
                ..ThreadXOptions::default().layout
            },
            ..ThreadXOptions::default()
        };
        follow(&options);
    }
    follow(&ThreadXOptions {
        events: 60_000,
        threads: 26,
        cores: 2,
        clock_bits: 8,
        ..ThreadXOptions::default()
    });
}

#[test]
fn bare_ticks_log_only_their_events() {
    let options = ThreadXOptions {
        bare_ticks: true,
        ..ThreadXOptions::default()
    };
    let checker = follow(&options);
    assert!(checker.events_by_id[&5] > 100);
    assert!(checker.idle_entries > 1000);
    let (bytes, _) = generate(&options);
    let events = read(&bytes).events();
    let mut entries = events.iter().filter(|event| event.id == 3);
    assert!(entries.all(|event| event.info[1] != 0));
    let silent = events.windows(2).filter(|pair| {
        let is_interrupt = |at: usize| pair[at].context == u64::from(CONTEXT_INTERRUPT);
        !is_interrupt(0) && is_interrupt(1) && pair[1].id != 3
    });
    assert!(silent.count() > 1000);
}

#[test]
fn owners_inherit_priorities() {
    let options = ThreadXOptions {
        inheritance: true,
        ..ThreadXOptions::default()
    };
    let checker = follow(&options);
    assert!(checker.inheritances > 100, "{}", checker.inheritances);
    assert!(checker.events_by_id[&56] > 50);
    // The mutex of the other set has no inheritance.
    let checker = follow(&ThreadXOptions {
        threads: 24,
        ..options
    });
    assert!(checker.inheritances < checker.inversions);
}

#[test]
fn waits_time_out() {
    let options = ThreadXOptions {
        timeouts: true,
        ..ThreadXOptions::default()
    };
    let checker = follow(&options);
    assert_eq!(checker.timeouts, [6, 13].into());
}

#[test]
fn cores_share_objects() {
    for (cores, threads, clock_bits) in [(2, 12, 8), (3, 25, 32), (4, 60, 8), (8, 48, 32)] {
        let checker = follow(&ThreadXOptions {
            threads,
            cores,
            clock_bits,
            shared_objects: true,
            ..ThreadXOptions::default()
        });
        let remote = checker.remote_resumptions;
        assert!(
            remote > 500,
            "{remote} on {cores} cores of {clock_bits} bits"
        );
    }
}

#[test]
fn all_options_are_consistent_together() {
    for threads in [1, 2, 6, 13, 40, 200] {
        for cores in [1, 2, 4] {
            follow(&ThreadXOptions {
                events: 20_000,
                threads: threads.max(cores.into()),
                cores,
                bare_ticks: true,
                inheritance: true,
                timeouts: true,
                shared_objects: true,
                ..ThreadXOptions::default()
            });
        }
    }
    for clock_bits in [8, 9, 15, 16, 17, 24, 31, 32] {
        for cores in [1, 3] {
            follow(&ThreadXOptions {
                events: 15_000,
                cores,
                threads: 18,
                clock_bits,
                bare_ticks: true,
                inheritance: true,
                timeouts: true,
                shared_objects: true,
                ..ThreadXOptions::default()
            });
        }
    }
}

#[test]
fn gaps_are_short_and_long() {
    let (bytes, _) = generate(&ThreadXOptions::default());
    let mut gaps = read(&bytes).gaps(false);
    gaps.sort_unstable();
    let middle = gaps[gaps.len() / 2];
    assert!((20..1000).contains(&middle), "median {middle}");
    assert!(gaps[0] >= 20);
    assert!(gaps[gaps.len() - 1] > 20_000, "a timer stands while idle");
}
