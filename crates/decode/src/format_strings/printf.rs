//! C's `printf` for numbers of 32 bits.

use std::fmt::Write as _;

/// Maximum width and precision.
const MAX_WIDTH: usize = 64;

/// A conversion: `%-08lx`.
#[derive(Debug, Clone, Copy, Default)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    letter: u8,
}

/// Renders `format` with `values`, and returns how many of them it takes; `string` reads the
/// string at an address.
///
/// # Errors
/// What does not fit.
pub(super) fn render<'a>(
    text: &mut String,
    format: &[u8],
    values: &[u32],
    string: impl Fn(u32) -> Option<&'a [u8]>,
) -> Result<usize, String> {
    let recorded = values.len();
    let mut values = values.iter();
    let mut rest = format;
    while let Some(percent) = memchr::memchr(b'%', rest) {
        let (literal, after) = rest.split_at(percent);
        text.push_str(&String::from_utf8_lossy(literal));
        let (conversion, after) = Conversion::parse(after.get(1..).unwrap_or_default())
            .ok_or_else(|| unsupported(format))?;
        rest = after;
        if conversion.letter == b'%' {
            text.push('%');
            continue;
        }
        let value = *values.next().ok_or_else(|| mismatch(format))?;
        match conversion.letter {
            b's' => match string(value) {
                Some(bytes) => conversion.pad(text, "", &String::from_utf8_lossy(bytes), true),
                None => {
                    let _ = write!(text, "<{value:#x}>");
                }
            },
            _ => conversion.write_number(text, value),
        }
    }
    text.push_str(&String::from_utf8_lossy(rest));
    Ok(recorded - values.len())
}

/// The problem of values that do not fit.
pub(super) fn mismatch(format: &[u8]) -> String {
    let format = String::from_utf8_lossy(format);
    format!("the numbers do not fit the format string \"{format}\"")
}

fn unsupported(format: &[u8]) -> String {
    let format = String::from_utf8_lossy(format);
    format!("no format string of 32-bit numbers: \"{format}\"")
}

impl Conversion {
    /// Parses a conversion after its percent sign; `None` if it does not take a number of
    /// 32 bits.
    fn parse(text: &[u8]) -> Option<(Self, &[u8])> {
        let mut found = Self::default();
        let mut rest = text;
        loop {
            match rest.first()? {
                b'-' => found.left = true,
                b'+' => found.plus = true,
                b' ' => found.space = true,
                b'#' => found.alternate = true,
                b'0' => found.zero = true,
                _ => break,
            }
            rest = rest.get(1..)?;
        }
        (found.width, rest) = digits(rest);
        if let Some(after) = rest.strip_prefix(b".") {
            let (precision, after) = digits(after);
            found.precision = Some(precision);
            rest = after;
        }
        // `ll` and `j` are 64 bits.
        for length in [&b"hh"[..], b"h", b"l", b"z", b"t"] {
            if let Some(after) = rest.strip_prefix(length) {
                rest = after;
                break;
            }
        }
        let (letter, rest) = rest.split_first()?;
        found.letter = *letter;
        b"diuxXocsp%".contains(letter).then_some((found, rest))
    }

    fn write_number(&self, text: &mut String, value: u32) {
        let signed = value.cast_signed();
        let (sign, digits) = match self.letter {
            b'd' | b'i' => {
                let sign = match signed {
                    ..0 => "-",
                    _ if self.plus => "+",
                    _ if self.space => " ",
                    _ => "",
                };
                (sign, signed.unsigned_abs().to_string())
            }
            b'x' if self.alternate => ("0x", format!("{value:x}")),
            b'X' if self.alternate => ("0X", format!("{value:X}")),
            b'x' => ("", format!("{value:x}")),
            b'X' => ("", format!("{value:X}")),
            b'p' => ("0x", format!("{value:x}")),
            b'o' => ("", format!("{value:o}")),
            b'c' => {
                let letter = char::from(value as u8);
                return self.pad(text, "", letter.encode_utf8(&mut [0; 4]), true);
            }
            _ => ("", value.to_string()),
        };
        let precision = self.precision.unwrap_or_default();
        let digits = format!("{digits:0>precision$}");
        self.pad(text, sign, &digits, false);
    }

    /// Writes a value in its width.
    fn pad(&self, text: &mut String, sign: &str, value: &str, is_text: bool) {
        let limit = self.precision.filter(|_| is_text).unwrap_or(usize::MAX);
        let value: String = value.chars().take(limit).collect();
        let missing = self
            .width
            .saturating_sub(sign.len() + value.chars().count());
        let zeros = self.zero && !self.left && !is_text && self.precision.is_none();
        let blanks = " ".repeat(missing);
        match (self.left, zeros) {
            (true, _) => text.extend([sign, value.as_str(), blanks.as_str()]),
            (_, true) => text.extend([sign, "0".repeat(missing).as_str(), value.as_str()]),
            _ => text.extend([blanks.as_str(), sign, value.as_str()]),
        }
    }
}

/// The number at the start of a text, at most [`MAX_WIDTH`], and the rest.
fn digits(text: &[u8]) -> (usize, &[u8]) {
    let count = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, rest) = text.split_at(count);
    let number = digits.iter().fold(0_usize, |number, digit| {
        let next = number * 10 + usize::from(digit - b'0');
        next.min(MAX_WIDTH)
    });
    (number, rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rendered(format: &str, values: &[u32]) -> Result<String, String> {
        let mut text = String::new();
        let string = |address| (address == 0x800).then_some(&b"camera"[..]);
        let used = render(&mut text, format.as_bytes(), values, string)?;
        match used == values.len() {
            true => Ok(text),
            false => Err(mismatch(format.as_bytes())),
        }
    }

    #[test]
    fn numbers_are_written_as_printf_does() {
        let minus = (-5_i32).cast_unsigned();
        for (format, values, expected) in [
            ("queue %u of %s", &[3, 0x800][..], "queue 3 of camera"),
            ("%d%%|%i", &[minus, 7], "-5%|7"),
            ("%08x|%#X|%lx", &[0xBEEF, 0xAB, 1], "0000beef|0XAB|1"),
            (
                "[%5u][%-5u][%05d]",
                &[42, 42, minus],
                "[   42][42   ][-0005]",
            ),
            ("%+d % d %.3u", &[1, 2, 7], "+1  2 007"),
            ("%c%c %p", &[111, 107, 0x2000], "ok 0x2000"),
            (
                "%8s|%.3s|%s",
                &[0x800, 0x800, 0x900],
                "  camera|cam|<0x900>",
            ),
            ("plain", &[], "plain"),
        ] {
            assert_eq!(
                rendered(format, values).as_deref(),
                Ok(expected),
                "{format}"
            );
        }
    }

    #[test]
    fn formats_that_do_not_fit_are_errors() {
        for (format, values) in [
            ("%u", &[][..]),
            ("%u", &[1, 2]),
            ("%f", &[1]),
            ("%llu", &[1]),
            ("100%", &[]),
        ] {
            assert!(rendered(format, values).is_err(), "{format}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_handled(format in ".{0,40}", values in proptest::collection::vec(any::<u32>(), 0..4)) {
            let _ = rendered(&format, &values);
        }
    }
}
