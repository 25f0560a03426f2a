//! The real recordings of the camera's program: the causes that delay its frames are
//! those that it injected.

use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::pipelines::{ItemOutcome, Pipeline, StageTime};
use rtoscope_analysis::report::communication::communication;
use rtoscope_analysis::report::pipeline::pipelines;
use rtoscope_analysis::schedule::{DelayCause, DelayCauses, DelayPart};
use rtoscope_analysis::timing::TimingDeclarations;
use rtoscope_decode::cswitch::{self, BufferLocation, CswitchOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{
    BufferChoice, DecodeOptions, DecodedRecording, Format, UnpackedInput, threadx,
};
use rtoscope_fixtures::read_testdata;
use rtoscope_symbols::Firmware;
use rtoscope_trace::{ContextId, EventIndex, Frequency, WaitReason};
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
    recording: AnalyzedRecording,
    truth: Value,
}

/// A cause in the words of the truth, and the thread that delays the frame.
type Found = (&'static str, Option<String>);

impl Camera {
    fn trace_buffer() -> Self {
        Self::open(threadx::FORMAT, &DecodeOptions::default())
    }

    fn log() -> Self {
        let firmware = Firmware::read(read_testdata("firmware/camera/camera.elf")).unwrap();
        let cswitch = CswitchOptions {
            location: BufferLocation {
                base: Some(0x2000_0000),
                ..BufferLocation::default()
            },
            firmware: vec![Arc::new(firmware)],
            ..CswitchOptions::default()
        };
        let options = DecodeOptions {
            cswitch,
            ..DecodeOptions::default()
        };
        Self::open(cswitch::FORMAT, &options)
    }

    fn open(format: Format, options: &DecodeOptions) -> Self {
        let image = read_testdata("firmware/camera/memory.bin.gz");
        let input = UnpackedInput::open(Input::new(&image), BufferChoice::First, Some(format));
        let DecodedRecording { trace, format_info } = input.unwrap().decode(options).unwrap();
        let mut recording = AnalyzedRecording::new("camera", "", trace, &format_info);
        recording
            .trace
            .clock
            .set_frequency(Frequency::from_hertz(25_000_000));
        let timing = match recording.markers.is_empty() {
            true => read_testdata("firmware/camera/messages.toml"),
            false => read_testdata("firmware/camera/markers.toml"),
        };
        let timing = TimingDeclarations::parse(std::str::from_utf8(&timing).unwrap()).unwrap();
        recording.apply_timing(&timing).unwrap();
        let truth = read_testdata("firmware/camera/truth.json");
        let truth = serde_json::from_slice(&truth).unwrap();
        Self { recording, truth }
    }

    fn thread(&self, name: &str) -> ContextId {
        let mut threads = self.recording.trace.contexts.threads();
        threads.find(|it| self.name(it.id) == name).unwrap().id
    }

    fn name(&self, context: ContextId) -> String {
        self.recording.trace.context_name(context).to_string()
    }

    /// The time of a counter's value.
    fn time(&self, frame: &Value, key: &str) -> u64 {
        let first = self
            .recording
            .trace
            .events
            .timestamp(EventIndex(0))
            .unwrap();
        frame[key].as_u64().unwrap() - first
    }

    /// The longest cause other than running in a window of a thread, if it is longer than
    /// half a millisecond.
    fn longest_delay(&self, thread: &str, window: Range<u64>) -> Option<Found> {
        let causes = DelayCauses::new(&self.recording.trace, &self.recording.schedule);
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
                let section = self
                    .recording
                    .schedule
                    .interrupts_off
                    .get(section as usize)
                    .unwrap();
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
            "preempted" => Some(("preempted", culprit)),
            // The log does not record what a thread waits for.
            "blocked" => Some(("off core", culprit)),
            "busy" | "nothing" => None,
            other => panic!("{other}"),
        }
    });
}

/// The times of a frame in the truth, and the times at which an item passed.
type TimePair<'t> = (&'t str, Option<StageTime>);

impl Camera {
    fn pipeline(&self) -> &Pipeline {
        &self.recording.pipelines[0]
    }

