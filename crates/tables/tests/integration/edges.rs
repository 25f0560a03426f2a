//! Unusual and modified recordings.

use crate::common::{self, Cell, TestRecording, generated, open, recording};
use proptest::prelude::*;
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_decode::{DecodedRecording, EventInterpreter, FormatInfo};
use rtoscope_tables::{Table, TableRows};
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::unit_test::RecordedTests;
use rtoscope_trace::{
    EventIndex, EventKindId, Events, Gap, Name, Objects, Statistic, Ticks, Trace, TraceFormat,
    TraceOrigin,
};

/// A recording, and a modified copy of it.
fn changed(
    name: &str,
    change: impl FnOnce(&mut DecodedRecording),
) -> (TestRecording, TestRecording) {
    let mut other = recording(name);
    change(&mut other);
    (open(name), TestRecording::new("changed", other))
}

/// Makes every batch of every table.
fn compute_all_tables(opened: &TestRecording) {
    for table in Table::ALL {
        let rows = TableRows::new(*table, opened);
        let all: Vec<_> = (0..table.columns().len()).collect();
        for (column, values) in table.columns().iter().zip(rows.batch(0..rows.len(), &all)) {
            assert_eq!(values.len(), rows.len());
            let cells = common::cells(&values);
            assert!(column.nullable || !cells.contains(&Cell::Missing));
        }
    }
}

/// A format of recordings that nothing may analyse.
#[derive(Clone)]
struct NeverAnalyzed(FormatInfo);

impl TraceFormat for NeverAnalyzed {
    type Interpreter = EventInterpreter;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn title(&self) -> &'static str {
        self.0.title()
    }

    fn statistics(&self) -> &'static [Statistic] {
        self.0.statistics()
    }

    fn recorded_tests(&self, _: &Trace) -> Option<RecordedTests> {
        None
    }

    fn interpreter(&self, _: &Trace) -> EventInterpreter {
        panic!("the recording was analysed")
    }
}

#[test]
fn tables_of_what_was_recorded_need_no_analysis() {
    let DecodedRecording { trace, format_info } = recording("threadx/smp32_cores.trx");
    let never = AnalyzedRecording::new("", "", trace, &NeverAnalyzed(format_info));
    for table in [
        Table::Events,
        Table::Arguments,
        Table::Objects,
        Table::CallStackFrames,
        Table::TextLogLines,
        Table::Gaps,
    ] {
        let rows = TableRows::new(table, &never);
        let all: Vec<_> = (0..table.columns().len()).collect();
        assert_eq!(rows.batch(0..rows.len(), &all).len(), all.len());
    }
}

#[test]
fn a_part_of_a_recording_keeps_numbers_and_times() {
    let base = TraceOrigin {
        event: 1_000_000_000_000,
        time: Ticks(5_000_000_000),
    };
    for name in ["threadx/smp32_cores.trx", "rkh/nat_short.bin"] {
        let (complete, part) = changed(name, |recording| recording.trace.origin = base);
        for table in Table::ALL {
            let is_event = |name: &str| name == "event" || name.ends_with("_event");
            let is_time = |name: &str| {
                let ends = [
                    "start",
                    "previous_start",
                    "planned_start",
                    "planned_end",
                    "end",
                    "time",
                    "from_time",
                    "to_time",
                ];
                ends.contains(&name)
            };
            let (complete, part) = (complete.grid(*table), part.grid(*table));
            for (one, other) in complete.rows().zip(part.rows()) {
                for column in table.columns().iter().map(|column| column.name) {
                    let moved = match one.get(column) {
                        Cell::Number(number) if is_event(column) => {
                            Cell::Number(number + i128::from(base.event))
                        }
                        Cell::Number(number) if is_time(column) => {
                            Cell::Number(number + i128::from(base.time.0))
                        }
                        // Each is rounded on its own.
                        _ if column.ends_with("_ns") => continue,
                        _ if ["file", "recording_id"].contains(&column) => continue,
                        same => same.clone(),
                    };
                    assert_eq!(*other.get(column), moved, "{table}.{column} of {name}");
                }
            }
        }
    }
}

