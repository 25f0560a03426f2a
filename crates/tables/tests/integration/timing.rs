//! The tables of declared timing contain what the reports show, and those of text logs what
//! the logs say.

use crate::common::{self, Cell, Row, TestRecording};
use rtoscope_analysis::report::deadlines::deadlines;
use rtoscope_analysis::report::hardware::hardware;
use rtoscope_analysis::report::pipeline::pipelines;
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_fixtures::read_testdata;
use rtoscope_tables::Table;
use rtoscope_trace::text_log::TextLogOptions;
use rtoscope_trace::{EventIndex, TextLog};

fn camera() -> TestRecording {
    let mut camera = common::open("firmware/camera/memory.bin.gz");
    let declared = read_testdata("firmware/camera/messages.toml");
    let declared = String::from_utf8(declared).unwrap();
    let deadline = "[[deadline]]\nname = \"decoding\"\nthread = \"decoder\"\ndeadline = \"3ms\"\n";
    let timing = TimingDeclarations::parse(&(declared + deadline)).unwrap();
    camera.apply_timing(&timing);
    camera
}

#[test]
fn items_and_visits_are_those_of_the_report() {
    let camera = camera();
    let [report] = pipelines(&camera.view()).try_into().unwrap();
    let items = camera.grid(Table::PipelineItems);
    let with = |result| {
        items
            .rows()
            .filter(|row| row.text("result") == result)
            .count() as u64
    };
    assert_eq!(items.rows().count() as u64, report.items);
    assert_eq!(
        (with("late"), with("dropped")),
        (report.late, report.dropped)
    );
    assert_eq!(with("in time"), report.completed - report.late);
    let missed = items.rows().filter(|row| row.known("cause").is_some());
    for (row, miss) in missed.zip(&report.misses) {
        assert_eq!(row.number("item"), miss.item.into());
        assert_eq!(row.text("cause"), miss.cause);
        let culprit = row.known("culprit").map(Cell::text);
        assert_eq!(culprit, miss.culprit.as_deref());
        assert_eq!(row.text("stage"), miss.stage);
    }
    let slack = items.rows().filter(|row| row.text("result") == "in time");
    let slack = slack.map(|row| row.number("slack")).min();
    assert_eq!(slack, report.min_slack.map(i128::from));
    let visits = camera.grid(Table::PipelineVisits);
    for stage in &report.stages {
        let of_stage = || visits.rows().filter(|row| row.text("stage") == stage.name);
        let taken = of_stage().filter(|row| row.known("received").is_some());
        assert_eq!(taken.count() as u64, stage.items);
        let max = |column| {
            let values = of_stage().filter_map(|row| row.known(column));
            values.map(Cell::number).max()
        };
        let longest = max("service");
        assert_eq!(longest, stage.service.as_ref().map(|it| it.max.into()));
        let cpu_time = max("cpu_time");
        assert_eq!(cpu_time, stage.cpu_time.as_ref().map(|it| it.max.into()));
    }
}

#[test]
fn missed_deadlines_are_those_of_the_report() {
    let camera = camera();
    let [report] = deadlines(&camera.view()).try_into().unwrap();
    let misses = camera.grid(Table::DeadlineMisses);
    assert!(!report.misses.is_empty());
    assert_eq!(misses.rows().count(), report.misses.len());
    for (row, miss) in misses.rows().zip(&report.misses) {
        assert_eq!(row.text("deadline"), "decoding");
        assert_eq!(row.text("source"), "decoder");
        assert_eq!(row.number("observed"), miss.observed.into());
        assert_eq!(row.number("allowed"), miss.allowed.into());
        assert_eq!(row.text("cause"), miss.cause);
        let culprit = row.known("culprit").map(Cell::text);
        assert_eq!(culprit, miss.culprit.as_deref());
    }
    assert!(report.misses.iter().any(|miss| miss.culprit.is_some()));
}

