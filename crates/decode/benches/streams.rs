//! Decoding speed of streams and files of other recorders: whole files, and live.
//!
//! ```text
//! cargo bench -p rtoscope-decode --bench streams
//! ```

use divan::counter::BytesCount;
use divan::{AllocProfiler, Bencher, black_box};
use rtoscope_decode::live::{HostTime, LiveDecoder, LiveOptions};
use rtoscope_decode::source::Input;
use rtoscope_decode::{BufferChoice, DecodeOptions, Format, UnpackedInput};
use rtoscope_decode::{btf, ctf, percepio, systemview, text_events};
use rtoscope_wire::percepio::{EventHeader, StreamHeader};
use rtoscope_wire::systemview::{PacketWriter, id};
use std::fmt::Write as _;

#[global_allocator]
static ALLOCATOR: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// Size of a recording in bytes; the actual ones are slightly longer.
const BYTES: usize = 32 << 20;

/// An interrupt makes a task ready, which takes an item from a queue and waits again.
fn systemview_stream() -> Vec<u8> {
    const RECEIVE: u32 = 49;
    let mut bytes = Vec::new();
    let mut writer = PacketWriter::new(|byte| bytes.push(byte));
    writer.sync();
    writer.short(id::TRACE_START, &[], None, 1000);
    let properties = [168_000_000, 168_000_000, 0x2000_0000, 2];
    writer.long(id::INIT, &properties, &[], 20);
    writer.short(id::SYSDESC, &[], Some(b"N=bench,O=FreeRTOS"), 20);
    for task in 0..16 {
        writer.short(id::TASK_INFO, &[0x900 + task, task], Some(b"worker"), 50);
    }
    for step in 0..BYTES as u32 / 34 {
        let task = 0x900 + step % 16;
        writer.short(id::ISR_ENTER, &[30 + step % 4], None, 40_000 + step % 77);
        writer.short(id::TASK_START_READY, &[task], None, 310);
        writer.short(id::ISR_TO_SCHEDULER, &[], None, 120);
        writer.short(id::TASK_START_EXEC, &[task], None, 90);
        writer.long(RECEIVE, &[0x1200, 0x5000, 100, 0], &[], 210);
        writer.short(id::TASK_STOP_READY, &[task, 4], None, 400);
        writer.short(id::IDLE, &[], None, 60);
    }
    bytes
}

/// A real recording whose events are repeated with the next counts and timestamps.
fn percepio_stream() -> Vec<u8> {
    let recorded = rtoscope_fixtures::read_testdata("percepio/cm3_nested.psf");
    let header = StreamHeader::read(&recorded).expect("a header");
    let (start, mut rest) = recorded.split_at(header.bytes());
    let mut events = Vec::new();
    while let Some(event) = EventHeader::read(rest, header.layout) {
        let Some((bytes, after)) = rest.split_at_checked(event.event_bytes(header.layout)) else {
            break;
        };
        events.push((event, bytes));
        rest = after;
    }
    let (first, last) = (events[0].0, events[events.len() - 1].0);
    let span = last.timestamp.wrapping_sub(first.timestamp) + 100;
    let mut bytes = start.to_vec();
    let (mut count, mut offset) = (first.count, 0_u32);
    while bytes.len() < BYTES {
        for (event, recorded) in &events {
            let at = bytes.len();
            bytes.extend_from_slice(recorded);
            bytes[at + 2..at + 4].copy_from_slice(&count.to_le_bytes());
            let timestamp = event.timestamp.wrapping_add(offset);
            bytes[at + 4..at + 8].copy_from_slice(&timestamp.to_le_bytes());
            count = count.wrapping_add(1);
        }
        offset = offset.wrapping_add(span);
    }
    bytes
}

