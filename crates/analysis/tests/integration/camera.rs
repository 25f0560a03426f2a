//! The real recordings of the camera's program: the causes that delay its frames are
//! those that it injected.

use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::{DelayCause, DelayCauses, DelayPart};
use rtoscope_decode::cswitch::{BufferLocation, CswitchInterpreter, CswitchOptions, LogImage};
use rtoscope_decode::source::Input;
use rtoscope_decode::symbols::Firmware;
use rtoscope_decode::{BufferChoice, open, threadx};
use rtoscope_fixtures::{read_testdata, testdata};
use rtoscope_trace::{ContextId, EventIndex, Trace, WaitReason};
use serde_json::Value;
use std::ops::Range;
use std::sync::Arc;

/// The threads that a frame passes, with the times at which they receive and leave it.
const STAGES: [(&str, &str, &str); 3] = [
    ("decoder", "decoder_received", "decoder_sent"),
    ("filter", "filter_received", "filter_sent"),
    ("display", "display_received", "shown"),
];

/// A recording with the program's own truth.
struct Camera {
    trace: Trace,
    schedule: Schedule,
    truth: Value,
}

/// A cause in the words of the truth, and the thread that delays the frame.
type Found = (&'static str, Option<String>);

impl Camera {
    fn trace_buffer() -> Self {
        let image = read_testdata("firmware/camera/memory.bin.gz");
        let opened = open(Input::new(&image), BufferChoice::First).unwrap();
        let trace = opened.decode(&threadx::ThreadXOptions::default()).unwrap();
        let trace = trace.trace;
        let mut interpreter = threadx::ThreadXInterpreter::new(&trace);
        let schedule = Schedule::from_trace(&trace, &mut interpreter);
        Self::new(trace, schedule)
    }

    fn log() -> Self {
        let image = read_testdata("firmware/camera/memory.bin.gz");
        let firmware = Firmware::open(testdata("firmware/camera/camera.elf")).unwrap();
        let options = CswitchOptions {
            location: BufferLocation {
                base: Some(0x2000_0000),
                ..BufferLocation::default()
            },
            firmware: vec![Arc::new(firmware)],
            ..CswitchOptions::default()
        };
        let log = LogImage::open(Input::new(&image)).unwrap();
        let trace = log.decode(&options).unwrap().trace;
        let schedule = Schedule::from_trace(&trace, &mut CswitchInterpreter::default());
        Self::new(trace, schedule)
    }

    fn new(trace: Trace, schedule: Schedule) -> Self {
        let truth = read_testdata("firmware/camera/truth.json");
        let truth = serde_json::from_slice(&truth).unwrap();
        Self {
            trace,
            schedule,
            truth,
        }
    }

    fn thread(&self, name: &str) -> ContextId {
        let mut threads = self.trace.contexts.threads();
        threads.find(|it| self.name(it.id) == name).unwrap().id
    }

    fn name(&self, context: ContextId) -> String {
        self.trace.context_name(context).to_string()
    }

    /// The time of a counter's value.
    fn time(&self, frame: &Value, key: &str) -> u64 {
        let first = self.trace.events.timestamp(EventIndex(0)).unwrap();
        frame[key].as_u64().unwrap() - first
    }

    /// The longest cause other than running in a window of a thread, if it is longer than
    /// half a millisecond.
    fn longest_delay(&self, thread: &str, window: Range<u64>) -> Option<Found> {
        let causes = DelayCauses::new(&self.trace, &self.schedule);
        let parts = causes.breakdown(self.thread(thread), window.clone());
        let sum: u64 = parts.iter().map(DelayPart::ticks).sum();
        assert_eq!(sum, window.end - window.start);
        let totals = DelayCauses::totals(&parts);
        let mut delays = totals.iter().filter(|it| it.cause != DelayCause::Running);
        let longest = delays.next().filter(|it| it.ticks.0 > 12_500)?;
        Some(match longest.cause {
            DelayCause::PreemptedBy(other) => ("preempted", Some(self.name(other))),
            DelayCause::OffCore(other) => ("off core", Some(self.name(other))),
            DelayCause::InterruptsOff(section) => {
                let section = &self.schedule.interrupts_off[section as usize];
                ("interrupts off", Some(self.name(section.context)))
            }
            DelayCause::Waiting {
                wait_reason: WaitReason::Mutex,
                owner,
                ..
            } => ("blocked", owner.map(|owner| self.name(owner))),
            DelayCause::Waiting {
                wait_reason: WaitReason::Semaphore,
                ..
            } => ("refresh", None),
            other => panic!("{other:?}"),
        })
    }

    /// Compares the longest delay of each frame in each stage with the expected one.
    fn compare(&self, expected: impl Fn(&str, &Value) -> Option<Found>) {
        for frame in self.truth["frames"].as_array().unwrap() {
            for (stage, from, to) in STAGES {
                if frame["verdict"] == "dropped" {
                    continue;
                }
                let window = self.time(frame, from)..self.time(frame, to);
                let found = self.longest_delay(stage, window);
                assert_eq!(found, expected(stage, frame), "{stage}: {frame}");
            }
        }
    }
}

/// What the program does to a frame in a stage, and the thread that does it.
fn injected<'f>(frame: &'f Value, stage: &str) -> (&'f str, Option<String>) {
    if frame["stage"] != stage {
        return ("nothing", None);
    }
    let culprit = frame["culprit"].as_str().map(str::to_owned);
    (frame["cause"].as_str().unwrap(), culprit)
}

/// Whether the display waits for its next interrupt: it shows late frames at once, except
/// the one whose interrupt comes late.
fn awaits_refresh(stage: &str, frame: &Value) -> bool {
    stage == "display" && (frame["verdict"] == "on time" || frame["stage"] == "display")
}

#[test]
fn trace_buffer_shows_what_delays_each_frame() {
    Camera::trace_buffer().compare(|stage, frame| {
        let (cause, culprit) = injected(frame, stage);
        match cause {
            // The buffer does not record when interrupts are off.
            _ if awaits_refresh(stage, frame) => Some(("refresh", None)),
            "preempted" => Some(("preempted", culprit)),
            "blocked" => Some(("blocked", culprit)),
            // The frame is delayed before the decoder receives it.
            "busy" | "nothing" => None,
            other => panic!("{other}"),
        }
    });
}

#[test]
fn log_shows_what_delays_each_frame() {
    Camera::log().compare(|stage, frame| {
        let (cause, culprit) = injected(frame, stage);
        match cause {
            "interrupts off" => Some(("interrupts off", culprit)),
            _ if awaits_refresh(stage, frame) => Some(("off core", Some("(idle)".to_owned()))),
            // The log does not record why a thread does not run.
            "preempted" | "blocked" => Some(("off core", culprit)),
            "busy" | "nothing" => None,
            other => panic!("{other}"),
        }
    });
}
