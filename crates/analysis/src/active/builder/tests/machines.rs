//! Steps, states, transitions, timers and deferrals.

use super::*;
use crate::active::TimerEnding;

#[test]
fn steps_last_from_the_take_to_the_outcome() {
    let found = active(
        &[
            ActiveObjectEvent::Restart,
            ActiveObjectEvent::Initial {
                object: A,
                state: IDLE,
            },
            transition(A, IDLE, Some(IDLE)),
            enter(A, IDLE),
            settle(A, IDLE),
            done(A, PROCESSED),
            ActiveObjectEvent::Activate { object: A },
            post(A, GO, 1),
            take(A, GO, 0),
            dispatch(A, GO, IDLE),
            transition(A, IDLE, Some(BUSY)),
            exit(A, IDLE),
            enter(A, BUSY),
            settle(A, BUSY),
            done(A, PROCESSED),
            ActiveObjectEvent::None,
        ],
        &[],
    );
    assert_eq!(found.objects, [A]);
    let [creation, step] = found.steps.as_slice() else {
        panic!("{:?}", found.steps);
    };
    assert_eq!(
        step_extent(creation),
        (1, 5, StepEnding::Recorded(PROCESSED))
    );
    assert!(creation.initial && creation.signal.is_none());
    assert_eq!((creation.before, creation.after), (None, Some(IDLE)));
    assert_eq!(step_extent(step), (8, 14, StepEnding::Recorded(PROCESSED)));
    assert_eq!((step.start, step.end), (Ticks(80), Ticks(140)));
    assert_eq!((step.before, step.after), (Some(IDLE), Some(BUSY)));
    assert_eq!(step.signal, Some(GO));
    assert_eq!(taken(&found), [Some(8)]);

    let transitions = &found.transitions;
    let recorded = |at: usize| {
        let one = &transitions[at];
        (one.initial, one.trigger, one.settled)
    };
    assert_eq!(recorded(0), (true, None, Some(IDLE)));
    assert_eq!(recorded(1), (false, Some(GO), Some(BUSY)));
    let intervals = [(IDLE, 40, 130, true), (BUSY, 130, 150, true)];
    assert_eq!(states(&found.state_intervals[A.index()]), intervals);
    let active_intervals = [(IDLE, 30, 110, true), (BUSY, 120, 150, true)];
    assert_eq!(
        states(&found.active_state_intervals[A.index()]),
        active_intervals
    );
}

#[test]
fn a_false_guard_ends_a_step_only_after_the_search() {
    let found = active(
        &[
            take(A, GO, 0),
            done(A, StepOutcome::GuardFalse),
            done(A, StepOutcome::GuardFalse),
            dispatch(A, GO, IDLE),
            transition(A, IDLE, None),
            done(A, PROCESSED),
            take(A, GO, 0),
            done(A, StepOutcome::GuardFalse),
            dispatch(A, GO, IDLE),
            done(A, StepOutcome::Unhandled),
            take(A, GO, 0),
            dispatch(A, GO, IDLE),
            transition(A, IDLE, Some(BUSY)),
            done(A, StepOutcome::GuardFalse),
            take(A, GO, 0),
            dispatch(A, GO, IDLE),
            done(A, StepOutcome::NoBranch),
        ],
        &[],
    );
    let recorded = |outcome| StepEnding::Recorded(outcome);
    let steps: Vec<_> = found.steps.iter().map(step_extent).collect();
    let expected = [
        (0, 5, recorded(PROCESSED)),
        (6, 9, recorded(StepOutcome::Unhandled)),
        (10, 13, recorded(StepOutcome::GuardFalse)),
        (14, 16, recorded(StepOutcome::NoBranch)),
    ];
    assert_eq!(steps, expected);
    let guards: Vec<_> = found.steps.iter().map(|step| step.guards_false).collect();
    assert_eq!(guards, [2, 1, 1, 0]);
    assert!(found.steps.iter().all(|step| step.after == Some(IDLE)));
    let settled: Vec<_> = found.transitions.iter().map(|one| one.settled).collect();
    // An internal transition stays in its state; the other one did not
    // complete.
    assert_eq!(settled, [Some(IDLE), None]);
    // The machine is known to be in the state from the first record of it on.
    assert_eq!(
        states(&found.state_intervals[A.index()]),
        [(IDLE, 30, 160, true)]
    );
}

#[test]
fn completion_events_have_their_own_steps() {
    let completion = Signal(0xFE);
    let found = active(
        &[
            take(A, GO, 0),
            dispatch(A, GO, IDLE),
            transition(A, IDLE, Some(BUSY)),
            settle(A, BUSY),
            done(A, PROCESSED),
            done(A, StepOutcome::GuardFalse),
            dispatch(A, completion, BUSY),
            transition(A, BUSY, Some(IDLE)),
            settle(A, IDLE),
            done(A, PROCESSED),
        ],
        &[],
    );
    let steps: Vec<_> = found.steps.iter().map(step_extent).collect();
    let recorded = StepEnding::Recorded(PROCESSED);
    assert_eq!(steps, [(0, 4, recorded), (5, 9, recorded)]);
    let second = &found.steps[1];
    assert_eq!((second.signal, second.guards_false), (Some(completion), 1));
    assert_eq!(found.transitions[1].trigger, Some(completion));
}

