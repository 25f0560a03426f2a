use super::text_column;
use crate::container::digits;
use rtoscope_trace::text::parse_hex;

/// A parsed line of hex text.
pub(super) struct ParsedLine {
    /// The address of its first byte, or the end of a `*` repetition.
    pub(super) address: Option<u64>,
    /// Whether the address is one of the target, as in a debugger's output.
    pub(super) is_target_address: bool,
    /// Whether the debugger reported that it could not read further memory.
    pub(super) inaccessible: bool,
    /// How the address is separated, if the line has bytes.
    pub(super) style: AddressStyle,
    /// Its bytes.
    pub(super) content: LineContent,
}

pub(super) enum LineContent {
    Bytes(LineBytes),
    /// `*`: repeats the previous line up to the next address.
    Repeat,
    /// A prompt, a command, or an address alone.
    Empty,
}

/// Bytes of one word width.
#[derive(Default)]
pub(super) struct LineBytes {
    /// In the order of the digits: the most significant byte of a word first.
    pub(super) bytes: Vec<u8>,
    /// Bytes per word; 1 if the digits represent bytes in order.
    pub(super) width: usize,
}

/// How lines separate their addresses; a line of digits alone is parsed in the
/// style of the previous line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum AddressStyle {
    /// No line with bytes so far.
    #[default]
    Unknown,
    /// No addresses.
    Plain,
    /// With spaces only: `hexdump -C`, `od -Ax -tx1`.
    Spaces,
    /// With a colon: `xxd`, GDB.
    Colon,
}

/// `od -Ax` prints addresses of at least 6 digits, `hexdump -C` of 8.
const MIN_ADDRESS_DIGITS: usize = 6;
/// `od` without `-Ax` prints addresses of 7 octal or decimal digits.
const FOREIGN_ADDRESS_DIGITS: usize = 7;
const INACCESSIBLE: &[u8] = b"Cannot access memory";

/// Parses a line without surrounding white space; `style` is the style of the
/// previous line.
pub(super) fn parse(text: &[u8], style: AddressStyle) -> Result<ParsedLine, String> {
    let text = text.strip_prefix(b"(gdb)").unwrap_or(text).trim_ascii();
    let without_bytes = |content| ParsedLine {
        address: None,
        is_target_address: false,
        inaccessible: false,
        style,
        content,
    };
    if text == b"*" {
        return Ok(without_bytes(LineContent::Repeat));
    }
    if text.is_empty() || text.starts_with(b"x/") {
        return Ok(without_bytes(LineContent::Empty));
    }
    let refusal = memchr::memmem::find(text, INACCESSIBLE);
    let readable = text.get(..refusal.unwrap_or(text.len())).unwrap_or(text);
    let parts = split(readable, style)?;
    let piece = parse_values(parts.values, parts.is_target_address)?;
    text_column::check_text(&piece.bytes, parts.text)?;
    if piece.bytes.is_empty() && parts.address.is_none() && refusal.is_none() {
        return Err("it has no digits".to_owned());
    }
    Ok(ParsedLine {
        address: parts.address,
        is_target_address: parts.is_target_address,
        inaccessible: refusal.is_some(),
        style: parts.style,
        content: if piece.bytes.is_empty() {
            LineContent::Empty
        } else {
            LineContent::Bytes(piece)
        },
    })
}

/// Estimates the number of bytes of an unreadable line without an address; 0 if
/// it does not look like bytes.
pub(super) fn likely_bytes(text: &[u8]) -> u64 {
    let digits = text.iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    if digits < text.len() / 2 {
        return 0;
    }
    let lengths = tokens(text).map(|token| without_prefix(token).unwrap_or(token).len());
    lengths.map(|length| length.div_ceil(2) as u64).sum()
}

struct LineParts<'a> {
    address: Option<u64>,
    is_target_address: bool,
    style: AddressStyle,
    values: &'a [u8],
    text: &'a [u8],
}

