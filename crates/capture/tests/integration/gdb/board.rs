//! A board in QEMU that records for ever and counts what it recorded: its memory is
//! read through QEMU's stub, and the events are compared with the counts.

use super::qemu::QemuBoard;
use super::watched_source::{SourceMessage, WatchedSource};
use rtoscope_capture::SourceOptions;
use rtoscope_decode::cswitch::{CswitchOptions as LogOptions, LogProbe, ProbeResult};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::memory::Memory;
use rtoscope_decode::threadx::TraceBuffer;
use rtoscope_decode::{DecodeOptions, Format};
use rtoscope_symbols::Firmware;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};
use truth::GroundTruth;

/// How long the board is followed.
const TIME: Duration = Duration::from_secs(6);

/// Capacity of the board's log in entries.
const LOG_ENTRIES: u64 = 4400;

const TRACE: &str = "demo::observers::threadx::BUFFER";

/// The program built by `cargo xtask firmware`.
fn program() -> PathBuf {
    let program = std::env::var_os("RTOSCOPE_ENDLESS_PROGRAM");
    PathBuf::from(program.expect("RTOSCOPE_ENDLESS_PROGRAM names the program"))
}

struct BufferFollower {
    board: QemuBoard,
    firmware: Arc<Firmware>,
    watch: WatchedSource,
    live: LiveDecoder,
    /// Number of received events.
    news: u64,
}

impl BufferFollower {
    fn new(format: Format, options: &str) -> Self {
        let program = program();
        let board = QemuBoard::boot(&program);
        let firmware = Arc::new(Firmware::read(std::fs::read(&program).unwrap()).unwrap());
        let settings = SourceOptions {
            format: Some(format),
            firmware: vec![Arc::clone(&firmware)],
            ..SourceOptions::default()
        };
        let watch = WatchedSource::with(board.port(), options, &settings);
        let live = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: Some(format),
            max_events: 10_000,
        });
        Self {
            board,
            firmware,
            watch,
            live,
            news: 0,
        }
    }

    fn follow(&mut self) {
        let end = Instant::now() + TIME;
        while Instant::now() < end {
            if let Some(SourceMessage::Bytes(bytes)) = self.watch.next() {
                self.push(&bytes);
            }
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        self.live.push(bytes, HostTime(0));
        if let Some(news) = self.live.next_update().unwrap() {
            let events = news.recording.trace.events.len() as u64;
            self.news += events - u64::from(news.overlaps);
        }
    }

    fn address(&self, name: &str) -> u32 {
        let variable = self.firmware.variable(name);
        u32::try_from(variable.expect(name).address.0).unwrap()
    }

    /// Compares the received events with the number written into a ring of this
    /// capacity.
    fn compare(mut self, written: u32, room: u64) {
        let tally = self.live.stats();
        eprintln!("{tally:?}, {:?}", self.watch.messages);
        let unaccounted = u64::from(written).checked_sub(tally.events + tally.missing_events);
        let unaccounted = unaccounted.expect("no more than was written");
        // The number of wraps in a gap is unknown.
        assert_eq!(unaccounted % room, 0, "{unaccounted} of {written}");
        assert!(
            unaccounted == 0 || tally.gaps > 0,
            "{unaccounted} of {written}"
        );
        assert_eq!(self.news, tally.events);
        assert_eq!(tally.unusable, 0);
        assert!(tally.events > room, "{tally:?}");
        assert!(
            self.watch
                .has(SourceMessage::Remark, "each poll halts the target")
        );
        drop(self.watch);
        self.board.wait_until_running();
    }
}

#[test]
#[ignore = "`cargo xtask firmware` builds its program"]
fn a_trace_buffer_is_followed() {
    let mut follower =
        BufferFollower::new(rtoscope_decode::threadx::FORMAT, &format!("symbol={TRACE}"));
    follower.follow();
    let place = follower.address(TRACE);
    let length = follower.firmware.variable(TRACE).unwrap().size as usize;
    let truth = follower.address("GROUND_TRUTH");
    // It may stop while writing an event.
    let (buffer, written, room) = loop {
        follower.board.stop();
        let buffer = follower.board.read(place, length);
        let written = GroundTruth::read(&follower.board.read(truth, GroundTruth::BYTES));
        let written = written.unwrap().totals.txtb_events;
        let memory = Memory::from_file_bytes(&*buffer);
        let header = TraceBuffer::locate(&memory, 0, &mut Vec::new()).unwrap();
        if header.current_slot() == Some(u64::from(written) % header.event_slots) {
            let length = header.bytes() as usize;
            break (buffer[..length].to_vec(), written, header.event_slots);
        }
        follower.board.resume();
    };
    follower.push(&buffer);
    follower.compare(written, room);
}

#[test]
#[ignore = "`cargo xtask firmware` builds its program"]
fn a_context_switch_log_is_followed() {
    let mut follower = BufferFollower::new(rtoscope_decode::cswitch::FORMAT, "");
    follower.follow();
    let options = LogOptions {
        firmware: vec![Arc::clone(&follower.firmware)],
        ..LogOptions::default()
    };
    follower.board.stop();
    let truth = follower.address("GROUND_TRUTH");
    let board = &mut follower.board;
    let read = |address, length| Some(board.read(u32::try_from(address).unwrap(), length));
    let probed = LogProbe::new(options).unwrap().read(read).unwrap();
    let ProbeResult::Container(container) = probed else {
        panic!("{probed:?}");
    };
    let written = GroundTruth::read(&follower.board.read(truth, GroundTruth::BYTES));
    let written = written.unwrap().totals.cswitch_entries;
    follower.push(&container);
    follower.compare(written, LOG_ENTRIES);
}
