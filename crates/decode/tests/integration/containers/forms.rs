//! The forms in which tools, debuggers and consoles print memory: each gives the memory
//! itself, or is refused.

use super::encode;
use super::memory::{Bytes, known_bytes, run, split_blocks};
use rtoscope_decode::container;
use rtoscope_decode::source::Input;
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_trace::Severity;
use std::fmt::Write as _;

const ADDRESS: u64 = 0x6000_0000;

/// A line of a tool.
struct Tool {
    name: &'static str,
    /// The bytes of a line.
    bytes: usize,
    separator: &'static str,
    prefixed: bool,
    /// What surrounds the text, if there is one.
    text: Option<(&'static str, &'static str)>,
    /// What precedes the values.
    address: fn(u64, usize) -> String,
}

/// The tools, one per line, with the members of [`Tool`] in their order.
macro_rules! tools {
    ($($name:literal, $bytes:literal, $separator:literal, $prefixed:literal, $text:expr,
        $address:expr;)*) => {
        const TOOLS: &[Tool] = &[$(Tool {
            name: $name,
            bytes: $bytes,
            separator: $separator,
            prefixed: $prefixed,
            text: $text,
            address: $address,
        }),*];
    };
}

tools! {
    "GDB", 16, "\t", true, None, |at, _| format!("{at:#x} <buffer+{}>:\t", at & 0xFFFF);
    "probe-rs", 32, " ", false, None, |at, _| format!("{at:08x}: ");
    "probe-rs, one word", 1, " ", true, None, |at, _| format!("Addr 0x{at:08x}: ");
    "nrfjprog", 16, " ", false, Some(("   |", "|")), |at, _| format!("0x{at:08X}: ");
    "J-Link", 16, " ", false, None, |at, _| format!("{at:08X} = ");
    "J-Link with text", 16, " ", false, Some(("  ", "")), |at, _| format!("{at:08X} = ");
    "pyOCD", 16, " ", false, Some(("    |", "|")), |at, _| format!("{at:08x}:  ");
    "U-Boot", 16, " ", false, Some(("    ", "")), |at, _| format!("{at:08x}: ");
    "Trace32", 16, " ", false, Some((" ", "")), |at, _| format!("    SD:{at:08X}|");
    "xsct", 1, " ", false, None, |at, _| format!("{at:X}:   ");
    "OpenOCD", 32, " ", false, None, |at, _| format!("0x{at:08x}: ");
    "STM32 programmer", 16, " ", false, None, |at, _| format!("0x{at:08X} : ");
    "xxd", 16, " ", false, Some(("  ", "")), |at, _| format!("{at:08x}: ");
    "hexdump -C", 16, " ", false, Some(("  |", "|")), |at, _| format!("{at:08x}  ");
    "od -t", 16, " ", false, None, |at, _| format!("{:07o} ", at - ADDRESS);
    "od -Ax -t", 16, " ", false, None, |at, _| format!("{:06x} ", at - ADDRESS);
    "od -Ad -t", 16, " ", false, None, |at, _| format!("{:07} ", at - ADDRESS);
    "certutil", 16, " ", false, Some(("   ", "")), |at, _| format!("{:04x}\t", at - ADDRESS);
    "ESP", 16, " ", false, Some(("  |", "|")), |at, _| format!("trace: 0x{at:08x}   ");
    "ESP without address", 16, " ", false, None, |_, _| "trace: ".to_owned();
    "Zephyr", 16, " ", false, Some((" |", "|")), |_, _| "                  ".to_owned();
    "Zephyr core dump", 32, "", false, None, |_, _| "#CD:".to_owned();
    "NuttX", 32, " ", false, None, |at, _| format!("stack_dump: 0x{at:08x}: ");
    "Verilog", 16, " ", false, None, |at, width| block(at, at / width as u64);
    "TI-TXT", 16, " ", false, None, |at, _| block(at, at);
    "digits", 24, "", false, None, |_, _| String::new();
    "groups", 16, " ", false, None, |_, _| String::new();
    "C", 8, ", ", true, None, |at, _| if at == ADDRESS { "char b[] = {\n" } else { "" }.to_owned();
}

