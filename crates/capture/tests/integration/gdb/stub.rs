//! A stub with configurable behaviour and a scripted target.

use super::buffer::FakeTarget;
use std::collections::VecDeque;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// Reaction to requests while the target runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WhileRunning {
    /// Replies.
    Answers,
    /// Replies with an error.
    Refuses,
    /// Halts at the first byte, which is lost: QEMU.
    Halts,
    /// Reacts only to an interrupt, and replies when halted.
    Listens,
    /// The same, but consumes one byte of the request per received byte: gdbserver.
    ListensOnce,
}

/// Behaviour of the stub.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StubBehaviour {
    pub(crate) while_running: WhileRunning,
    /// The reported features.
    pub(crate) supported: &'static str,
    /// Whether it uses run-length encoding.
    pub(crate) runs: bool,
    /// Whether every packet is first sent damaged, with garbage before it.
    pub(crate) damages: bool,
    /// Number of packets after which it closes each connection.
    pub(crate) lasts: usize,
    /// Number of reads of the running target after which it stops by itself.
    pub(crate) stops: usize,
}

impl StubBehaviour {
    pub(crate) const PLAIN: Self = Self {
        while_running: WhileRunning::Answers,
        supported: "PacketSize=400;QStartNoAckMode+",
        runs: false,
        damages: false,
        lasts: usize::MAX,
        stops: usize::MAX,
    };
}

/// What the target does before its memory is read.
pub(crate) type TargetScript = Box<dyn FnMut(&mut FakeTarget, StubMoment) + Send>;

/// When the target acts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StubMoment {
    /// Its memory is read while it runs.
    Read,
    /// It is halted, after it ran.
    Halt,
}

/// Statistics of the stub.
#[derive(Debug, Default, Clone)]
pub(crate) struct StubLog {
    /// Received commands, without addresses and lengths.
    pub(crate) commands: Vec<String>,
    pub(crate) connections: usize,
    pub(crate) runs: bool,
    /// Number of bytes of memory read.
    pub(crate) read: usize,
}

pub(crate) struct FakeStub {
    pub(crate) port: u16,
    pub(crate) target: Arc<Mutex<FakeTarget>>,
    pub(crate) log: Arc<Mutex<StubLog>>,
}

impl FakeStub {
    pub(crate) fn start(
        target: FakeTarget,
        manners: StubBehaviour,
        mut life: TargetScript,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let stub = Self {
            port: listener.local_addr().unwrap().port(),
            target: Arc::new(Mutex::new(target)),
            log: Arc::default(),
        };
        let (target, log) = (Arc::clone(&stub.target), Arc::clone(&stub.log));
        // It ends with the test's process.
        thread::spawn(move || {
            for stream in listener.incoming() {
                log.lock().unwrap().connections += 1;
                let stream = stream.unwrap();
                stream.set_nodelay(true).unwrap();
                let conversation = StubConversation {
                    stream,
                    manners,
                    target: &target,
                    log: &log,
                    acknowledges: true,
                    runs: false,
                    packets: 0,
                    last: Vec::new(),
                };
                conversation.serve(&mut life);
            }
        });
        stub
    }

    pub(crate) fn log(&self) -> StubLog {
        self.log.lock().unwrap().clone()
    }
}

struct StubConversation<'a> {
    stream: TcpStream,
    manners: StubBehaviour,
    target: &'a Mutex<FakeTarget>,
    log: &'a Mutex<StubLog>,
    acknowledges: bool,
    runs: bool,
    packets: usize,
    last: Vec<u8>,
}

