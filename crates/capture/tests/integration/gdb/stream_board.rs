//! Boards in QEMU that send a compact stream through RTT, and take commands: an example in C, and
//! tasks of embassy in Rust. Their markers have their own numbers of context switches and
//! interrupts.

use super::qemu::QemuBoard;
use super::watched_source::{SourceMessage, WatchedSource};
use rtoscope_capture::SourceOptions;
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::{DecodeOptions, TargetCommand, cswitch};
use rtoscope_trace::{Event, Trace};
use rtoscope_wire::cswitch::EntryKind;
use rtoscope_wire::cswitch::command::EntryGroup;
use std::path::PathBuf;

/// The markers with the numbers of context switches and of interrupts.
const SWITCHES: u64 = 4;
const INTERRUPTS: u64 = 5;

/// How many bytes are received with each setting.
const BYTES: usize = 150_000;

struct StreamFollower {
    /// Ends after the source, which detaches from it.
    watch: WatchedSource,
    bytes: Vec<u8>,
    _board: QemuBoard,
}

impl StreamFollower {
    /// Boots the program that a variable of the environment names.
    fn new(variable: &str) -> Self {
        let program = std::env::var_os(variable);
        let program = PathBuf::from(program.expect("the variable names the program"));
        let board = QemuBoard::boot(&program);
        Self {
            watch: WatchedSource::with(board.port(), "poll=20", &SourceOptions::default()),
            bytes: Vec::new(),
            _board: board,
        }
    }

    /// Receives some bytes; returns all events so far.
    fn receive(&mut self) -> Trace {
        let end = self.bytes.len() + BYTES;
        while self.bytes.len() < end {
            let bytes = self.watch.until(|message| match message {
                SourceMessage::Bytes(bytes) => Some(bytes),
                _ => None,
            });
            self.bytes.extend(bytes);
        }
        let mut live = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: None,
            max_events: 1_000_000,
        });
        live.push(&self.bytes, HostTime(0));
        let update = live.next_update().unwrap().expect("new events");
        update.recording.trace
    }

    fn filter(&mut self, setting: &str) {
        let command = cswitch::FORMAT.filter_command(setting).unwrap();
        self.watch.send(&command.unwrap()).unwrap();
    }
}

/// Checks that as many context switches and interrupts are between two markers as the program
/// counted, if nothing is lost between them: a busy host may read the stream too late. Returns the
/// number of comparisons.
fn check_counts(trace: &Trace, has_interrupts: bool) -> usize {
    let mut counts = [0_u64; 2];
    let mut last: Option<[u64; 4]> = None;
    let mut switches = None;
    let mut comparisons = 0;
    let mut gaps = trace.gaps.iter().peekable();
    for event in trace.events.iter() {
        if gaps.next_if(|gap| gap.next_event <= event.index).is_some() {
            (last, switches) = (None, None);
        }
        match EntryKind::from_number(event.kind.0) {
            Some(EntryKind::SyncResume) => counts[0] += 1,
            Some(EntryKind::IsrEnter) => counts[1] += 1,
            Some(EntryKind::MarkerInstant) if event.arguments[0] == SWITCHES => {
                switches = Some([counts[0], event.arguments[1]]);
            }
            Some(EntryKind::MarkerInstant) if event.arguments[0] == INTERRUPTS => {
                let Some([found, counted]) = switches.take() else {
                    continue;
                };
                let now = [found, counted, counts[1], event.arguments[1]];
                if let Some(last) = last {
                    assert_eq!(now[0] - last[0], now[1] - last[1], "context switches");
                    if has_interrupts {
                        assert_eq!(now[2] - last[2], now[3] - last[3], "interrupts");
                    }
                    comparisons += 1;
                }
                last = Some(now);
            }
            _ => {}
        }
    }
    comparisons
}

#[test]
#[ignore = "`cargo xtask firmware` builds its program"]
fn a_stream_is_followed_and_commanded() {
    follow_and_command("RTOSCOPE_STREAM_PROGRAM", "camera");
}

#[test]
#[ignore = "`cargo xtask firmware` builds its program"]
fn tasks_of_embassy_are_followed_and_commanded() {
    follow_and_command("RTOSCOPE_EMBASSY_PROGRAM", "sampler");
}

fn follow_and_command(program: &str, thread: &str) {
    let mut follower = StreamFollower::new(program);
    let trace = follower.receive();
    assert!(trace.gaps.iter().all(|gap| gap.missing.is_some()));
    assert!(check_counts(&trace, true) > 5);
    assert!(trace.switch_model.records_states());
    let names: Vec<_> = trace.objects.iter().map(|it| it.name.to_string()).collect();
    assert!(names.contains(&thread.to_owned()), "{names:?}");

    follower.filter("readiness=off");
    follower.filter("interrupts=off");
    // The target may record, and send what it recorded before, between the two commands.
    let both = u64::from(EntryGroup::Readiness.bit() | EntryGroup::Interrupts.bit());
    follower.receive();
    let trace = follower.receive();
    let is_last =
        |event: Event| event.kind.0 == EntryKind::Filter as u32 && event.arguments[0] == both;
    let filtered = trace.events.iter().position(is_last).expect("both");
    let kinds: Vec<_> = trace.events.kinds().map(|kind| kind.0).collect();
    let after = &kinds[filtered..];
    for kind in [EntryKind::Ready, EntryKind::Wait, EntryKind::IsrEnter] {
        assert!(!after.contains(&(kind as u32)), "{kind:?}");
    }
    assert!(after.contains(&(EntryKind::MarkerBegin as u32)));
    assert!(!trace.switch_model.records_states());
    assert!(check_counts(&trace, false) > 20);

    let stop = cswitch::FORMAT.target_command(TargetCommand::Stop).unwrap();
    follower.watch.send(&stop).unwrap();
    let silence = (0..100).any(|_| follower.watch.next().is_none());
    assert!(silence, "the target continues to record");
}
