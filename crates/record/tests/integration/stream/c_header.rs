//! The stream of this crate and that of the header in C have the same bytes after the same
//! calls.

use super::{TestClock, TestStream, ring, stream};
use rtoscope_record::stream::ThreadState;
use rtoscope_wire::cswitch::command::StreamCommand;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The texts in `replay.c`.
const NAMES: [&str; 4] = ["camera", "", "a name that is longer than 31 bytes", "dma"];

/// Applies actions to a stream, and writes them for the program in C.
struct Script<'a> {
    clock: &'a TestClock,
    stream: TestStream<'a>,
    actions: Vec<u8>,
    output: Vec<u8>,
    random: u32,
}

impl Script<'_> {
    /// The next pseudo-random number below `end`.
    fn below(&mut self, end: u32) -> u32 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 17;
        self.random ^= self.random << 5;
        self.random % end
    }

    fn act(&mut self, action: u8, first: u32, second: u32) {
        self.actions.push(action);
        self.actions.extend(first.to_ne_bytes());
        self.actions.extend(second.to_ne_bytes());
        let stream = &self.stream;
        match action {
            0 => stream.resume(first),
            1 => stream.resume_short(first as u8),
            2 => stream.idle(),
            3 => stream.ready(first),
            4 => stream.ready_short(first as u8),
            5 => stream.wait(ThreadState(first)),
            6 => stream.isr_enter(first as u8),
            7 => stream.isr_exit(first as u8),
            8 => stream.isr_return(first),
            9 => stream.marker_begin(first, second),
            10 => stream.marker_end(first, second),
            11 => stream.marker(first, second),
            12 => self.clock.0.set(self.clock.0.get().wrapping_add(first)),
            13 => {
                let mut bytes = vec![0; first as usize];
                let length = stream.read(&mut bytes);
                self.output.extend(&bytes[..length]);
            }
            14 => stream.take(&[first as u8]),
            15 => drop(stream.name(first, NAMES[second as usize])),
            16 => drop(stream.name_handler(first, NAMES[second as usize])),
            17 => assert!(stream.start(ring(first as usize), second)),
            _ => unreachable!(),
        }
    }

    fn record(&mut self) {
        let action = self.below(12) as u8;
        let first = match action {
            5 => self.below(14),
            9.. => self.below(12),
            _ if self.below(2) == 0 => self.below(300),
            _ => self.below(u32::MAX),
        };
        let second = self.below(u32::MAX);
        self.act(action, first, second);
    }

    fn read_all(&mut self, size: u32) {
        loop {
            let before = self.output.len();
            self.act(13, size, 0);
            if self.output.len() == before {
                return;
            }
        }
    }

    fn command(&mut self) {
        // The host knows the groups before.
        self.read_all(300);
        self.act(2, 0, 0);
        self.read_all(300);
        let (groups, marker) = (self.below(8), self.below(12));
        let suppress = self.below(2) == 0;
        let command = match self.below(7) {
            0 => StreamCommand::Stop,
            1 | 2 => StreamCommand::Start,
            3 => StreamCommand::SendNames,
            4 => StreamCommand::Filter { groups, suppress },
            5 => StreamCommand::FilterHandler {
                handler: self.below(256) as u8,
                suppress,
            },
            _ => StreamCommand::FilterMarker { marker, suppress },
        };
        self.send(command);
    }

    fn send(&mut self, command: StreamCommand) {
        for byte in command.to_bytes() {
            self.act(14, byte.into(), 0);
        }
    }
}

/// The output of `replay.c` for actions.
fn replay(actions: Vec<u8>) -> Vec<u8> {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let interface = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../record-c");
    let program = folder.join("replay");
    let compiler = Command::new("cc")
        .args(["-std=c99", "-O1", "-I"])
        .arg(interface.join("include"))
        .arg(interface.join("test/replay.c"))
        .arg("-o")
        .arg(&program)
        .status();
    assert!(compiler.unwrap().success());
    let mut process = Command::new(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = process.stdin.take().unwrap();
    let writer = std::thread::spawn(move || input.write_all(&actions));
    let mut output = Vec::new();
    let mut printed = process.stdout.take().unwrap();
    printed.read_to_end(&mut output).unwrap();
    writer.join().unwrap().unwrap();
    assert!(process.wait().unwrap().success());
    output
}

#[test]
#[ignore = "`cargo xtask firmware` runs it: it needs a C compiler"]
fn the_header_in_c_writes_the_same_bytes() {
    for (seed, words) in [(1, 64), (2, 65), (3, 200), (4, 4096)] {
        let clock = TestClock::default();
        clock.0.set(0);
        let mut script = Script {
            clock: &clock,
            stream: stream(&clock),
            actions: Vec::new(),
            output: Vec::new(),
            random: seed,
        };
        script.act(0, 1, 0);
        script.act(15, 3, 0);
        script.act(17, words, 48_000_000);
        for _ in 0..20_000 {
            match script.below(400) {
                0..=9 => {
                    let size = 200 + script.below(1000);
                    script.read_all(size);
                }
                10..=29 => {
                    let size = 256 + script.below(600);
                    script.act(13, size, 0);
                }
                30 => {
                    let (id, text) = (script.below(6), script.below(4));
                    let action = 15 + script.below(2) as u8;
                    script.act(action, id, text);
                }
                31 | 32 => script.command(),
                33 => {
                    script.send(StreamCommand::Start);
                    script.read_all(300);
                    script.act(2, 0, 0);
                    script.read_all(300);
                    let ticks = (1 << 30) + script.below(1 << 20);
                    script.act(12, ticks, 0);
                    script.read_all(300);
                }
                34..=199 => {
                    let bits = 6 + script.below(21);
                    let ticks = script.below(1 << bits);
                    script.act(12, ticks, 0);
                }
                _ => script.record(),
            }
        }
        script.read_all(256);
        let Script {
            actions, output, ..
        } = script;
        assert!(output.len() > 10_000, "{}", output.len());
        let in_c = replay(actions);
        let difference = { &output }.iter().zip(&in_c).position(|(a, b)| a != b);
        assert_eq!(
            (difference, output.len()),
            (None, in_c.len()),
            "seed {seed}"
        );
    }
}