    /// Compares items with frames, and returns those of the frames that were shown.
    fn compare_items<'t>(&self, times: impl Fn(&Pipeline, usize) -> Vec<TimePair<'t>>) {
        let pipeline = self.pipeline();
        let frames = self.truth["frames"].as_array().unwrap();
        assert_eq!(pipeline.items.len(), frames.len());
        assert_eq!(pipeline.unknown_starts, 0);
        for (frame, index) in frames.iter().zip(0..) {
            let item = &pipeline.items[index];
            assert_eq!(Some(item.number), frame["number"].as_u64());
            for (key, found) in times(pipeline, index) {
                let expected = frame.get(key).map(|_| self.time(frame, key));
                assert_eq!(found.map(|at| at.time.0), expected, "{key} of {frame}");
            }
            if frame["verdict"] == "dropped" {
                assert!(item.is_dropped(), "{item:?}");
                continue;
            }
            assert_eq!(item.outcome, ItemOutcome::Completed);
            let is_late = item.latency() > pipeline.limit().unwrap();
            assert_eq!(is_late, frame["verdict"] == "late", "{item:?}");
        }
    }

    /// The stage, cause and culprit of each miss, by the frame's number.
    fn compare_misses(&self, expected: impl Fn(&Value) -> (String, String)) {
        let rows = pipelines(&self.recording.view());
        let [row] = rows.as_slice() else {
            panic!("{rows:?}");
        };
        let frames = self.truth["frames"].as_array().unwrap().iter();
        let bad: Vec<_> = frames.filter(|it| it["verdict"] != "on time").collect();
        assert_eq!((row.late, row.dropped), (5, 1));
        assert_eq!(row.misses.len(), bad.len());
        for (miss, frame) in row.misses.iter().zip(bad) {
            assert_eq!(Some(miss.item), frame["number"].as_u64());
            assert_eq!(miss.outcome, frame["verdict"], "{miss:?}");
            let (stage, cause) = expected(frame);
            assert_eq!(miss.stage, stage, "{miss:?}");
            assert!(miss.cause.starts_with(&cause), "{miss:?}: {cause}");
            // What fills a queue is not in the truth. The trace buffer does not record
            // when interrupts are off.
            let blocked = cause.starts_with("blocked on refresh");
            if let Some(culprit) = frame["culprit"].as_str().filter(|_| !blocked) {
                assert_eq!(miss.culprit.as_deref(), Some(culprit), "{miss:?}");
            }
        }
    }
}

#[test]
fn messages_show_each_frame_and_what_delays_it() {
    let camera = Camera::trace_buffer();
    camera.compare_items(|pipeline, item| {
        let left = |stage| pipeline.visit(item, stage).and_then(|visit| visit.left);
        vec![
            ("camera_sent", left(0)),
            ("decoder_sent", left(1)),
            ("filter_sent", left(2)),
            ("shown", left(3)),
        ]
    });
    camera.compare_misses(|frame| {
        let culprit = frame["culprit"].as_str().unwrap_or_default();
        let stage = match frame["stage"].as_str().unwrap() {
            "camera" => "ISR 24",
            stage => stage,
        };
        let cause = match frame["cause"].as_str().unwrap() {
            "preempted" => format!("preempted by {culprit} for "),
            "blocked" => format!("blocked on table owned by {culprit} for "),
            "busy" => "waited in raw while decoder had item 14 for 13.".to_owned(),
            "queue full" => "raw was full: decoder had item 14 (preempted by network)".to_owned(),
            // The buffer does not record when interrupts are off.
            "interrupts off" => "blocked on refresh for ".to_owned(),
            other => panic!("{other}"),
        };
        (stage.to_owned(), cause)
    });
}

#[test]
fn markers_show_each_frame_and_what_delays_it() {
    let camera = Camera::log();
    camera.compare_items(|pipeline, item| {
        let visit = |stage| pipeline.visit(item, stage);
        let received = |stage| visit(stage).and_then(|visit| visit.received);
        let left = |stage| visit(stage).and_then(|visit| visit.left);
        vec![
            ("camera_sent", received(0)),
            ("decoder_received", received(1)),
            ("decoder_sent", left(1)),
            ("filter_received", received(2)),
            ("filter_sent", left(2)),
            ("display_received", received(3)),
        ]
    });
    camera.compare_misses(|frame| {
        let culprit = frame["culprit"].as_str().unwrap_or_default();
        let stage = match frame["stage"].as_str().unwrap() {
            "camera" => "frame",
            "decoder" => "decode",
            "display" => "show",
            stage => stage,
        };
        let cause = match frame["cause"].as_str().unwrap() {
            "preempted" => format!("preempted by {culprit} for "),
            // The log does not record what a thread waits for.
            "blocked" => format!("off the core, which ran {culprit} for "),
            "busy" => "waited while decode had item 14 for 13.".to_owned(),
            "queue full" => "later items overtook it".to_owned(),
            "interrupts off" => "interrupts off at ".to_owned(),
            other => panic!("{other}"),
        };
        (stage.to_owned(), cause)
    });
}

#[test]
fn the_communication_is_that_of_the_frames() {
    let camera = Camera::trace_buffer();
    let frames = camera.truth["frames"].as_array().unwrap();
    let count = |key: &str| frames.iter().filter(|it| it[key].is_u64()).count() as u64;
    let found = communication(&camera.recording.view());
    let used = |context: &str, object: &str| {
        let mut uses = found.uses.iter();
        uses.find(|it| it.context == context && it.object == object)
            .unwrap()
    };
    let raw = used("(interrupt)", "raw");
    assert_eq!(raw.puts, count("captured"));
    assert_eq!(raw.puts - raw.refused_puts, count("decoder_received"));
    assert_eq!(used("decoder", "decoded").puts, count("decoder_sent"));
    assert_eq!(used("filter", "ready").puts, count("filter_sent"));
    for (from, object, to, received) in [
        ("(interrupt)", "raw", "decoder", "decoder_received"),
        ("decoder", "decoded", "filter", "filter_received"),
        ("filter", "ready", "display", "display_received"),
    ] {
        let mut flows = found.flows.iter().filter(|it| it.kind == "message");
        let flow = flows.find(|it| it.object.as_deref() == Some(object));
        let flow = flow.unwrap();
        let ends = [flow.from.as_deref(), flow.to.as_deref()];
        assert_eq!(ends, [Some(from), Some(to)]);
        assert_eq!(flow.count, count(received), "{object}");
    }
}