fn block(at: u64, shown: u64) -> String {
    match at % 0x100 {
        0 => format!("@{shown:08X}\n"),
        _ => String::new(),
    }
}

/// What precedes each line.
const PREFIXES: &[fn(usize) -> String] = &[
    |_| String::new(),
    |line| format!("I ({}) ", 990 + line),
    |line| format!("[2024-03-01 10:{:02}:{:02}.152] ", line / 60, line % 60),
    |line| format!("[00:00:{:02}.{:03},000] <inf> ", line / 1000, line % 1000),
    |_| "\x1b[0;32muart:~$ ".to_owned(),
];

const LINE_ENDS: &[&str] = &["\n", "\r\n", "\r"];

impl Tool {
    fn print(&self, bytes: &Bytes, width: usize, prefix: fn(usize) -> String, end: &str) -> String {
        let mut text = format!("> dump {ADDRESS:#x}{end}");
        let lines = split_blocks(bytes, self.bytes.max(width), u64::MAX);
        for (number, (address, bytes)) in lines.into_iter().enumerate() {
            let word = |word: &[u8]| {
                let digits = word.iter().rev().map(|byte| format!("{byte:02x}"));
                let digits: String = digits.collect();
                if self.prefixed {
                    format!("0x{digits}")
                } else {
                    digits
                }
            };
            let start = (self.address)(address, width);
            let start = match start.strip_suffix('\n') {
                Some(block) => format!("{block}{end}{}", prefix(number)),
                None => format!("{}{start}", prefix(number)),
            };
            let values: Vec<String> = bytes.chunks(width).map(word).collect();
            let _ = write!(text, "{start}{}", values.join(self.separator));
            if let Some((open, close)) = self.text {
                let _ = write!(text, "{open}{}{close}", encode::shown(&bytes));
            }
            text.push_str(end);
        }
        text.push_str("> ");
        text
    }
}

fn dump() -> Vec<u8> {
    let settings = ThreadXOptions {
        events: 20,
        threads: 3,
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    write(&settings, &mut bytes, &mut |_| ()).expect("the settings are possible");
    bytes
}

fn utf16(text: &str, order: fn(u16) -> [u8; 2], mark: bool) -> Vec<u8> {
    let mark = mark.then_some(0xFEFF);
    mark.into_iter()
        .chain(text.encode_utf16())
        .flat_map(order)
        .collect()
}

/// What became of the text of a dump; `None` if it was read right.
fn outcome(text: &[u8], expected: &[u8]) -> Option<String> {
    let image = match container::read(Input::new(text)) {
        Ok(image) => image,
        Err(error) => return Some(format!("refused: {error}")),
    };
    let mut found = image.diagnostics.iter();
    let worst = found.find(|it| it.severity() != Severity::Info);
    let bytes: Vec<u8> = known_bytes(&image.memory).into_values().collect();
    if bytes != expected || image.memory.segments().len() != 1 {
        return Some(format!("wrong, {worst:?}"));
    }
    worst.map(|it| it.message.clone())
}

#[test]
fn every_form_gives_the_same_memory() {
    let raw = dump();
    let bytes = run(ADDRESS, &raw);
    let mut failed = Vec::new();
    for tool in TOOLS {
        for width in [1, 2, 4, 8] {
            let mut expect_same = |text: &[u8], form: &str| {
                if let Some(outcome) = outcome(text, &raw) {
                    failed.push(format!("{}, {width} bytes, {form}: {outcome}", tool.name));
                }
            };
            for (number, prefix) in PREFIXES.iter().enumerate() {
                let end = LINE_ENDS[number % LINE_ENDS.len()];
                let text = tool.print(&bytes, width, *prefix, end);
                expect_same(text.as_bytes(), &format!("prefix {number}, {end:?}"));
            }
            let text = tool.print(&bytes, width, PREFIXES[0], "\r\n");
            expect_same(&utf16(&text, u16::to_le_bytes, true), "UTF-16 LE");
            expect_same(&utf16(&text, u16::to_be_bytes, false), "UTF-16 BE");
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
