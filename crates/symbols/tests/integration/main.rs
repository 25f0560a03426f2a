//! A target's program from its ELF file and from `nm`.
//! `testdata/firmware/README.md` describes the files.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

mod damage;
mod wide;

use rtoscope_symbols::{Firmware, SymbolError, Symbols, Variable};
use rtoscope_trace::{Address, ObjectClass};
use rtoscope_wire::{ByteOrder, PointerSize};
use std::path::PathBuf;

fn path(name: &str) -> PathBuf {
    rtoscope_fixtures::testdata("firmware").join(name)
}

fn open(name: &str) -> Firmware {
    read(&std::fs::read(path(name)).unwrap()).unwrap()
}

fn read(bytes: &[u8]) -> Result<Firmware, SymbolError> {
    Firmware::read(bytes.to_vec())
}

/// `function+offset`.
fn function(firmware: &Firmware, address: u64) -> Option<String> {
    let function = firmware.function(Address(address))?;
    let thumb = u64::from(firmware.target().is_some());
    assert_eq!(function.start.0 + function.offset, address & !thumb);
    Some(format!("{}+{:#x}", function.name, function.offset))
}

/// `file:line`.
fn line(firmware: &Firmware, address: u64) -> Option<String> {
    let place = firmware.line(Address(address))?;
    let line = place.line.map_or("?".to_owned(), |line| line.to_string());
    Some(format!("{}:{line}", place.file))
}

const BLINK: &str = "board::blink(unsigned int, char const*)";

#[test]
fn functions_are_found_by_address() {
    for name in ["blinker.elf", "blinker_big.elf", "blinker.nm"] {
        let firmware = open(name);
        let found = |address| function(&firmware, address);
        assert_eq!(found(0x8000).unwrap(), "count_run+0x0");
        assert_eq!(found(0x8010).unwrap(), format!("{BLINK}+0x0"));
        assert_eq!(found(0x8028).unwrap(), format!("{BLINK}+0x18"));
        assert_eq!(found(0x802A).unwrap(), "_start+0x0");
        assert_eq!(found(0x8042).unwrap(), "_start+0x18");
        // Without a size: up to the next symbol.
        assert_eq!(found(0x8048).unwrap(), "scheduler_wait+0x4");
        assert_eq!(found(0x804A).unwrap(), "scheduler_label+0x0");
        // Data, and an unmapped address.
        assert_eq!(found(0x804C), None);
        assert_eq!(found(0x7FFE), None);
        assert_eq!(found(0x2000_0000), None);
        assert_eq!(found(u64::MAX), None);
    }
    let thumb = open("blinker.elf").function(Address(0x8001)).unwrap();
    assert_eq!(
        (thumb.start, thumb.offset, thumb.size),
        (Address(0x8000), 0, 0x10)
    );
}

#[test]
fn lines_are_those_of_the_innermost_code() {
    for name in ["blinker.elf", "blinker_big.elf"] {
        let firmware = open(name);
        let found = |address| line(&firmware, address);
        assert_eq!(found(0x8000).unwrap(), "/board/blinker.cpp:37");
        assert_eq!(found(0x8001).unwrap(), "/board/blinker.cpp:37");
        assert_eq!(found(0x8010).unwrap(), "/board/blinker.cpp:13");
        // Inlined into `blink`, whose name remains that of the function.
        assert_eq!(found(0x801C).unwrap(), "/board/blinker.cpp:6");
        assert_eq!(function(&firmware, 0x801C).unwrap(), format!("{BLINK}+0xc"));
        assert_eq!(found(0x8044), None);
        assert_eq!(found(0x2000_0000), None);
    }
    assert_eq!(line(&open("blinker.nm"), 0x8000), None);
}

