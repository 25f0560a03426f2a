//! Readers reconstruct the schedule of another kernel that records as described in the
//! module's documentation.

use super::support::{LocalRecorder, ManualClock, NonNestingMask, memory, set_time, take_bytes};
use rtoscope_analysis::schedule::{RunningContext, Schedule};
use rtoscope_decode::source::Input;
use rtoscope_decode::threadx::{ThreadXInterpreter, ThreadXOptions};
use rtoscope_decode::{BufferChoice, open};
use rtoscope_record::threadx::{Thread, ThreadState, Ulong, WAIT_FOREVER, buffer_words};

const LOW: Thread = Thread::new(0x1000, 20);
const HIGH: Thread = Thread::new(0x2000, 10);
const SEMAPHORE: usize = 0x3000;

/// The running contexts and their start times, as a reader reconstructs them.
fn schedule(recorder: &LocalRecorder<Ulong>) -> Vec<(u64, String)> {
    recorder.disable().unwrap();
    let bytes = take_bytes(recorder);
    let recording = open(Input::new(&bytes[..]), BufferChoice::First).unwrap();
    let trace = recording.decode(&ThreadXOptions::default()).unwrap().trace;
    let schedule = Schedule::from_trace(&trace, &mut ThreadXInterpreter::new(&trace));
    assert_eq!(schedule.unrecorded, 0);
    let context_name = |running| match running {
        RunningContext::Thread(id) => {
            let address = trace.contexts.get(id).unwrap().address;
            trace.objects.at(address).next().unwrap().display_name()
        }
        RunningContext::Isr(id) => {
            let activation = schedule.activations.get(id.index()).unwrap();
            schedule.isr_name(activation.number)
        }
        other => format!("{other:?}"),
    };
    let slices = schedule.cores[0].iter();
    slices
        .map(|(slice, _)| (slice.start.0, context_name(slice.running.running_context())))
        .collect()
}

fn started() -> LocalRecorder<Ulong> {
    let recorder = LocalRecorder::new(NonNestingMask::default(), ManualClock);
    set_time(0);
    recorder
        .enable(memory(buffer_words::<Ulong>(4, 50)), 4)
        .unwrap();
    recorder.register_thread(LOW, "low", 0x4000, 0x400);
    recorder.register_thread(HIGH, "high", 0x5000, 0x400);
    recorder
}

#[test]
fn completed_fields_are_sufficient() {
    let recorder = started();
    let at = |now| set_time(now);
    at(10);
    let pending = recorder.resume(HIGH.address, ThreadState::SUSPENDED);
    recorder.complete_field(pending, HIGH.address as Ulong);
    recorder.enter_thread(HIGH);
    at(20);
    recorder.semaphore_get(SEMAPHORE, WAIT_FOREVER, 0);
    let pending = recorder.suspend(HIGH.address, ThreadState::SEMAPHORE);
    recorder.complete_field(pending, LOW.address as Ulong);
    recorder.enter_thread(LOW);
    at(30);
    recorder.user_event(4096, [0; 4]);
    at(40);
    recorder.isr_enter(5);
    recorder.semaphore_put(SEMAPHORE, 0, 1);
    let pending = recorder.resume(HIGH.address, ThreadState::SEMAPHORE);
    recorder.complete_field(pending, HIGH.address as Ulong);
    recorder.enter_thread(HIGH);
    at(50);
    recorder.isr_exit(5);
    at(60);
    recorder.user_event(4097, [0; 4]);
    at(70);
    let pending = recorder.suspend(HIGH.address, ThreadState::SLEEP);
    recorder.complete_field(pending, LOW.address as Ulong);
    recorder.enter_thread(LOW);
    at(80);
    let pending = recorder.suspend(LOW.address, ThreadState::SLEEP);
    recorder.complete_field(pending, 0);
    recorder.enter_idle();
    at(90);
    recorder.isr_enter(6);
    at(100);
    recorder.isr_exit(6);
    at(110);
    recorder.isr_enter(6);
    at(120);
    recorder.isr_exit(6);
    let found = schedule(&recorder);
    let expected = [
        (20, "low"),
        (40, "ISR 5"),
        (50, "high"),
        (70, "low"),
        (80, "Idle"),
        (90, "ISR 6"),
        (100, "Idle"),
        (110, "ISR 6"),
    ]
    .map(|(start, context_name)| (start, context_name.to_owned()));
    assert_eq!(found[found.len() - expected.len()..], expected);
}

#[test]
fn dispatch_events_alone_are_sufficient() {
    let recorder = started();
    for round in 0..4 {
        set_time(100 * round + 10);
        recorder.dispatch(HIGH);
        set_time(100 * round + 50);
        let _ = recorder.suspend(HIGH.address, ThreadState::SLEEP);
        set_time(100 * round + 60);
        recorder.dispatch(LOW);
        set_time(100 * round + 90);
        recorder.enter_interrupt();
        let _ = recorder.resume(HIGH.address, ThreadState::SLEEP);
        recorder.leave_interrupt();
    }
    let found = schedule(&recorder);
    let thread = |time: u64| {
        let before = found.iter().rev().find(|(start, _)| *start <= time);
        before.map(|(_, context_name)| context_name.as_str())
    };
    for round in 0..3 {
        assert_eq!(thread(100 * round + 40), Some("high"), "{found:?}");
        assert_eq!(thread(100 * round + 75), Some("low"), "{found:?}");
    }
}