#[test]
fn busy_times_and_slots_are_those_of_the_report() {
    let mut camera = common::open("firmware/camera/memory.bin.gz");
    let declared = r#"
        [[hardware]]
        name = "link"
        kick = 'kind == "tx_queue_send"'
        done = 'kind == "tx_queue_receive"'
        [[slots]]
        name = "frame"
        anchor = 'kind == "ISR enter"'
        cycle = "10ms"
        slots = [{ subject = "link", offset = "10us", length = "100us" }]
    "#;
    camera.apply_timing(&TimingDeclarations::parse(declared).unwrap());
    let report = hardware(&camera.view());
    let ([unit], [slot]) = (&report.units[..], &report.slots[..]) else {
        panic!("one unit and one slot");
    };
    let spans = camera.grid(Table::HardwareSpans);
    let known = |column| {
        let values = spans.rows().filter_map(move |row| row.known(column));
        values.map(Cell::number)
    };
    assert!(unit.kicks > 40, "{}", unit.kicks);
    assert_eq!(spans.rows().count() as u64, unit.kicks);
    assert!(spans.rows().all(|row| row.is("hardware", "link")));
    let (busy, down) = (unit.busy.as_ref().unwrap(), unit.down.as_ref().unwrap());
    assert_eq!(known("busy").count() as u64, busy.count);
    assert_eq!(known("busy").max(), Some(busy.max.into()));
    assert_eq!(known("down").count() as u64, down.count);
    assert_eq!(known("down").min(), Some(down.min.into()));
    let share = |column| {
        let ticks: i128 = known(column).sum();
        ticks as f64 * 100.0 / unit.busy_time as f64
    };
    for (column, percent) in [
        ("cpu_worked", unit.cpu_worked_percent),
        ("cpu_idle", unit.cpu_idle_percent),
    ] {
        let (share, percent) = (share(column), percent.unwrap());
        assert!(
            (share - percent).abs() < 0.01,
            "{column}: {share} {percent}"
        );
    }
    for row in spans.rows().filter(|row| row.is("ending", "ended")) {
        assert_eq!(row.number("busy"), row.number("end") - row.number("start"));
    }
    let slots = camera.grid(Table::SlotSpans);
    assert_eq!(slots.rows().count() as u64, slot.spans);
    let unplanned = slots.count(|row| row.known("planned_start").is_none());
    assert_eq!(unplanned, slot.unplanned.into());
    let is_outside = |row: &Row<'_>| {
        let ticks = |column| row.known(column).map_or(0, Cell::number);
        ticks("early") + ticks("late") > 0
    };
    assert_eq!(slots.count(is_outside), slot.outside.into());
    assert!(slot.outside > 0 && slot.spans > 40);
    let late = slots.rows().filter_map(|row| row.known("late"));
    assert_eq!(late.map(Cell::number).max(), Some(slot.max_late.into()));
}

#[test]
fn lines_of_text_logs_have_their_times() {
    let mut camera = common::open("firmware/camera/memory.bin.gz");
    let first = camera.trace.events.timestamp(EventIndex(0)).unwrap();
    let text = format!("{} boot\n{} frame\nmore\n", first - 25, first + 50);
    let options = TextLogOptions {
        format: Some("{ticks} {text}".parse().unwrap()),
        ..TextLogOptions::default()
    };
    camera
        .add_text_log(TextLog::read("console", text.as_bytes(), &options, &camera.trace).unwrap());
    let lines = camera.grid(Table::TextLogLines);
    let found = lines.rows().map(|row| {
        let times = [row.number("time"), row.number("time_ns")];
        (
            times,
            row.text("text").to_owned(),
            row.holds("is_continuation"),
        )
    });
    let expected = [
        ([-25, -1_000], "boot".to_owned(), false),
        ([50, 2_000], "frame".to_owned(), false),
        ([50, 2_000], "more".to_owned(), true),
    ];
    assert_eq!(found.collect::<Vec<_>>(), expected);
}