#[test]
fn a_clock_that_does_not_count_time_has_no_nanoseconds() {
    for quality in [ClockQuality::Static, ClockQuality::EventCounter] {
        let (timed, untimed) = changed("threadx/linux32_inv_det.trx", |recording| {
            recording.trace.clock.quality = quality;
        });
        for table in Table::ALL {
            let (timed, untimed) = (timed.grid(*table), untimed.grid(*table));
            let names = table.columns().iter().map(|column| column.name);
            for name in names.filter(|name| name.ends_with("_ns")) {
                assert!(untimed.rows().all(|row| *row.get(name) == Cell::Missing));
                let ticks = name.trim_end_matches("_ns");
                for row in timed.rows() {
                    let expected = match row.get(ticks) {
                        // 25 MHz.
                        Cell::Number(ticks) => Cell::Number(ticks * 40),
                        other => other.clone(),
                    };
                    assert_eq!(*row.get(name), expected, "{table}.{name}");
                }
            }
        }
    }
}

#[test]
fn words_of_64_bits_are_complete() {
    let opened = open("threadx/be64_s390x_wrap.trx");
    let trace = &opened.trace;
    let grid = opened.grid(Table::Events);
    let mut large = 0;
    for (row, event) in grid.rows().zip(trace.events.iter()) {
        assert_eq!(row.number("timestamp"), event.timestamp.into());
        let columns = ["info1", "info2", "info3", "info4"];
        for (column, argument) in columns.into_iter().zip(event.arguments) {
            if let Cell::Number(found) = row.get(column) {
                assert_eq!(*found, argument.into());
                large += usize::from(argument > u64::from(u32::MAX));
            }
        }
    }
    assert!(large > 100, "{large} arguments need more than 32 bits");
}

#[test]
fn a_trace_without_events_has_empty_tables() {
    let (_, empty) = changed("threadx/cm3_short.trx", |recording| {
        let trace = &mut recording.trace;
        trace.events = Events::default();
        trace.objects = Objects::default();
        trace.gaps.clear();
        trace.diagnostics = Default::default();
    });
    compute_all_tables(&empty);
    for table in [Table::Events, Table::Objects, Table::Flows, Table::Isrs] {
        assert!(TableRows::new(table, &empty).is_empty(), "{table}");
    }
    assert_eq!(TableRows::new(Table::Recordings, &empty).len(), 1);
}

#[test]
fn unknown_kinds_have_a_name_and_arguments() {
    let (_, odd) = changed("threadx/cm3_short.trx", |recording| {
        let odd = [u32::MAX, 8191, 8192, 0].into_iter().cycle().take(40);
        recording.trace.events.edit(|columns| {
            for (kind, odd) in columns.kind.iter_mut().zip(odd) {
                *kind = EventKindId(odd);
            }
        });
    });
    compute_all_tables(&odd);
    let events = odd.grid(Table::Events);
    let row = events.rows().next().unwrap();
    assert_eq!(row.text("kind"), "user event 4294967295");
    assert_eq!(
        (row.text("component"), row.number("number")),
        ("user", 4_294_967_295)
    );
    let none = events.rows().nth(3).unwrap();
    assert_eq!(
        (none.text("kind"), none.text("component")),
        ("event 0", "unknown")
    );
    assert!(row.text("arguments").starts_with("info1=0x"));
    assert_ne!(*row.get("info4"), Cell::Missing);
    assert_eq!(*row.get("object"), Cell::Missing);
}

#[test]
fn object_is_the_first_in_the_arguments() {
    let opened = open("threadx/cm3_system.trx");
    let events = opened.grid(Table::Events);
    let rows: Vec<_> = events.rows().collect();
    // As `rtoscope events` shows them.
    assert_eq!(rows[4].text("kind"), "tx_semaphore_put");
    assert_eq!(rows[4].text("object"), "samples");
    assert_eq!(rows[4].text("interrupted"), "ui");
    assert_eq!(rows[4].text("context"), "(interrupt)");
    assert_eq!(rows[5].text("object"), "sensor");
    assert_eq!(rows[33].number("event"), 33);
    let details = rows[7].text("arguments");
    assert!(details.starts_with("semaphore=\"samples\" wait_option=TX_WAIT_FOREVER"));
}

