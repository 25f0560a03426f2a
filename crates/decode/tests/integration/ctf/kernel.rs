//! Traces as LTTng writes them: metadata in packets, compact headers, a stream for each core.

use super::writer::{BitWriter, archive, decode, interpreted, lines};
use rtoscope_trace::{ContextId, Contexts, SchedEvent, WaitReason};

const METADATA: &str = r#"/* CTF 1.8 */
typealias integer { size = 5; align = 1; signed = false; } := uint5_t;
typealias integer { size = 8; align = 8; signed = false; } := uint8_t;
typealias integer { size = 32; align = 8; signed = false; } := uint32_t;
typealias integer { size = 64; align = 8; signed = false; } := uint64_t;

trace {
	major = 1;
	minor = 8;
	uuid = "01020304-0506-0708-090a-0b0c0d0e0f10";
	byte_order = le;
	packet.header := struct {
		uint32_t magic;
		uint8_t uuid[16];
		uint32_t stream_id;
		uint64_t stream_instance_id;
	};
};

env {
	hostname = "board";
	domain = "kernel";
	tracer_name = "lttng-modules";
	tracer_major = 2;
};

clock {
	name = "monotonic";
	uuid = "11111111-2222-3333-4444-555555555555";
	description = "Monotonic Clock";
	freq = 1000000000; /* Frequency, in Hz */
	offset = 1500000000000000000;
};

typealias integer {
	size = 27; align = 1; signed = false;
	map = clock.monotonic.value;
} := uint27_clock_monotonic_t;

typealias integer {
	size = 64; align = 8; signed = false;
	map = clock.monotonic.value;
} := uint64_clock_monotonic_t;

struct packet_context {
	uint64_clock_monotonic_t timestamp_begin;
	uint64_clock_monotonic_t timestamp_end;
	uint64_t content_size;
	uint64_t packet_size;
	uint64_t packet_seq_num;
	unsigned long events_discarded;
	uint32_t cpu_id;
};

struct event_header_compact {
	enum : uint5_t { compact = 0 ... 30, extended = 31 } id;
	variant <id> {
		struct {
			uint27_clock_monotonic_t timestamp;
		} compact;
		struct {
			uint32_t id;
			uint64_clock_monotonic_t timestamp;
		} extended;
	} v;
} align(8);

stream {
	id = 0;
	event.header := struct event_header_compact;
	packet.context := struct packet_context;
};

event {
	name = "sched_switch";
	id = 3;
	stream_id = 0;
	loglevel = 13;
	fields := struct {
		integer { size = 8; align = 8; signed = 0; encoding = UTF8; base = 10; } _prev_comm[16];
		integer { size = 32; align = 8; signed = 1; encoding = none; base = 10; } _prev_tid;
		integer { size = 32; align = 8; signed = 1; } _prev_prio;
		integer { size = 64; align = 8; signed = 1; } _prev_state;
		integer { size = 8; align = 8; encoding = UTF8; } _next_comm[16];
		integer { size = 32; align = 8; signed = true; } _next_tid;
		integer { size = 32; align = 8; signed = true; } _next_prio;
	};
};

event {
	name = sched_waking;
	id = 40;
	stream_id = 0;
	fields := struct {
		integer { size = 8; align = 8; encoding = UTF8; } _comm[16];
		integer { size = 32; align = 8; signed = true; } _tid;
		integer { size = 32; align = 8; signed = true; } _prio;
		integer { size = 32; align = 8; signed = true; } _target_cpu;
	};
};

event {
	name = irq_handler_entry; id = 7; stream_id = 0;
	fields := struct { uint32_t _irq; string _name; };
};

event {
	name = irq_handler_exit; id = 8; stream_id = 0;
	fields := struct { uint32_t _irq; uint32_t _ret; };
};

callsite { name = "x"; func = "f"; file = "a.c"; line = 3; };
"#;

/// The metadata in packets.
fn metadata() -> Vec<u8> {
    // A type of C, declared as newer versions do.
    let long = "typealias integer { size = 64; align = 8; signed = false; } := unsigned long;\n";
    let text = METADATA.replacen("trace {", &format!("{long}trace {{"), 1);
    let mut packets = Vec::new();
    for chunk in text.as_bytes().chunks(1000) {
        packets.extend(0x75D1_1D57_u32.to_le_bytes());
        packets.extend([1; 20]);
        let bits = (37 + chunk.len()) as u32 * 8;
        packets.extend(bits.to_le_bytes());
        packets.extend((1100_u32 * 8).to_le_bytes());
        packets.extend([0, 0, 0, 1, 8]);
        packets.extend(chunk);
        packets.extend(vec![0; 1100 - 37 - chunk.len()]);
    }
    packets
}

