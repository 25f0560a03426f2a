//! ELF programs: functions, memory and compilers.

use anyhow::Context as _;
use object::elf::{SHF_ALLOC, SHF_WRITE};
use object::{
    Object as _, ObjectSection as _, ObjectSymbol as _, SectionFlags, SectionKind, SymbolKind,
};
use std::fs;
use std::path::Path;

/// Symbols of memory that the application passes to a recorder contain this.
const BUFFER: &str = "BUFFER";

/// Bytes of flash and RAM.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Memory {
    /// Code, constants, and initial values of variables.
    pub(crate) flash: u32,
    /// Variables, without [`BUFFER`]s.
    pub(crate) ram: u32,
}

/// A parsed program.
#[derive(Debug)]
pub(crate) struct Program {
    /// Names and addresses, without the Thumb bit.
    pub(crate) functions: Vec<(String, u32)>,
    /// The address of its code, and the code.
    code: (u32, Vec<u8>),
    pub(crate) memory: Memory,
    /// The compilers of its parts, by their own names.
    pub(crate) compilers: Vec<String>,
}

impl Program {
    pub(crate) fn read(path: &Path) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        let bytes = fs::read(path).with_context(named)?;
        let file = object::File::parse(bytes.as_slice()).with_context(named)?;
        Ok(Self {
            functions: functions(&file)?,
            code: code(&file)?,
            memory: memory(&file)?,
            compilers: compilers(&file),
        })
    }
}

impl Program {
    /// The return address of the call at `address`; `None` if there is no call.
    ///
    /// Encodings: Armv7-M Architecture Reference Manual, A7.7.18 (`BL`, T1) and
    /// A7.7.19 (`BLX`, T1).
    pub(crate) fn return_address(&self, address: u32) -> Option<u32> {
        let first = self.half_word(address)?;
        if first & 0xFF87 == 0x4780 {
            return Some(address + 2);
        }
        let second = self.half_word(address + 2)?;
        let is_long = first & 0xF800 == 0xF000 && second & 0xD000 == 0xD000;
        is_long.then_some(address + 4)
    }

    fn half_word(&self, address: u32) -> Option<u16> {
        let (start, bytes) = &self.code;
        let offset = usize::try_from(address.checked_sub(*start)?).ok()?;
        let word = bytes.get(offset..)?.first_chunk()?;
        Some(u16::from_le_bytes(*word))
    }
}

impl Memory {
    /// The memory used in addition to `base`.
    pub(crate) fn checked_sub(self, base: Self) -> Option<Self> {
        Some(Self {
            flash: self.flash.checked_sub(base.flash)?,
            ram: self.ram.checked_sub(base.ram)?,
        })
    }
}

fn functions(file: &object::File<'_>) -> anyhow::Result<Vec<(String, u32)>> {
    let symbols = file
        .symbols()
        .filter(|symbol| symbol.kind() == SymbolKind::Text);
    let named = symbols.map(|symbol| {
        let address = u32::try_from(symbol.address() & !1)?;
        Ok((symbol.name()?.to_owned(), address))
    });
    named.collect()
}

fn code(file: &object::File<'_>) -> anyhow::Result<(u32, Vec<u8>)> {
    let section = file.section_by_name(".text").context("no code")?;
    let start = u32::try_from(section.address())?;
    Ok((start, section.data()?.to_vec()))
}

fn memory(file: &object::File<'_>) -> anyhow::Result<Memory> {
    let mut flash = 0;
    let mut ram = 0;
    for section in file.sections() {
        let SectionFlags::Elf { sh_flags, .. } = section.flags() else {
            continue;
        };
        if !sh_flags.contains(SHF_ALLOC) {
            continue;
        }
        if sh_flags.contains(SHF_WRITE) {
            ram += section.size();
        }
        if section.kind() != SectionKind::UninitializedData {
            flash += section.size();
        }
    }
    let buffers = file.symbols().filter(|symbol| {
        let name = symbol.name().unwrap_or_default();
        symbol.kind() == SymbolKind::Data && name.contains(BUFFER)
    });
    let buffer_bytes: u64 = buffers.map(|buffer| buffer.size()).sum();
    Ok(Memory {
        flash: u32::try_from(flash)?,
        ram: u32::try_from(ram.saturating_sub(buffer_bytes))?,
    })
}

/// The strings in `.comment` that name a compiler.
fn compilers(file: &object::File<'_>) -> Vec<String> {
    let section = file.section_by_name(".comment");
    let bytes = section.and_then(|section| section.data().ok());
    let texts = bytes.unwrap_or_default().split(|byte| *byte == 0);
    let texts = texts.filter_map(|text| std::str::from_utf8(text).ok());
    let mut names: Vec<String> = texts
        .filter(|text| text.starts_with("rustc ") || text.starts_with("GCC: "))
        .map(ToOwned::to_owned)
        .collect();
    names.sort();
    names.dedup();
    names
}
