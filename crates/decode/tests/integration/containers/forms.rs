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
    /// What precedes the values.
    address: fn(u64, usize) -> String,
    separator: &'static str,
    prefixed: bool,
    /// What surrounds the text, if there is one.
    text: Option<(&'static str, &'static str)>,
}

const TOOLS: &[Tool] = &[
    tool(
        "GDB",
        16,
        |at, _| format!("{at:#x} <buffer+{}>:\t", at & 0xFFFF),
        "\t",
        true,
        None,
    ),
    tool(
        "probe-rs",
        32,
        |at, _| format!("{at:08x}: "),
        " ",
        false,
        None,
    ),
    tool(
        "probe-rs, one word",
        1,
        |at, _| format!("Addr 0x{at:08x}: "),
        " ",
        true,
        None,
    ),
    tool(
        "nrfjprog",
        16,
        |at, _| format!("0x{at:08X}: "),
        " ",
        false,
        Some(("   |", "|")),
    ),
    tool(
        "J-Link",
        16,
        |at, _| format!("{at:08X} = "),
        " ",
        false,
        None,
    ),
    tool(
        "J-Link with text",
        16,
        |at, _| format!("{at:08X} = "),
        " ",
        false,
        Some(("  ", "")),
    ),
    tool(
        "pyOCD",
        16,
        |at, _| format!("{at:08x}:  "),
        " ",
        false,
        Some(("    |", "|")),
    ),
    tool(
        "U-Boot",
        16,
        |at, _| format!("{at:08x}: "),
        " ",
        false,
        Some(("    ", "")),
    ),
    tool(
        "Trace32",
        16,
        |at, _| format!("    SD:{at:08X}|"),
        " ",
        false,
        Some((" ", "")),
    ),
    tool("xsct", 1, |at, _| format!("{at:X}:   "), " ", false, None),
    tool(
        "OpenOCD",
        32,
        |at, _| format!("0x{at:08x}: "),
        " ",
        false,
        None,
    ),
    tool(
        "STM32 programmer",
        16,
        |at, _| format!("0x{at:08X} : "),
        " ",
        false,
        None,
    ),
    tool(
        "xxd",
        16,
        |at, _| format!("{at:08x}: "),
        " ",
        false,
        Some(("  ", "")),
    ),
    tool(
        "hexdump -C",
        16,
        |at, _| format!("{at:08x}  "),
        " ",
        false,
        Some(("  |", "|")),
    ),
    tool(
        "od -t",
        16,
        |at, _| format!("{:07o} ", at - ADDRESS),
        " ",
        false,
        None,
    ),
    tool(
        "od -Ax -t",
        16,
        |at, _| format!("{:06x} ", at - ADDRESS),
        " ",
        false,
        None,
    ),
    tool(
        "od -Ad -t",
        16,
        |at, _| format!("{:07} ", at - ADDRESS),
        " ",
        false,
        None,
    ),
    tool(
        "certutil",
        16,
        |at, _| format!("{:04x}\t", at - ADDRESS),
        " ",
        false,
        Some(("   ", "")),
    ),
    tool(
        "ESP",
        16,
        |at, _| format!("trace: 0x{at:08x}   "),
        " ",
        false,
        Some(("  |", "|")),
    ),
    tool(
        "ESP without address",
        16,
        |_, _| "trace: ".to_owned(),
        " ",
        false,
        None,
    ),
    tool(
        "Zephyr",
        16,
        |_, _| "                  ".to_owned(),
        " ",
        false,
        Some((" |", "|")),
    ),
    tool(
        "Zephyr core dump",
        32,
        |_, _| "#CD:".to_owned(),
        "",
        false,
        None,
    ),
    tool(
        "NuttX",
        32,
        |at, _| format!("stack_dump: 0x{at:08x}: "),
        " ",
        false,
        None,
    ),
    tool(
        "Verilog",
        16,
        |at, width| block(at, at / width as u64),
        " ",
        false,
        None,
    ),
    tool("TI-TXT", 16, |at, _| block(at, at), " ", false, None),
    tool("digits", 24, |_, _| String::new(), "", false, None),
    tool("groups", 16, |_, _| String::new(), " ", false, None),
    tool(
        "C",
        8,
        |at, _| if at == ADDRESS { "char b[] = {\n" } else { "" }.to_owned(),
        ", ",
        true,
        None,
    ),
];

const fn tool(
    name: &'static str,
    bytes: usize,
    address: fn(u64, usize) -> String,
    separator: &'static str,
    prefixed: bool,
    text: Option<(&'static str, &'static str)>,
) -> Tool {
    Tool {
        name,
        bytes,
        address,
        separator,
        prefixed,
        text,
    }
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