/// Splits a line into address, digits and text column.
fn split(line: &[u8], style: AddressStyle) -> Result<LineParts<'_>, String> {
    let word_end = line
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b':' || *byte == b'<')
        .unwrap_or(line.len());
    let (word, rest) = line.split_at(word_end);
    if let Some(parts) = split_at_spaces(word, rest, style)? {
        return Ok(parts);
    }
    // C++ symbols contain colons themselves.
    let colon = match rest.trim_ascii_start() {
        [b'<', ..] => memchr::memmem::rfind(rest, b">:").map(|at| at + 1),
        _ => memchr::memchr(b':', rest),
    };
    let Some((symbol, values)) = colon.and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)))
    else {
        return Ok(LineParts {
            address: None,
            is_target_address: false,
            style: AddressStyle::Plain,
            values: line,
            text: &[],
        });
    };
    // GDB: 0xADDRESS, optionally <symbol+offset>, colon, tab, values.
    let prefixed = without_prefix(word);
    let address = parse_hex(prefixed.unwrap_or(word))
        .ok_or_else(|| format!("'{}' is not an address", word.escape_ascii()))?;
    let symbol = symbol.trim_ascii();
    let is_symbol = symbol.starts_with(b"<") && symbol.ends_with(b">");
    if !symbol.is_empty() && !is_symbol {
        return Err(format!(
            "'{}' before ':' is not a symbol",
            symbol.escape_ascii()
        ));
    }
    let (values, text) = match prefixed {
        Some(_) => (values, &[][..]),
        None => text_column::split(values),
    };
    Ok(LineParts {
        address: Some(address),
        is_target_address: prefixed.is_some(),
        style: AddressStyle::Colon,
        values,
        text,
    })
}

/// `hexdump -C`: digits, two spaces, bytes, `|text|`; at the end an address
/// alone. `od -Ax -tx1` is the same without text, or with `>text<`.
fn split_at_spaces<'a>(
    word: &[u8],
    rest: &'a [u8],
    style: AddressStyle,
) -> Result<Option<LineParts<'a>>, String> {
    let Some(address) = parse_hex(word).filter(|_| word.len() >= MIN_ADDRESS_DIGITS) else {
        return Ok(None);
    };
    let bar = rest.iter().position(|byte| matches!(byte, b'|' | b'>'));
    let values = rest.get(..bar.unwrap_or(rest.len())).unwrap_or_default();
    let pairs = tokens(values).count();
    let only_pairs = tokens(values).all(|token| token.len() == 2);
    let blank = rest.first().is_none_or(u8::is_ascii_whitespace);
    let is_dump = match style {
        AddressStyle::Spaces => true,
        // Digits in groups of four bytes may end in a group of one.
        AddressStyle::Plain => bar.is_some(),
        AddressStyle::Unknown | AddressStyle::Colon => bar.is_some() || pairs > 1,
    };
    if !blank || !only_pairs || !is_dump {
        return match style {
            AddressStyle::Spaces if blank => Err("its bytes are not pairs of digits".to_owned()),
            _ => Ok(None),
        };
    }
    if word.len() == FOREIGN_ADDRESS_DIGITS {
        return Err(format!(
            "its address has {FOREIGN_ADDRESS_DIGITS} digits and may be octal or decimal, \
             expected hex digits as in the output of od -Ax"
        ));
    }
    Ok(Some(LineParts {
        address: Some(address),
        is_target_address: false,
        style: AddressStyle::Spaces,
        values,
        text: &[],
    }))
}

/// Parses values: words with `0x`, or digits of bytes in order. After an
/// address of the target, longer groups without `0x` are words too.
fn parse_values(text: &[u8], of_target: bool) -> Result<LineBytes, String> {
    let mut piece = LineBytes::default();
    for value in tokens(text) {
        let prefixed = without_prefix(value);
        let digits = prefixed.unwrap_or(value);
        let width = match digits.len() {
            _ if prefixed.is_none() && !of_target => 1,
            count @ (2 | 4 | 8 | 16) => count / 2,
            count => {
                return Err(format!(
                    "'{}' has {count} digits, expected 2, 4, 8 or 16",
                    value.escape_ascii()
                ));
            }
        };
        if piece.width != 0 && piece.width != width {
            return Err(format!(
                "'{}' has {} bytes, but the previous value has {}",
                value.escape_ascii(),
                width,
                piece.width
            ));
        }
        piece.width = width;
        digits::parse_bytes(digits, 1, &mut piece.bytes)
            .map_err(|error| format!("in '{}' {error}", value.escape_ascii()))?;
    }
    Ok(piece)
}

fn tokens(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let all = text.split(|byte| byte.is_ascii_whitespace() || *byte == b',');
    all.filter(|token| !token.is_empty())
}

fn without_prefix(value: &[u8]) -> Option<&[u8]> {
    value
        .strip_prefix(b"0x")
        .or_else(|| value.strip_prefix(b"0X"))
}
