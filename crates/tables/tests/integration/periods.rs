//! The table of periods contains what the report shows, and the activations of
//! context-switch logs what is recorded.

use crate::common::{self, Cell, Row, each};
use rtoscope_analysis::report::Distribution;
use rtoscope_analysis::report::periods::{PeriodRow, periods};
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_tables::Table;
use rtoscope_trace::SwitchModel;
use std::collections::BTreeMap;

/// Rows and sums of `period`, `response` and `cpu_time` by source and kind.
type Sums = BTreeMap<(String, String), [(u64, i128); 4]>;

fn add_distribution(sum: &mut (u64, i128), distribution: Option<&Distribution>) {
    if let Some(it) = distribution {
        sum.0 += it.count;
        sum.1 += (it.mean * it.count as f64).round() as i128;
    }
}

fn report_sums(rows: &[PeriodRow]) -> Sums {
    let mut sums = Sums::new();
    for row in rows {
        let key = (row.name.clone(), row.kind.to_owned());
        let [all, period, response, cpu_time] = sums.entry(key).or_default();
        all.0 += row.activations;
        add_distribution(period, row.period.as_ref());
        add_distribution(response, row.response.as_ref());
        add_distribution(cpu_time, row.cpu_time.as_ref());
    }
    sums
}

fn add_row(sums: &mut Sums, row: &Row<'_>) {
    let key = (
        row.text("source").to_owned(),
        row.text("source_kind").to_owned(),
    );
    let [all, rest @ ..] = sums.entry(key).or_default();
    all.0 += 1;
    for (sum, column) in rest.iter_mut().zip(["period", "response", "cpu_time"]) {
        if let Some(ticks) = row.known(column) {
            sum.0 += 1;
            sum.1 += ticks.number();
        }
    }
}

#[test]
fn periods_match_the_report() {
    let kinds = std::cell::RefCell::new(BTreeMap::<String, u64>::new());
    each(|opened| {
        let view = opened.view();
        if !view.trace.clock.measures_time() {
            // Ticks are not durations then: the report has none.
            return;
        }
        let mut found = Sums::new();
        for row in opened.grid(Table::Periods).rows() {
            add_row(&mut found, &row);
            *kinds
                .borrow_mut()
                .entry(row.text("source_kind").to_owned())
                .or_default() += 1;
            let previous = row.known("previous_start").map(Cell::number);
            let period = row.known("period").map(Cell::number);
            assert_eq!(previous, period.map(|period| row.number("start") - period));
        }
        let expected = report_sums(&periods(&view, &[]));
        assert_eq!(found.len(), expected.len(), "{}", &opened.info.name);
        for (key, sums) in &expected {
            for ((count, sum), (found_count, found_sum)) in sums.iter().zip(&found[key]) {
                assert_eq!(count, found_count, "{key:?} of {}", &opened.info.name);
                // The report rounds its means.
                let tolerance = 1.0 + *count as f64 * 0.001;
                assert!(((sum - found_sum) as f64).abs() <= tolerance, "{key:?}");
            }
        }
    });
    let kinds: Vec<_> = kinds.into_inner().into_keys().collect();
    assert_eq!(kinds, ["dispatch", "interrupt", "state", "thread"]);
}

#[test]
fn threads_of_logs_are_activated_when_they_get_a_core() {
    let compared = std::cell::Cell::new(0);
    each(|opened| {
        let view = opened.view();
        if view.trace.switch_model == SwitchModel::Inferred {
            return;
        }
        let activations = opened.grid(Table::Activations);
        let resumptions = view.schedule.resumptions.iter();
        let starts = resumptions.filter(|resumption| !resumption.continues);
        assert_eq!(
            activations.rows().count(),
            starts.count(),
            "{}",
            &opened.info.name
        );
        let periods = opened.grid(Table::Periods);
        let threads = periods.rows().filter(|it| it.is("source_kind", "thread"));
        for (row, expected) in activations.rows().zip(threads) {
            for column in ["context_id", "start", "period", "jitter", "first_event"] {
                assert_eq!(row.get(column), expected.get(column), "{column}");
            }
            for column in ["by_interrupt", "wake_up", "response", "suspend_event"] {
                assert_eq!(*row.get(column), Cell::Missing, "{column}");
            }
            compared.set(compared.get() + 1);
        }
    });
    assert!(compared.get() > 300, "{compared:?} activations");
}

#[test]
fn events_have_periods_if_they_have_deadlines() {
    let mut short = common::open("threadx/cm3_short.trx");
    let is_event = |row: &Row<'_>| row.is("source_kind", "event");
    assert_eq!(short.grid(Table::Periods).count(is_event), 0);
    let event = "[[deadline]]\nname = \"x\"\nevent = \"tx_thread_sleep\"\nperiod = \"1 ticks\"\n";
    short.apply_timing(&TimingDeclarations::parse(event).unwrap());
    let sleeps = short.grid(Table::Events);
    let sleeps = sleeps.count(|it| it.is("kind", "tx_thread_sleep"));
    assert!(sleeps > 0);
    assert_eq!(short.grid(Table::Periods).count(is_event), sleeps);
}