/// The start of a packet, with events of an id and a time.
struct Packet {
    bits: BitWriter,
}

struct PacketFacts {
    begin: u64,
    number: u64,
    discarded: u64,
    cpu: u64,
}

impl Packet {
    fn new(facts: &PacketFacts) -> Self {
        let mut bits = BitWriter::new(false);
        bits.put(0xC1FC_1FC1, 32);
        for byte in 1..=16 {
            bits.put(byte, 8);
        }
        bits.put(0, 32).put(0, 64);
        bits.put(facts.begin, 64).put(facts.begin + 1000, 64);
        // The sizes follow at the end.
        bits.put(0, 64).put(0, 64).put(facts.number, 64);
        bits.put(facts.discarded, 64).put(facts.cpu, 32);
        Self { bits }
    }

    fn header(&mut self, id: u64, time: u64) -> &mut BitWriter {
        self.bits.align(8);
        match id < 31 {
            true => self.bits.put(id, 5).put(time, 27),
            false => self.bits.put(31, 5).align(8).put(id, 32).put(time, 64),
        }
    }

    fn switch(&mut self, time: u64, prev: (u64, &str, u64), next: (u64, &str)) -> &mut Self {
        let comm = |bits: &mut BitWriter, name: &str| {
            let mut text = name.as_bytes().to_vec();
            text.resize(16, 0);
            bits.bytes_of(text.into_iter().map(u64::from));
        };
        let bits = self.header(3, time);
        comm(bits, prev.1);
        bits.put(prev.0, 32).put(120, 32).put(prev.2, 64);
        comm(bits, next.1);
        bits.put(next.0, 32).put(110, 32);
        self
    }

    fn waking(&mut self, time: u64, tid: u64) -> &mut Self {
        let bits = self.header(40, time);
        bits.bytes_of([0; 16]);
        bits.put(tid, 32).put(120, 32).put(0, 32);
        self
    }

    fn finish(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.bits.bytes);
        let content = bytes.len() as u64 * 8;
        bytes.resize(4096, 0);
        let sizes = 4 + 16 + 4 + 8 + 16;
        bytes[sizes..sizes + 8].copy_from_slice(&content.to_le_bytes());
        bytes[sizes + 8..sizes + 16].copy_from_slice(&(4096_u64 * 8).to_le_bytes());
        bytes
    }
}

fn facts(begin: u64, number: u64, discarded: u64, cpu: u64) -> PacketFacts {
    PacketFacts {
        begin,
        number,
        discarded,
        cpu,
    }
}

/// A value of the clock whose lowest 27 bits wrap soon.
const START: u64 = 7 * (1 << 27) - 500;

fn trace() -> Vec<u8> {
    let mut one = Packet::new(&facts(START, 0, 0, 0));
    one.switch(START + 100, (0, "swapper/0", 0), (7, "worker"));
    one.header(7, START + 200).align(8).put(19, 32).text("uart");
    // The wrap.
    one.header(8, START + 600).align(8).put(19, 32).put(1, 32);
    one.switch(START + 700, (7, "worker", 1), (0, "swapper/0"));
    let mut two = Packet::new(&facts(START + 5000, 1, 3, 0));
    two.waking(START + 5100, 7);
    two.switch(START + 5200, (0, "swapper/0", 0), (7, "worker"));
    let mut four = Packet::new(&facts(START + 9000, 3, 3, 0));
    four.switch(START + 9100, (7, "worker", 0), (8, "other"));
    let core_0 = [one.finish(), two.finish(), four.finish()].concat();
    let mut other = Packet::new(&facts(START, 0, 0, 1));
    other.switch(START + 150, (0, "swapper/1", 0), (9, "ui"));
    other.switch(START + 650, (9, "ui", 0x10), (0, "swapper/1"));
    let core_1 = other.finish();
    archive(&[
        ("kernel/channel0_1", &core_1),
        ("kernel/channel0_0", &core_0),
        ("kernel/metadata", &metadata()),
    ])
}

