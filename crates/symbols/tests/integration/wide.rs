//! Files with 8-byte addresses.

use super::{function, read};
use object::write::{Object, Symbol, SymbolSection};
use object::{
    Architecture, BinaryFormat, Endianness, SectionKind, SymbolFlags, SymbolKind, SymbolScope,
};
use rtoscope_trace::Address;
use rtoscope_wire::{ByteOrder, PointerSize};

/// Name, address, size and kind.
type SymbolSpec<'a> = (&'a str, u64, u64, SymbolKind, SymbolScope);

fn program(order: Endianness, symbols: &[SymbolSpec<'_>]) -> Vec<u8> {
    with_sections(order, symbols, &[])
}

/// A program with one section, linked to address 0, with the sections `debug`.
pub(super) fn with_sections(
    order: Endianness,
    symbols: &[SymbolSpec<'_>],
    debug: &[(&str, Vec<u8>)],
) -> Vec<u8> {
    let architecture = match order {
        Endianness::Little => Architecture::Aarch64,
        Endianness::Big => Architecture::PowerPc64,
    };
    let mut file = Object::new(BinaryFormat::Elf, architecture, order);
    let section = file.add_section(vec![], b".text".to_vec(), SectionKind::Text);
    file.append_section_data(section, b"text of the program\0", 1);
    for (name, bytes) in debug {
        let section = file.add_section(vec![], name.as_bytes().to_vec(), SectionKind::Debug);
        file.append_section_data(section, bytes, 1);
    }
    for (name, value, size, kind, scope) in symbols {
        file.add_symbol(Symbol {
            name: name.as_bytes().to_vec(),
            value: *value,
            size: *size,
            kind: *kind,
            scope: *scope,
            weak: false,
            section: SymbolSection::Section(section),
            flags: SymbolFlags::None,
        });
    }
    let mut bytes = file.write().unwrap();
    // The writer creates unlinked files.
    let linked = match order {
        Endianness::Little => [2, 0],
        Endianness::Big => [0, 2],
    };
    bytes.splice(16..18, linked);
    bytes
}

#[test]
fn both_orders_are_read() {
    let far = 0x7FFF_0000_0001_0000;
    for (order, expected, machine) in [
        (Endianness::Little, ByteOrder::Little, "AArch64"),
        (Endianness::Big, ByteOrder::Big, "PowerPC 64"),
    ] {
        let bytes = program(
            order,
            &[
                (
                    "_RNvC3app4main",
                    far,
                    0x21,
                    SymbolKind::Text,
                    SymbolScope::Linkage,
                ),
                (
                    "_ZN3app10SWITCH_LOG17h0123456789abcdefE",
                    far + 0x100,
                    8,
                    SymbolKind::Data,
                    SymbolScope::Compilation,
                ),
            ],
        );
        let firmware = read(&bytes).unwrap();
        let target = firmware.target().unwrap();
        assert_eq!(
            (target.pointer_size, target.byte_order),
            (PointerSize::Eight, expected)
        );
        assert_eq!(target.machine_name(), Some(machine));
        let found = firmware.function(Address(far + 0x20)).unwrap();
        assert_eq!(
            (found.name.to_string(), found.offset),
            ("app::main".to_owned(), 0x20)
        );
        // No Thumb bit here.
        assert_eq!(firmware.function(Address(far + 0x21)), None);
        let variable = firmware.variable("app::SWITCH_LOG").unwrap();
        assert_eq!((variable.address, variable.size), (Address(far + 0x100), 8));
        assert_eq!(firmware.text(Address(8), 100).unwrap(), b"the program");
    }
}

#[test]
fn the_innermost_and_best_known_function_counts() {
    let linkage = SymbolScope::Linkage;
    let local = SymbolScope::Compilation;
    let bytes = program(
        Endianness::Little,
        &[
            ("outer", 0x1000, 0x100, SymbolKind::Text, linkage),
            ("inner", 0x1040, 0x10, SymbolKind::Text, local),
            ("mark", 0x1080, 0, SymbolKind::Text, local),
            ("alias", 0x1000, 0, SymbolKind::Text, linkage),
            ("twin_of_a_file", 0x2000, 0x10, SymbolKind::Text, local),
            ("twin", 0x2000, 0x10, SymbolKind::Text, linkage),
            ("$x", 0x2008, 0, SymbolKind::Text, local),
            ("high", u64::MAX - 3, 0x10, SymbolKind::Text, linkage),
        ],
    );
    let firmware = read(&bytes).unwrap();
    let found = |address| function_of(&firmware, address);
    assert_eq!(found(0x1000), "outer+0x0");
    assert_eq!(found(0x1048), "inner+0x8");
    assert_eq!(found(0x1050), "outer+0x50");
    assert_eq!(found(0x1084), "outer+0x84");
    assert_eq!(found(0x200C), "twin+0xc");
    assert_eq!(found(u64::MAX - 1), "high+0x2");
    assert_eq!(function(&firmware, 0x1100), None);
}

fn function_of(firmware: &rtoscope_symbols::Firmware, address: u64) -> String {
    let found = firmware.function(Address(address)).unwrap();
    format!("{}+{:#x}", found.name, found.offset)
}