#[test]
fn steps_of_several_objects_nest() {
    let found = active(
        &[
            take(A, GO, 0),
            take(B, STOP, 0),
            dispatch(B, STOP, IDLE),
            done(B, PROCESSED),
            dispatch(A, GO, IDLE),
            take(B, STOP, 0),
            done(A, PROCESSED),
        ],
        &[],
    );
    let steps: Vec<_> = found.steps.iter().map(step_extent).collect();
    let recorded = StepEnding::Recorded(PROCESSED);
    assert_eq!(
        steps,
        [(0, 6, recorded), (1, 3, recorded), (5, 5, StepEnding::Open)]
    );
    assert_eq!(found.steps[2].end, Ticks(60));
}

#[test]
fn filtered_records_leave_steps_with_unrecorded_ends() {
    // No record of the end.
    let found = active(
        &[take(A, GO, 0), dispatch(A, GO, IDLE), take(A, GO, 0)],
        &[],
    );
    let steps: Vec<_> = found.steps.iter().map(step_extent).collect();
    assert_eq!(
        steps,
        [
            (0, 1, StepEnding::Unrecorded),
            (2, 2, StepEnding::Unrecorded)
        ]
    );

    // No record of the signal, as if the target filters it out.
    let found = active(
        &[
            ActiveObjectEvent::Restart,
            transition(A, IDLE, Some(BUSY)),
            settle(A, BUSY),
            done(A, PROCESSED),
        ],
        &[],
    );
    let steps: Vec<_> = found.steps.iter().map(step_extent).collect();
    assert_eq!(steps, [(1, 3, StepEnding::Recorded(PROCESSED))]);
    assert_eq!(
        (found.steps[0].signal, found.steps[0].initial),
        (None, false)
    );
}

#[test]
fn a_gap_ends_open_steps_and_states() {
    let found = active(
        &[
            take(A, GO, 0),
            enter(A, BUSY),
            settle(A, BUSY),
            ActiveObjectEvent::TimerStart {
                timer: Address(0x99),
                object: A,
                ticks: 5,
                period: 0,
            },
            ActiveObjectEvent::None,
            transition(A, IDLE, Some(IDLE)),
            settle(A, IDLE),
            done(A, PROCESSED),
            take(A, STOP, 0),
            done(A, PROCESSED),
        ],
        &[5],
    );
    let steps: Vec<_> = found.steps.iter().map(step_extent).collect();
    let lost = (0, 2, StepEnding::Lost);
    assert_eq!(steps, [lost, (8, 9, StepEnding::Recorded(PROCESSED))]);
    let intervals = [(BUSY, 20, 40, false), (IDLE, 60, 90, true)];
    assert_eq!(states(&found.state_intervals[A.index()]), intervals);
    let active_intervals = [(BUSY, 10, 40, false)];
    assert_eq!(
        states(&found.active_state_intervals[A.index()]),
        active_intervals
    );
    let transition = &found.transitions[0];
    assert_eq!((transition.step, transition.settled), (None, Some(IDLE)));
    let timer = &found.timer_runs[0];
    assert_eq!((timer.end, timer.ending), (Ticks(40), TimerEnding::Lost));

    // So does one at the end.
    let found = active(&[settle(A, BUSY), ActiveObjectEvent::None], &[2]);
    assert_eq!(
        states(&found.state_intervals[A.index()]),
        [(BUSY, 0, 10, false)]
    );
}

#[test]
fn a_restart_ends_open_steps_and_states() {
    let found = active(
        &[
            settle(A, BUSY),
            post(A, GO, 1),
            ActiveObjectEvent::Restart,
            post(A, STOP, 1),
            take(A, STOP, 0),
        ],
        &[],
    );
    assert_eq!(
        states(&found.state_intervals[A.index()]),
        [(BUSY, 0, 10, false)]
    );
    assert_eq!(taken(&found), [None, Some(4)]);
}

#[test]
fn termination_ends_an_objects_states() {
    let found = active(
        &[
            take(A, GO, 0),
            settle(A, BUSY),
            ActiveObjectEvent::Terminate { object: A },
            done(A, PROCESSED),
            ActiveObjectEvent::None,
        ],
        &[],
    );
    assert_eq!(
        states(&found.state_intervals[A.index()]),
        [(BUSY, 10, 30, true)]
    );
}

#[test]
fn contradicting_states_count_while_confirmed() {
    let found = active(
        &[
            dispatch(A, GO, IDLE),
            done(A, PROCESSED),
            dispatch(A, GO, IDLE),
            done(A, PROCESSED),
            dispatch(A, GO, BUSY),
            done(A, PROCESSED),
        ],
        &[],
    );
    let intervals = [(IDLE, 0, 20, false), (BUSY, 40, 50, true)];
    assert_eq!(states(&found.state_intervals[A.index()]), intervals);
}

