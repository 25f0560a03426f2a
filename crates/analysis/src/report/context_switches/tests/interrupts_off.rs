//! Interrupts-off sections.

use super::super::{UnknownDurations, context_switches};
use super::story;
use crate::fixture::switch_log::{
    A, B, DISABLE, DISABLE_AGAIN, RESTORE, SLEEP, back, enter, exit, on_one_core, resume, with_view,
};
use crate::report::Scope;
use crate::report::findings::{FindingCategory, findings};
use rtoscope_trace::SchedEvent;

#[test]
fn sections_last_from_the_outermost_disabling_to_its_end() {
    with_view(&story(), true, &Scope::default(), |view| {
        let found = context_switches(view).interrupts_off.unwrap();
        assert_eq!((found.count, found.nested), (2, 2));
        assert_eq!(found.share.ticks, 10);
        let duration = found.duration.unwrap();
        assert_eq!((duration.count, duration.max, duration.event), (1, 10, 4));
        let expected = UnknownDurations {
            open: 1,
            ..UnknownDurations::default()
        };
        assert_eq!(found.unknown, expected);
        let [longest, open] = &found.longest[..] else {
            panic!()
        };
        assert_eq!(
            (&*longest.context, longest.ticks, longest.nested),
            ("0x100", 10, 2)
        );
        assert_eq!((longest.complete, longest.ending), (true, "restored"));
        assert_eq!((longest.first_event, longest.last_event), (1, 4));
        let texts =
            [&longest.disabled_at, &longest.enabled_at].map(|it| it.as_ref().unwrap().text.clone());
        assert_eq!(texts, ["lock (lock.c:7)", "0x1004"]);
        assert_eq!(
            (open.complete, open.ending, open.enabled_at.is_none()),
            (false, "open", true)
        );
    });
}

#[test]
fn unrecorded_interrupt_states_are_unknown() {
    let endings = |sched_events: &[(u64, SchedEvent)]| {
        with_view(
            &on_one_core(sched_events),
            true,
            &Scope::default(),
            |view| {
                let found = context_switches(view).interrupts_off.unwrap();
                let longest = found.longest.iter();
                let mut rows: Vec<_> = longest
                    .map(|it| {
                        (
                            it.start_ticks,
                            it.ticks,
                            it.beginning,
                            it.ending,
                            it.complete,
                        )
                    })
                    .collect();
                rows.sort_unstable();
                assert_eq!(
                    found.duration.map_or(0, |it| it.count),
                    found.count - found.unknown.sum()
                );
                rows
            },
        )
    };
    // The interrupt state of the next thread is independent.
    let switched = endings(&[(0, resume(A)), (5, DISABLE), (8, resume(B)), (20, RESTORE)]);
    assert_eq!(switched, [(5, 3, "disabled", "switched", false)]);
    // The second event finds them enabled.
    let unseen = endings(&[
        (5, DISABLE),
        (7, DISABLE_AGAIN),
        (20, DISABLE),
        (22, RESTORE),
    ]);
    let expected = [
        (5, 2, "disabled", "unrecorded", false),
        (20, 2, "disabled", "restored", true),
    ];
    assert_eq!(unseen, expected);
    // They were off before the first event, or after the switch.
    let found = endings(&[
        (5, DISABLE_AGAIN),
        (9, RESTORE),
        (10, back(A)),
        (12, DISABLE_AGAIN),
        (15, SLEEP),
    ]);
    let expected = [
        (5, 4, "found", "restored", false),
        (12, 3, "found", "switched", false),
    ];
    assert_eq!(found, expected);
    // Restoring enabled interrupts has no effect.
    let nothing = with_view(
        &on_one_core(&[(0, resume(A)), (9, RESTORE)]),
        true,
        &Scope::default(),
        context_switches,
    );
    assert_eq!(nothing.interrupts_off, None);
}

impl UnknownDurations {
    fn sum(self) -> u64 {
        self.start_unknown + self.switched + self.unrecorded + self.lost + self.open
    }
}

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