#[test]
fn copies_of_streams_are_named_and_not_read() {
    let all = trace();
    let expected = lines(&decode(&all).unwrap().trace);
    let mut archive = tar::Archive::new(&all[..]);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        let mut bytes = Vec::new();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        files.push((entry.path().unwrap().display().to_string(), bytes));
    }
    let (whole, part) = (files[0].1.clone(), files[1].1.clone());
    let first_packet = part.len() / 3;
    files.push(("kernel/copy".to_owned(), whole));
    files.push(("kernel/old".to_owned(), part[..first_packet].to_vec()));
    let files: Vec<_> = files
        .iter()
        .map(|(path, bytes)| (&**path, &**bytes))
        .collect();
    let trace = decode(&self::archive(&files)).unwrap().trace;
    assert_eq!(lines(&trace), expected);
    let mut unread = trace.diagnostics.iter();
    for copy in [
        "old` is a copy of `kernel/channel0_0",
        "copy` is a copy of `kernel/channel0_1",
    ] {
        assert!(
            unread.any(|it| it.message.contains(copy)),
            "{:?}",
            trace.diagnostics
        );
    }
}

#[test]
fn streams_are_merged_by_time() {
    let recording = decode(&trace()).unwrap();
    let found = lines(&recording.trace);
    let short: Vec<_> = found
        .iter()
        .map(|line| line.split(' ').take(3).collect::<Vec<_>>().join(" "))
        .collect();
    let expected = [
        "0 0 sched_switch",
        "50 1 sched_switch",
        "100 0 irq_handler_entry",
        "500 0 irq_handler_exit",
        "550 1 sched_switch",
        "600 0 sched_switch",
        "5000 0 sched_waking",
        "5100 0 sched_switch",
        "9000 0 sched_switch",
    ];
    assert_eq!(short, expected);
    assert!(found[2].ends_with("irq=19 name=\"uart\""), "{}", found[2]);
    assert_eq!(recording.trace.cores, [0, 1]);
}

#[test]
fn switches_and_losses_are_those_of_the_kernel() {
    let recording = decode(&trace()).unwrap();
    let trace = &recording.trace;
    let [worker, ui] = [ContextId(3), ContextId(4)];
    assert_eq!(trace.context_name(worker), "worker");
    assert_eq!(trace.context_name(ui), "ui");
    let meanings: Vec<_> = interpreted(&recording)
        .into_iter()
        .map(|(_, it)| it)
        .collect();
    let switch = |to| SchedEvent::Switch {
        to,
        preempted: false,
    };
    let stop = |thread, wait_reason| SchedEvent::Stop {
        thread,
        wait_reason,
        next: Contexts::IDLE,
    };
    assert_eq!(meanings[0], switch(worker));
    assert_eq!(meanings[1], switch(ui));
    assert_eq!(meanings[2], SchedEvent::IsrEnter { number: 0 });
    assert_eq!(meanings[3], SchedEvent::IsrExit { number: 0 });
    assert_eq!(meanings[4], stop(ui, WaitReason::Completed));
    assert_eq!(meanings[5], stop(worker, WaitReason::Other));
    let gaps: Vec<_> = trace
        .gaps
        .iter()
        .map(|gap| (gap.next_event.0, gap.missing, gap.core))
        .collect();
    assert_eq!(gaps, [(6, Some(3), Some(0)), (8, None, Some(0))]);
    let members = recording.format_info.facts(trace).members;
    let streams = &members["traces"][0]["streams"];
    assert_eq!(streams[0]["missing_packets"], 1, "{streams}");
    assert_eq!(streams[0]["discarded_events"], 3);
    assert_eq!(streams[1]["core"], 1);
}

#[test]
fn a_zip_archive_is_a_folder() {
    use std::io::Write as _;
    let bytes = trace();
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let mut tar = tar::Archive::new(bytes.as_slice());
    for entry in tar.entries().unwrap() {
        let mut entry = entry.unwrap();
        // Without a folder: a sigrok session has a file `metadata`, too.
        let path = entry.path().unwrap().into_owned();
        let name = path.file_name().unwrap().to_str().unwrap();
        let method = zip::CompressionMethod::Deflated;
        let options = zip::write::SimpleFileOptions::default().compression_method(method);
        zip.start_file(name, options).unwrap();
        let mut content = Vec::new();
        std::io::copy(&mut entry, &mut content).unwrap();
        zip.write_all(&content).unwrap();
    }
    let zip = zip.finish().unwrap().into_inner();
    assert_eq!(
        lines(&decode(&zip).unwrap().trace),
        lines(&decode(&bytes).unwrap().trace)
    );
    let folder = tempfile::tempdir().unwrap();
    tar::Archive::new(bytes.as_slice())
        .unpack(folder.path())
        .unwrap();
    let source = rtoscope_decode::files::source(folder.path()).unwrap();
    assert_eq!(
        lines(&decode(source.bytes()).unwrap().trace),
        lines(&decode(&bytes).unwrap().trace)
    );
}
