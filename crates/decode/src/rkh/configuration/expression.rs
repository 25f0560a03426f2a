//! Integer expressions of the C preprocessor.

use std::collections::BTreeMap;

/// Macros by name, with their texts.
pub(super) type Macros = BTreeMap<String, String>;

/// Maximum depth of parentheses, operators and macros within each other.
const MAX_DEPTH: u32 = 48;

/// The value of an expression; `None` if it is not an integer expression.
/// Macros are expanded. An undefined name is 0 if `undefined_is_zero`, as in `#if`.
pub(super) fn evaluate(text: &str, macros: &Macros, undefined_is_zero: bool) -> Option<i64> {
    Evaluation {
        macros,
        undefined_is_zero,
    }
    .text(text, 0)
}

struct Evaluation<'a> {
    macros: &'a Macros,
    undefined_is_zero: bool,
}

/// Binary operators, those that bind weakest first.
const OPERATORS: [&[&str]; 7] = [
    &["||"],
    &["&&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Evaluation<'_> {
    fn text(&self, text: &str, depth: u32) -> Option<i64> {
        let mut rest = text.trim_start();
        let value = self.binary(&mut rest, 0, depth)?;
        rest.is_empty().then_some(value)
    }

    /// An expression whose operators have at least this level.
    fn binary(&self, rest: &mut &str, level: usize, depth: u32) -> Option<i64> {
        let Some(operators) = OPERATORS.get(level) else {
            return self.unary(rest, depth);
        };
        let mut left = self.binary(rest, level + 1, depth)?;
        while let Some(operator) = operators.iter().find(|it| is_operator(rest, it)) {
            skip(rest, operator.len());
            let right = self.binary(rest, level + 1, depth)?;
            left = match *operator {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<=" => i64::from(left <= right),
                ">=" => i64::from(left >= right),
                "<" => i64::from(left < right),
                ">" => i64::from(left > right),
                "<<" => left.checked_shl(u32::try_from(right).ok()?)?,
                ">>" => left.checked_shr(u32::try_from(right).ok()?)?,
                "+" => left.checked_add(right)?,
                "-" => left.checked_sub(right)?,
                "*" => left.checked_mul(right)?,
                "/" => left.checked_div(right)?,
                _ => left.checked_rem(right)?,
            };
        }
        Some(left)
    }

    fn unary(&self, rest: &mut &str, depth: u32) -> Option<i64> {
        if depth > MAX_DEPTH {
            return None;
        }
        match rest.bytes().next()? {
            b'!' => {
                skip(rest, 1);
                Some(i64::from(self.unary(rest, depth + 1)? == 0))
            }
            b'-' => {
                skip(rest, 1);
                self.unary(rest, depth + 1)?.checked_neg()
            }
            b'(' => {
                skip(rest, 1);
                let value = self.binary(rest, 0, depth + 1)?;
                rest.starts_with(')').then(|| skip(rest, 1))?;
                Some(value)
            }
            b'0'..=b'9' => number(take_word(rest)),
            _ => match take_word(rest) {
                "" => None,
                "defined" => {
                    let in_parentheses = rest.starts_with('(');
                    skip(rest, usize::from(in_parentheses));
                    let is_defined = self.macros.contains_key(take_word(rest));
                    if in_parentheses {
                        rest.starts_with(')').then(|| skip(rest, 1))?;
                    }
                    Some(i64::from(is_defined))
                }
                name => match self.macros.get(name) {
                    Some(text) => self.text(text, depth + 1),
                    None => match name {
                        "RKH_ENABLED" => Some(1),
                        "RKH_DISABLED" => Some(0),
                        _ => self.undefined_is_zero.then_some(0),
                    },
                },
            },
        }
    }
}

/// Whether an operator comes next, and no longer one that starts alike.
fn is_operator(rest: &str, operator: &str) -> bool {
    let longer = ["<<", ">>", "<=", ">="];
    rest.starts_with(operator)
        && (operator.len() > 1 || !longer.iter().any(|longer| rest.starts_with(longer)))
}

/// Skips bytes, and spaces after them.
fn skip(rest: &mut &str, bytes: usize) {
    *rest = rest.get(bytes..).unwrap_or_default().trim_start();
}

/// Takes a name or number, and the spaces after it.
fn take_word<'a>(rest: &mut &'a str) -> &'a str {
    let end = rest.find(|it: char| !it.is_ascii_alphanumeric() && it != '_');
    let (word, after) = rest
        .split_at_checked(end.unwrap_or(rest.len()))
        .unwrap_or((rest, ""));
    *rest = after.trim_start();
    word
}

/// An integer constant, with or without a suffix.
fn number(word: &str) -> Option<i64> {
    let digits = word.trim_end_matches(['u', 'U', 'l', 'L']);
    let (digits, radix) = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(digits) => (digits, 16),
        None if digits.len() > 1 && digits.starts_with('0') => (digits, 8),
        None => (digits, 10),
    };
    i64::from_str_radix(digits, radix).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_have_the_values_of_c() {
        let macros = [
            ("SIZE", "(BASE * 2)"),
            ("BASE", "8u"),
            ("LOOP", "LOOP"),
            ("TEXT", "a b"),
        ];
        let macros: Macros = macros.map(|(name, text)| (name.into(), text.into())).into();
        for (text, value) in [
            ("16u", Some(16)),
            ("0x10UL", Some(16)),
            ("010", Some(8)),
            ("( SIZE )", Some(16)),
            ("RKH_ENABLED", Some(1)),
            ("1 + 2 * 3 == 7 && !0", Some(1)),
            ("1 << 4 >= 16 || 1 / 0", None),
            ("defined(SIZE) && !defined OTHER", Some(1)),
            ("-3 + 4", Some(1)),
            ("LOOP", None),
            ("TEXT", None),
            ("1 2", None),
            ("", None),
            ("(1", None),
            ("OTHER", None),
            ("é", None),
        ] {
            assert_eq!(evaluate(text, &macros, false), value, "{text}");
        }
        assert_eq!(evaluate("OTHER == 0", &macros, true), Some(1));
        let deep = "(".repeat(100_000);
        assert_eq!(evaluate(&deep, &macros, true), None);
    }
}
