use super::{Symbol, Symbols};
use crate::DecodeError;
use object::Endianness;
use object::elf::{FileHeader32, FileHeader64};
use object::read::elf::{ElfFile, FileHeader};
use object::{Object as _, ObjectSymbol as _, SymbolKind};
use rtoscope_trace::{Name, ObjectClass};

/// What an ELF file starts with.
pub(super) const MAGIC: &[u8] = b"\x7FELF";

/// Offset of the byte that says whether addresses have 4 or 8 bytes.
const CLASS: usize = 4;

/// What marks a symbol of an assembler: ARM's for code and data (`$t`, `$d`)
/// among them.
const MARK: u8 = b'$';

pub(super) fn symbols(bytes: &[u8]) -> Result<Symbols, DecodeError> {
    match bytes.get(CLASS) {
        Some(2) => of_class::<FileHeader64<Endianness>>(bytes),
        _ => of_class::<FileHeader32<Endianness>>(bytes),
    }
}

fn of_class<Elf: FileHeader<Endian = Endianness>>(bytes: &[u8]) -> Result<Symbols, DecodeError> {
    let file = ElfFile::<Elf>::parse(bytes).map_err(|error| DecodeError::ElfDamaged {
        problem: format!("{error} (of {} bytes)", bytes.len()),
    })?;
    let mut all = Vec::new();
    // What the whole program knows names an address rather than what one of its
    // files knows.
    for global in [true, false] {
        let symbols = file.symbols().chain(file.dynamic_symbols());
        for symbol in symbols.filter(|symbol| symbol.is_global() == global) {
            let class = match symbol.kind() {
                SymbolKind::Text => Some(ObjectClass::Function),
                SymbolKind::Data => None,
                _ => continue,
            };
            let name = symbol.name_bytes().unwrap_or_default();
            let is_name = !name.is_empty() && name.first() != Some(&MARK);
            if is_name && !symbol.is_undefined() && symbol.address() != 0 {
                all.push(Symbol {
                    class,
                    address: symbol.address(),
                    size: symbol.size(),
                    name: Name::new(name),
                    owner: 0,
                });
            }
        }
    }
    Ok(Symbols::new(all))
}
