//! Text that resembles a container.

/// A text format for records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    /// Intel HEX.
    IntelHex,
    /// Motorola S-records.
    SRecord,
    /// Hex digits of any kind.
    HexText,
}

impl Format {
    fn starts(self) -> &'static [u8] {
        match self {
            Self::IntelHex => b":",
            Self::SRecord => b"S",
            Self::HexText => b"0123456789abcdefABCDEF(*",
        }
    }

    fn alphabet(self) -> &'static [u8] {
        match self {
            Self::IntelHex => b":0123456789ABCDEF\n\n\r f",
            Self::SRecord => b"S0123456789ABCDEF\n\n\r sf",
            Self::HexText => b"0123456789abcdefABCDEFxX: \t\n\n*|<>+,.()",
        }
    }
}

/// The data itself if it resembles the format. Otherwise, depending on its first byte,
/// characters of the format, or valid records with arbitrary content.
pub(crate) fn forced(format: Format, data: &[u8]) -> Vec<u8> {
    match data {
        [] => Vec::new(),
        [first, ..] if format.starts().contains(first) => data.to_vec(),
        [first, rest @ ..] if first & 1 == 1 => letters(format, rest),
        [_, rest @ ..] => records(format, rest).into_bytes(),
    }
}

fn letters(format: Format, data: &[u8]) -> Vec<u8> {
    let alphabet = format.alphabet();
    let start = format.starts().iter().take(1);
    let letter = |byte: &u8| alphabet[usize::from(*byte) % alphabet.len()];
    start.copied().chain(data.iter().map(letter)).collect()
}

/// Records of: type, length, address, bytes. Checksums are correct unless the highest bit
/// of the type is set.
fn records(format: Format, mut data: &[u8]) -> String {
    let mut text = String::new();
    while let [kind, length, rest @ ..] = data {
        let address_bytes = match format {
            Format::IntelHex => 2,
            Format::SRecord => [2, 2, 3, 4, 2, 2, 3, 4, 3, 2][usize::from(kind & 0x7F) % 10],
            Format::HexText => 4,
        };
        let length = usize::from(*length).min(rest.len().saturating_sub(address_bytes));
        let Some((fields, remaining)) = rest.split_at_checked(address_bytes + length) else {
            break;
        };
        let (address, bytes) = fields.split_at(address_bytes);
        data = remaining;
        let fault = kind >> 7;
        let line = match format {
            Format::IntelHex => {
                let kind = (kind & 0x7F) % 7;
                let record = [&[bytes.len() as u8], address, &[kind], bytes].concat();
                format!(
                    ":{}{:02X}",
                    digits(&record),
                    sum(&record).wrapping_neg() ^ fault
                )
            }
            Format::SRecord => {
                let count = (fields.len() as u8).wrapping_add(1);
                let record = [&[count], fields].concat();
                let kind = (kind & 0x7F) % 10;
                format!("S{kind}{}{:02X}", digits(&record), !sum(&record) ^ fault)
            }
            Format::HexText => dump_line(*kind, address, bytes),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn dump_line(kind: u8, address: &[u8], bytes: &[u8]) -> String {
    let address = digits(address);
    let words = |width: usize| {
        let words = bytes.chunks_exact(width);
        words
            .map(|word| format!("\t0x{}", digits(word)))
            .collect::<String>()
    };
    let spaced: String = bytes.iter().map(|byte| format!("{byte:02x} ")).collect();
    let shown: String = bytes
        .iter()
        .map(|byte| char::from(byte & 0x5F | 0x20))
        .collect();
    match kind % 9 {
        0 => digits(bytes),
        1 => spaced,
        2 => format!("{address}: {spaced} {shown}"),
        3 => format!("{address}  {spaced} |{shown}|"),
        4 => "*".to_owned(),
        number => format!("0x{address} <b+{kind}>:{}", words(1 << (number & 3))),
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn sum(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |sum, byte| sum.wrapping_add(*byte))
}