#[test]
fn variables_are_found_by_either_name() {
    let known = |address, size| {
        let address = Address(address);
        Some(Variable { address, size })
    };
    for name in ["blinker.elf", "blinker_big.elf", "blinker.nm"] {
        let firmware = open(name);
        let found = |variable: &str| firmware.variable(variable);
        assert_eq!(found("profile_switch_log_start"), known(0x2000_0000, 4));
        assert_eq!(found("board::switch_log"), known(0x2000_0008, 64));
        assert_eq!(found("runs"), known(0x2000_0004, 4));
        assert_eq!(found("switch_log"), None);
        assert_eq!(found("_start"), None);
        assert_eq!(found(""), None);
    }
    let spelt = open("blinker.elf").variable("_ZN5board10switch_logE");
    assert_eq!(spelt, known(0x2000_0008, 64));
}

#[test]
fn a_name_of_two_files_is_not_one_variable() {
    let local = read(b"20000000 b log\n20000010 b log\n20000020 d other\n").unwrap();
    assert_eq!(local.variable("log"), None);
    let all: Vec<_> = local
        .variables("log")
        .iter()
        .map(|it| it.address.0)
        .collect();
    assert_eq!(all, [0x2000_0000, 0x2000_0010]);
    let global = read(b"20000000 b log\n20000010 B log\n20000020 b log\n").unwrap();
    assert_eq!(
        global.variable("log").unwrap().address,
        Address(0x2000_0010)
    );
}

#[test]
fn contents_are_found_by_address() {
    for name in ["blinker.elf", "blinker_big.elf"] {
        let firmware = open(name);
        let text = |address, limit| firmware.text(Address(address), limit);
        assert_eq!(text(0x804C, 64), Some("blinker µ".as_bytes()));
        assert_eq!(text(0x804E, 64), Some("inker µ".as_bytes()));
        // The NUL is byte 10.
        assert_eq!(text(0x804C, 11), Some("blinker µ".as_bytes()));
        assert_eq!(text(0x804C, 10), None);
        assert_eq!(firmware.bytes(Address(0x804C), 3), b"bli");
        let order = firmware.target().unwrap().byte_order;
        let value = match order {
            ByteOrder::Little => 0x2000_1000_u32.to_le_bytes(),
            ByteOrder::Big => 0x2000_1000_u32.to_be_bytes(),
        };
        assert_eq!(firmware.bytes(Address(0x2000_0000), 16), value);
        // Zero-initialised data is not in the file.
        assert!(firmware.bytes(Address(0x2000_0004), 4).is_empty());
        assert!(firmware.bytes(Address(0), 4).is_empty());
        assert!(firmware.bytes(Address(u64::MAX), usize::MAX).is_empty());
    }
    assert_eq!(open("blinker.nm").text(Address(0x804C), 64), None);
}

#[test]
fn the_processor_is_identified() {
    for (name, order) in [
        ("blinker.elf", ByteOrder::Little),
        ("blinker_big.elf", ByteOrder::Big),
    ] {
        let target = open(name).target().unwrap();
        assert_eq!(
            (target.pointer_size, target.byte_order),
            (PointerSize::Four, order)
        );
        assert_eq!(target.machine_name(), Some("ARM"));
    }
    assert_eq!(open("blinker.nm").target(), None);
}

#[test]
fn symbols_have_readable_names_and_the_thumb_bit() {
    let named = |name: &str| {
        let bytes = std::fs::read(path(name)).unwrap();
        let symbols = Symbols::read(&bytes).unwrap().unwrap();
        let found = symbols.iter().find(|it| it.address == 0x8011).unwrap();
        (found.name.to_string(), found.class)
    };
    let expected = (BLINK.to_owned(), Some(ObjectClass::Function));
    for name in ["blinker.elf", "blinker_big.elf", "blinker.nm"] {
        assert_eq!(named(name), expected);
    }
}

#[test]
fn what_is_no_firmware_is_explained() {
    let problem = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let bytes = std::fs::read(path("blinker.elf")).unwrap();
    assert!(problem(&bytes[..40]).contains("the ELF file is damaged"));
    let mut object = bytes;
    object[16] = 1;
    assert!(problem(&object).contains("object file that is not linked"));
    assert!(problem(b"hello\n").contains("neither an ELF file nor the output of nm"));
}
