//! Interrupts-off sections.

use crate::fixture::switch_log::{
    A, DISABLE, RESTORE, SLEEP, enter, exit, on_one_core, resume, with_view,
};
use crate::report::Scope;
use crate::report::findings::{FindingCategory, findings};

#[test]
fn unusually_long_sections_are_a_finding() {
    let finding = |longest: u64| {
        let mut sched_events = vec![(0, resume(A)), (3, enter(0))];
        sched_events.extend([(10, DISABLE), (10 + longest, RESTORE), (400, exit(0))]);
        for start in (1000..2000).step_by(100) {
            sched_events.extend([(start, DISABLE), (start + 3, RESTORE)]);
        }
        with_view(
            &on_one_core(&sched_events),
            true,
            &Scope::default(),
            |view| {
                let all = findings(view).into_iter();
                let mut all = all.filter(|it| it.category == FindingCategory::InterruptsOff);
                all.next()
            },
        )
    };
    assert_eq!(finding(29), None);
    let found = finding(30).unwrap();
    assert_eq!(found.event, Some(2));
    let message = "interrupts were off for 30 ticks, the median of 11 sections is 3 ticks: disabled \
                   in uart_isr at 0x1002, enabled at 0x1003; no interrupts are served during that time";
    assert_eq!(found.message, message);
    // A tenth of the time is a finding by itself.
    let share = with_view(
        &on_one_core(&[(0, DISABLE), (10, RESTORE), (100, SLEEP)]),
        true,
        &Scope::default(),
        |view| {
            findings(view)
                .into_iter()
                .any(|it| it.category == FindingCategory::InterruptsOff)
        },
    );
    assert!(share);
}

#[test]
fn a_section_longer_than_the_period_of_a_handler_is_a_finding() {
    let found = |ticks: u64| {
        let mut events = vec![(0, resume(A)), (3000, DISABLE), (3000 + ticks, RESTORE)];
        events.extend(
            (0..60).flat_map(|tick| [(100 * tick + 50, enter(0)), (100 * tick + 52, exit(0))]),
        );
        // It cannot run meanwhile.
        events.retain(|(time, _)| *time <= 3000 || *time >= 3000 + ticks);
        events.sort_by_key(|(time, _)| *time);
        with_view(&on_one_core(&events), true, &Scope::default(), |view| {
            let mut all = findings(view).into_iter();
            let found = all.find(|it| it.category == FindingCategory::InterruptsOff);
            found.map(|it| it.message)
        })
    };
    assert_eq!(found(90), None);
    let message = found(120).unwrap();
    let expected =
        "interrupts were off for 120 ticks, longer than the period of uart_isr, 100 ticks: ";
    assert!(message.starts_with(expected), "{message}");
}