#[test]
fn timers_run_until_they_expire_are_stopped_or_started_again() {
    let timer = Address(0x99);
    let start = |ticks, period| ActiveObjectEvent::TimerStart {
        timer,
        object: A,
        ticks,
        period,
    };
    let expire = ActiveObjectEvent::TimerExpire {
        timer,
        object: A,
        signal: GO,
    };
    let found = active(
        &[
            start(5, 0),
            start(7, 3),
            expire,
            post(B, GO, 1),
            post(A, GO, 1),
            expire,
            take(A, GO, 0),
            post(A, GO, 1),
            ActiveObjectEvent::TimerStop {
                timer,
                remaining: 2,
            },
            ActiveObjectEvent::TimerRemove { timer },
            start(9, 0),
            ActiveObjectEvent::TimerRemove { timer },
            start(4, 0),
            ActiveObjectEvent::TimerStop {
                timer,
                remaining: 0,
            },
            start(4, 0),
            ActiveObjectEvent::None,
        ],
        &[],
    );
    let runs = found.timer_runs.iter();
    let runs: Vec<_> = runs
        .map(|run| {
            let post = run.post.map(|post| post.0);
            (
                run.ticks,
                run.periodic,
                run.start.0,
                run.end.0,
                run.ending,
                post,
            )
        })
        .collect();
    let expected = [
        (5, false, 0, 10, TimerEnding::Restarted, None),
        (7, false, 10, 20, TimerEnding::Expired, Some(1)),
        // The next post is not its own: another object was served in between.
        (3, true, 20, 50, TimerEnding::Expired, None),
        (3, true, 50, 80, TimerEnding::Stopped { remaining: 2 }, None),
        (9, false, 100, 110, TimerEnding::Expired, None),
        (4, false, 120, 130, TimerEnding::Lost, None),
        (4, false, 140, 150, TimerEnding::Running, None),
    ];
    assert_eq!(runs, expected);
    assert!(
        found.timer_runs[1..]
            .iter()
            .all(|run| run.signal == Some(GO))
    );
}

#[test]
fn deferred_events_are_recalled() {
    let queue = Address(0x77);
    let defer = ActiveObjectEvent::Defer { queue, signal: GO };
    let recall = ActiveObjectEvent::Recall {
        object: A,
        signal: GO,
    };
    let steps = [
        ActiveObjectEvent::Restart,
        post(A, GO, 1),
        take(A, GO, 0),
        defer,
        done(A, PROCESSED),
        post(A, STOP, 1),
        take(A, STOP, 0),
        post_front(A, GO, 1),
        recall,
        done(A, PROCESSED),
        take(A, GO, 0),
        done(A, PROCESSED),
    ];
    let found = active(&steps, &[]);
    let deferral = &found.deferrals[0];
    assert_eq!((deferral.object, deferral.queue), (Some(A), queue));
    let recalled = found.posts[deferral.recalled.unwrap().index()];
    assert_eq!((recalled.event, recalled.recalled), (EventIndex(7), true));
    assert_eq!(taken(&found), [Some(2), Some(6), Some(10)]);

    // After a gap the queue can hold another event.
    let found = active(&steps, &[1]);
    assert_eq!(found.deferrals[0].recalled, None);
    assert!(found.posts[2].recalled);

    // Two objects handle the signal.
    let found = active(&[take(A, GO, 0), take(B, GO, 0), defer], &[]);
    assert_eq!(found.deferrals[0].object, None);
}

#[test]
fn actions_and_calls_are_recorded() {
    let function = Address(0x1234);
    let action = ActiveObjectEvent::Action {
        object: A,
        role: ActionRole::Entry,
        state: IDLE,
        function,
    };
    let call = ActiveObjectEvent::Call {
        function,
        from: Endpoint::Object(B),
        to: Endpoint::Other(Address(5)),
    };
    let found = active(&[action, call], &[]);
    let action = &found.actions[0];
    assert_eq!(
        (action.role, action.function),
        (ActionRole::Entry, function)
    );
    assert_eq!(found.calls[0].event, EventIndex(1));
    assert_eq!(found.objects, [A, B]);
    assert!(found.steps.is_empty());
}

#[test]
fn a_trace_without_active_object_events_is_empty() {
    let found = active(&[ActiveObjectEvent::None; 3], &[1]);
    assert!(found.is_empty());
    assert_eq!(found, ActiveObjects::default());
}

#[test]
fn unknown_objects_are_ignored() {
    let unknown_context = ContextId(1 << 30);
    let found = active(
        &[take(unknown_context, GO, 0), post(unknown_context, GO, 1)],
        &[],
    );
    assert!(found.is_empty() && found.steps.is_empty());
    assert_eq!(found.posts.len(), 1);
}