impl StubConversation<'_> {
    fn serve(mut self, life: &mut TargetScript) {
        let mut packet: Option<Vec<u8>> = None;
        let mut unheard: Vec<String> = Vec::new();
        let how = self.manners.while_running;
        let mut bytes = [0; 4096];
        let mut come: VecDeque<u8> = VecDeque::new();
        while let Ok(count @ 1..) = self.stream.read(&mut bytes) {
            come.extend(&bytes[..count]);
            while let Some(byte) = come.pop_front() {
                if self.runs && packet.is_none() {
                    let is_interrupt = byte == 3;
                    if how == WhileRunning::ListensOnce && !is_interrupt {
                        break;
                    }
                    if is_interrupt || how == WhileRunning::Halts {
                        self.set_running(false);
                        life(&mut self.target.lock().unwrap(), StubMoment::Halt);
                        self.send(b"T02thread:01;");
                        for question in std::mem::take(&mut unheard) {
                            self.reply(&question, life);
                        }
                        continue;
                    }
                }
                match (byte, &mut packet) {
                    (b'$', _) => packet = Some(Vec::new()),
                    (b'-', None) => self.write(&self.last.clone()),
                    (_, None) => {}
                    (_, Some(characters)) => characters.push(byte),
                }
                let whole = packet.take_if(|it| it.len() > 2 && it[it.len() - 3] == b'#');
                let Some(whole) = whole else { continue };
                let question = String::from_utf8(whole[..whole.len() - 3].to_vec()).unwrap();
                if self.acknowledges {
                    self.write(b"+");
                }
                self.packets += 1;
                if self.packets > self.manners.lasts {
                    return;
                }
                if self.runs && how == WhileRunning::Listens {
                    unheard.push(question);
                } else {
                    self.reply(&question, life);
                }
            }
        }
    }

    fn set_running(&mut self, runs: bool) {
        self.runs = runs;
        self.log.lock().unwrap().runs = runs;
    }

    fn reply(&mut self, question: &str, life: &mut TargetScript) {
        let (command, rest) = match question.chars().next() {
            Some('m' | 'x' | 'M') => question.split_at(1),
            _ => (question, ""),
        };
        self.log.lock().unwrap().commands.push(command.to_owned());
        match command {
            "m" | "x" => {
                if self.runs && self.manners.while_running == WhileRunning::Refuses {
                    return self.send(b"E.target is running");
                }
                if self.runs && self.manners.stops == 0 {
                    self.set_running(false);
                    self.send(b"T05thread:01;");
                }
                if self.runs {
                    self.manners.stops -= 1;
                    life(&mut self.target.lock().unwrap(), StubMoment::Read);
                }
                let (address, length) = rest.split_once(',').unwrap();
                let number = |digits| u64::from_str_radix(digits, 16).unwrap();
                let answer = self.memory(command == "x", number(address), number(length));
                self.send(&answer);
            }
            "M" => {
                let (place, digits) = rest.split_once(':').unwrap();
                let (address, length) = place.split_once(',').unwrap();
                let number = |digits| usize::from_str_radix(digits, 16).unwrap();
                let bytes: Vec<u8> = (0..number(length))
                    .map(|index| number(&digits[2 * index..2 * index + 2]) as u8)
                    .collect();
                let mut target = self.target.lock().unwrap();
                let at = number(address) - target.base as usize;
                target.memory[at..at + bytes.len()].copy_from_slice(&bytes);
                drop(target);
                self.send(b"OK");
            }
            "QStartNoAckMode" => {
                self.send(b"OK");
                self.acknowledges = false;
            }
            "vCont?" => self.send(b"vCont;c;C;s;S"),
            "vCont;c" => self.set_running(true),
            "D" => {
                self.set_running(true);
                self.send(b"OK");
            }
            "vMustReplyEmpty" => self.send(b""),
            _ if question.starts_with("qSupported") => {
                self.send(self.manners.supported.as_bytes());
            }
            _ if question.starts_with("qXfer:memory-map:read::") => {
                let map = b"<memory-map><memory type='flash' start='0' length='0x1000'/>\
                            <memory type='ram' start='0x30000000' length='0x4000'/></memory-map>";
                let (_, place) = question.rsplit_once(':').unwrap();
                let (at, length) = place.split_once(',').unwrap();
                let at = usize::from_str_radix(at, 16).unwrap();
                let length = usize::from_str_radix(length, 16).unwrap().min(50);
                let part = &map[at..map.len().min(at + length)];
                let more = if at + part.len() < map.len() {
                    b'm'
                } else {
                    b'l'
                };
                self.send(&[&[more], part].concat());
            }
            _ => self.send(b""),
        }
    }

    fn memory(&mut self, is_binary: bool, address: u64, length: u64) -> Vec<u8> {
        assert!(length <= 0x200, "half of what a packet holds");
        let target = self.target.lock().unwrap();
        let start = address.checked_sub(target.base).map(|at| at as usize);
        let bytes = start.and_then(|start| target.memory.get(start..));
        let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty()) else {
            // Memory continues for a page after the buffer.
            let is_after = start.is_some_and(|at| at < target.memory.len() + 0x1000);
            let zeros = vec![b'0'; 2 * length as usize];
            return if is_after && !is_binary {
                zeros
            } else {
                b"E14".to_vec()
            };
        };
        let bytes = &bytes[..bytes.len().min(length as usize)];
        self.log.lock().unwrap().read += bytes.len();
        if is_binary {
            let escaped = bytes.iter().flat_map(|byte| match byte {
                b'#' | b'$' | b'}' | b'*' => vec![b'}', byte ^ 0x20],
                byte => vec![*byte],
            });
            return std::iter::once(b'b').chain(escaped).collect();
        }
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        digits.into_bytes()
    }

    fn send(&mut self, characters: &[u8]) {
        let characters = match self.manners.runs {
            true => run_length_encoded(characters),
            false => characters.to_vec(),
        };
        let sum = characters
            .iter()
            .fold(0u8, |sum, byte| sum.wrapping_add(*byte));
        let frame = |sum: u8| {
            let end = format!("#{sum:02x}");
            [b"$", &*characters, end.as_bytes()].concat()
        };
        self.last = frame(sum);
        if self.manners.damages && self.acknowledges {
            // The client requests it again.
            self.write(b"garbage}*%\x00\xFF-#");
            self.write(&frame(!sum));
        } else {
            self.write(&self.last.clone());
        }
    }

    fn write(&mut self, bytes: &[u8]) {
        // The client may have disconnected.
        let _ = self.stream.write_all(bytes);
    }
}

/// Run-length encodes characters.
fn run_length_encoded(characters: &[u8]) -> Vec<u8> {
    let mut short = Vec::new();
    for run in characters.chunk_by(|one, other| one == other) {
        let mut left = run.len();
        while left > 0 {
            short.push(run[0]);
            left -= 1;
            // `#` and `$` cannot be repetition counts; `+` and `-` are avoided, too.
            let count = (3..=97)
                .rev()
                .filter(|count| ![6, 7, 14, 16].contains(count))
                .find(|count| *count <= left);
            if let Some(count) = count {
                short.extend([b'*', count as u8 + 29]);
                left -= count;
            }
        }
    }
    short
}