/// One stream without packets, in a tar archive.
fn ctf_archive() -> Vec<u8> {
    const METADATA: &str = "/* CTF 1.8 */
        typealias integer { size = 8; align = 8; signed = false; } := u8;
        typealias integer { size = 32; align = 8; signed = false; } := u32;
        trace { major = 1; minor = 8; byte_order = le; };
        clock { name = c; freq = 1000000; };
        typealias integer { size = 64; align = 8; signed = false; map = clock.c.value; } := time;
        stream { event.header := struct { u8 id; time timestamp; }; };
        event { name = task_switch; id = 1; fields := struct { u32 prev; u32 next; string name; }; };
        event { name = isr_enter; id = 2; fields := struct { u8 irq; }; };
        event { name = isr_exit; id = 3; fields := struct { u8 irq; }; };";
    let mut stream = Vec::new();
    for step in 0_u64.. {
        let task = [step % 16, step % 16 + 1].map(|task| (task as u32).to_le_bytes());
        let switch = [task.as_flattened(), b"worker\0"].concat();
        for (event, after, fields) in [(2, 0, &[7][..]), (3, 3, &[7]), (1, 5, &switch)] {
            stream.push(event);
            stream.extend_from_slice(&(step * 50 + after).to_le_bytes());
            stream.extend_from_slice(fields);
        }
        if stream.len() >= BYTES {
            break;
        }
    }
    let mut archive = Vec::new();
    for (name, content) in [("metadata", METADATA.as_bytes()), ("stream", &stream)] {
        let mut header = [0_u8; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[124..136].copy_from_slice(format!("{:011o}\0", content.len()).as_bytes());
        header[156] = b'0';
        archive.extend_from_slice(&header);
        archive.extend_from_slice(content);
        archive.resize(archive.len().next_multiple_of(512), 0);
    }
    archive.resize(archive.len() + 1024, 0);
    archive
}

fn btf_file() -> Vec<u8> {
    let mut text = "#version 2.2.0\n#timeScale ns\n".to_owned();
    let mut step = 0_u64;
    while text.len() < BYTES {
        let (time, task) = (step * 1000, step % 16);
        let lines = [
            (0, "Core_0,0,T,task", "resume"),
            (10, "work,0,R,step", "start"),
            (700, "work,0,R,step", "terminate"),
            (900, "Core_0,0,T,task", "preempt"),
        ];
        for (after, place, event) in lines {
            let _ = writeln!(text, "{},{place}_{task},{step},{event}", time + after);
        }
        step += 1;
    }
    text.into_bytes()
}

fn csv_file() -> Vec<u8> {
    let mut text = "time_us,event,thread,next,object\n".to_owned();
    let mut step = 0_u64;
    while text.len() < BYTES {
        let (time, task) = (step * 10, step % 16);
        let next = (task + 1) % 16;
        let _ = writeln!(text, "{time},switch,worker{task},worker{next},");
        let _ = writeln!(text, "{},lock,,,mutex{task}", time + 3);
        let _ = writeln!(text, "{},unlock,,,mutex{task}", time + 6);
        step += 1;
    }
    text.into_bytes()
}

/// The format and the bytes of a recording.
fn recording(name: &str) -> (Format, Vec<u8>) {
    match name {
        "systemview" => (systemview::FORMAT, systemview_stream()),
        "percepio" => (percepio::FORMAT, percepio_stream()),
        "ctf" => (ctf::FORMAT, ctf_archive()),
        "btf" => (btf::FORMAT, btf_file()),
        _ => (text_events::FORMAT, csv_file()),
    }
}

/// From bytes to columns, contexts, objects and times.
#[divan::bench(args = ["systemview", "percepio", "ctf", "btf", "csv"], sample_count = 5, sample_size = 1)]
fn decode(bencher: Bencher<'_, '_>, name: &str) {
    let (format, bytes) = recording(name);
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let input = Input::new(black_box(&bytes));
        let content = UnpackedInput::open(input, BufferChoice::First, Some(format));
        let content = content.expect("a recording");
        content.decode(&DecodeOptions::default()).expect("events")
    });
}

/// From bytes to live updates every 64 KiB, with a million events retained.
#[divan::bench(args = ["systemview", "percepio", "btf"], sample_count = 3, sample_size = 1)]
fn follow(bencher: Bencher<'_, '_>, name: &str) {
    let (format, bytes) = recording(name);
    bencher.counter(BytesCount::new(bytes.len())).bench(|| {
        let mut live = LiveDecoder::new(LiveOptions {
            options: DecodeOptions::default(),
            format: Some(format),
            max_events: 1_000_000,
        });
        let mut events = 0;
        for piece in black_box(&bytes).chunks(1 << 16) {
            live.push(piece, HostTime::default());
            let news = live.next_update().expect("events");
            events += news.map_or(0, |news| news.recording.trace.events.len());
        }
        events
    });
}