#[test]
fn interrupts_off_sections_match_the_schedule() {
    let [_, _, cswitch] = generated();
    let sections = cswitch.grid(Table::InterruptsOff);
    let view = cswitch.view();
    let expected = &view.schedule.interrupts_off;
    assert!(expected.len() > 100);
    assert_eq!(sections.count(|_| true), expected.len() as i128);
    let sum: u64 = expected.iter().map(|it| it.duration().0).sum();
    assert_eq!(sections.sum("duration", |_| true), sum.into());
    let complete = expected
        .iter()
        .filter(rtoscope_analysis::schedule::InterruptsOffSection::is_complete)
        .count();
    assert_eq!(
        sections.count(|row| row.holds("complete")),
        complete as i128
    );
    for (row, it) in sections.rows().zip(expected) {
        let name = view.trace.context_name(it.context);
        assert!(row.is("context", &name) || *row.get("context") == Cell::Missing);
    }
    let slices = cswitch.grid(Table::Slices);
    assert!(slices.count(|row| row.is("kind", "kernel")) > 0);
}

#[test]
fn a_message_is_taken_by_the_waiting_thread() {
    let [threadx, _, _] = generated();
    let flows = threadx.grid(Table::Flows);
    let schedule = &threadx.schedule;
    let mut woken = 0;
    for row in flows.rows().filter(|row| row.is("kind", "message")) {
        let take = EventIndex(u32::try_from(row.number("to_event")).unwrap());
        let taker = row.get("to_context_id");
        let logger = threadx.trace.events.context(take).unwrap().0;
        if *taker != Cell::Number(logger.into()) {
            let thread = usize::try_from(taker.number()).unwrap();
            let intervals = &schedule.threads[thread];
            assert!(
                intervals
                    .iter()
                    .any(|it| it.event == take && it.start_known)
            );
            woken += 1;
        }
    }
    assert!(woken > 10, "{woken} messages went to threads that waited");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4))]
    #[test]
    fn names_can_be_anything(names in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..24), 8)) {
        for file in ["threadx/cm3_system.trx", "rkh/nat_short.bin"] {
            let mut odd = recording(file);
            let objects = odd.trace.objects.iter().cloned();
            let renamed = objects.zip(names.iter().cycle()).map(|(mut object, name)| {
                object.name = Name::new(name);
                object
            });
            odd.trace.objects = Objects::new(renamed.collect());
            compute_all_tables(&TestRecording::new("changed", odd));
        }
    }
}

#[test]
fn a_gap_starts_at_the_last_event_of_its_core() {
    let (_, parted) = changed("threadx/cm3_short.trx", |recording| {
        let trace = &mut recording.trace;
        let cores = (0..trace.events.len()).map(|event| u8::from(event % 5 == 0));
        let mut cores: Vec<u8> = cores.collect();
        // The last gap starts before the trace does.
        cores[20] = 2;
        trace.events.edit(|columns| columns.core = cores);
        trace.cores = vec![0, 1];
        let gap = |before, core| Gap {
            next_event: EventIndex(before),
            missing: Some(3),
            core,
            is_restart: false,
        };
        trace.gaps = vec![gap(10, Some(1)), gap(15, None), gap(20, Some(2))];
    });
    let grid = parted.grid(Table::Gaps);
    let found = grid.rows().map(|row| {
        let [start, end, duration] = ["start", "end", "duration"].map(|name| row.number(name));
        assert_eq!(duration, end - start);
        [start, end]
    });
    let events = &parted.trace.events;
    let time = |event| events.time(EventIndex(event)).unwrap().0.into();
    let expected = [[5, 10], [14, 15], [0, 20]].map(|pair| pair.map(time));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
