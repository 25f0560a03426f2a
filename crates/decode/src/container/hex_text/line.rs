use crate::container::digits;

/// What a line of hex text says.
pub(super) struct Parsed {
    /// The address of its first byte, or the end of a repetition.
    pub(super) address: Option<u64>,
    /// Whether the address is the target's, as in a debugger's output.
    pub(super) of_target: bool,
    /// Whether it ended in `|text|`.
    pub(super) text_column: bool,
    /// Its bytes.
    pub(super) content: Content,
}

pub(super) enum Content {
    Bytes(Vec<Piece>),
    /// `*`: the line before repeats up to the next address.
    Repeat,
    /// A prompt, a command, or an address alone.
    Nothing,
    /// The debugger says that it cannot read there.
    Inaccessible,
}

/// Bytes of one width.
pub(super) struct Piece {
    /// In the order of the digits: the most significant byte of a word first.
    pub(super) bytes: Vec<u8>,
    /// Bytes of each word; 1 where digits stand for bytes in order.
    pub(super) width: usize,
}

/// `hexdump -C` prints addresses of at least this many digits.
const ADDRESS_DIGITS: usize = 7;

/// Reads a line without white space around it.
pub(super) fn parse(text: &[u8], has_text_column: bool) -> Result<Parsed, String> {
    let text = text.strip_prefix(b"(gdb)").unwrap_or(text).trim_ascii();
    let nothing = |content| Parsed {
        address: None,
        of_target: false,
        text_column: false,
        content,
    };
    if text == b"*" {
        return Ok(nothing(Content::Repeat));
    }
    if text.is_empty() || text.starts_with(b"x/") {
        return Ok(nothing(Content::Nothing));
    }
    if text.starts_with(b"Cannot access memory") {
        return Ok(nothing(Content::Inaccessible));
    }
    let parts = split(text, has_text_column)?;
    let pieces = values(parts.values)?;
    if pieces.is_empty() && parts.address.is_none() {
        return Err("it has no digits".to_owned());
    }
    Ok(Parsed {
        address: parts.address,
        of_target: parts.of_target,
        text_column: parts.text_column,
        content: if pieces.is_empty() {
            Content::Nothing
        } else {
            Content::Bytes(pieces)
        },
    })
}

struct Parts<'a> {
    address: Option<u64>,
    of_target: bool,
    text_column: bool,
    values: &'a [u8],
}

/// Splits a line into address, digits and text column.
fn split(text: &[u8], has_text_column: bool) -> Result<Parts<'_>, String> {
    let word_end = text
        .iter()
        .position(|byte| byte.is_ascii_whitespace() || *byte == b':' || *byte == b'<')
        .unwrap_or(text.len());
    let (word, rest) = text.split_at(word_end);
    let bar = rest.iter().position(|byte| *byte == b'|');
    let long = word.len() >= ADDRESS_DIGITS;
    // hexdump -C: digits, two blanks, bytes, |text|; at the end an address alone.
    if let (Some(address), true) = (digits::number(word), long)
        && ((bar.is_some() && rest.starts_with(b"  ")) || (has_text_column && rest.is_empty()))
    {
        return Ok(Parts {
            address: Some(address),
            of_target: false,
            text_column: bar.is_some(),
            values: rest.get(..bar.unwrap_or(rest.len())).unwrap_or_default(),
        });
    }
    let colon = rest.iter().position(|byte| *byte == b':');
    let Some((symbol, values)) = colon.and_then(|at| Some((rest.get(..at)?, rest.get(at + 1..)?)))
    else {
        return Ok(Parts {
            address: None,
            of_target: false,
            text_column: false,
            values: text,
        });
    };
    // GDB: 0xADDRESS, perhaps <symbol+offset>, colon, tab, values.
    let prefixed = word.strip_prefix(b"0x");
    let address = digits::number(prefixed.unwrap_or(word))
        .ok_or_else(|| format!("'{}' is no address", word.escape_ascii()))?;
    let symbol = symbol.trim_ascii();
    let is_symbol = symbol.starts_with(b"<") && symbol.ends_with(b">");
    if !symbol.is_empty() && !is_symbol {
        return Err(format!(
            "'{}' before ':' is no symbol",
            symbol.escape_ascii()
        ));
    }
    Ok(Parts {
        address: Some(address),
        of_target: prefixed.is_some(),
        text_column: false,
        values: if prefixed.is_some() {
            values
        } else {
            before_text(values)
        },
    })
}

/// xxd puts two blanks between the bytes and the text of a line.
fn before_text(values: &[u8]) -> &[u8] {
    let skipped = values.len() - values.trim_ascii_start().len();
    let behind = values.get(skipped..).unwrap_or_default();
    let end = behind.windows(2).position(|pair| pair == b"  ");
    let end = end.map_or(values.len(), |end| skipped + end);
    values.get(..end).unwrap_or_default()
}

/// Reads values: words with `0x`, or digits of bytes in order.
fn values(text: &[u8]) -> Result<Vec<Piece>, String> {
    let mut pieces: Vec<Piece> = Vec::new();
    let separates = |byte: &u8| byte.is_ascii_whitespace() || *byte == b',';
    for value in text.split(separates).filter(|value| !value.is_empty()) {
        let prefixed = value
            .strip_prefix(b"0x")
            .or_else(|| value.strip_prefix(b"0X"));
        let width = match prefixed.map(<[u8]>::len) {
            None => 1,
            Some(digits @ (2 | 4 | 8 | 16)) => digits / 2,
            Some(digits) => {
                return Err(format!(
                    "'{}' has {digits} digits, expected 2, 4, 8 or 16",
                    value.escape_ascii()
                ));
            }
        };
        if pieces.last().is_none_or(|piece| piece.width != width) {
            pieces.push(Piece {
                bytes: Vec::new(),
                width,
            });
        }
        if let Some(piece) = pieces.last_mut() {
            digits::bytes(prefixed.unwrap_or(value), 1, &mut piece.bytes)
                .map_err(|error| format!("in '{}' {error}", value.escape_ascii()))?;
        }
    }
    Ok(pieces)
}
