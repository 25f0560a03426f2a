//! Demangles names.

use cpp_demangle::{BorrowedSymbol, DemangleOptions};
use rtoscope_trace::Name;
use std::fmt::{self, Write};

/// Maximum length of a mangled name to demangle.
const MAX_MANGLED_BYTES: usize = 4096;
/// Maximum length of a demangled name: a short mangled one can expand without
/// limit.
const MAX_READABLE_BYTES: usize = 16 << 10;

/// The demangled form of a C++ or Rust name, any other name unchanged: as `nm
/// -C` shows it, without Rust's hash suffix.
pub(crate) fn demangle(mangled: &[u8]) -> Name {
    let readable = readable(mangled);
    let bytes = readable.as_ref().map_or(mangled, String::as_bytes);
    Name::new(bytes)
}

fn readable(mangled: &[u8]) -> Option<String> {
    let is_mangled = [&b"_Z"[..], b"__Z", b"_R", b"__R"]
        .iter()
        .any(|start| mangled.starts_with(start));
    if !is_mangled || mangled.len() > MAX_MANGLED_BYTES {
        return None;
    }
    let text = std::str::from_utf8(mangled).ok()?;
    let mut output = BoundedText::default();
    if let Ok(rust) = rustc_demangle::try_demangle(text) {
        write!(output, "{rust:#}").ok()?;
    } else {
        let (symbol, clone) = BorrowedSymbol::with_tail(mangled).ok()?;
        symbol
            .structured_demangle(&mut output, &DemangleOptions::new())
            .ok()?;
        // Optimizers append e.g. `.isra.0` to the name of a copy.
        if !clone.is_empty() {
            let clone = std::str::from_utf8(clone).ok()?;
            if !clone.starts_with('.') {
                return None;
            }
            write!(output, " [clone {clone}]").ok()?;
        }
    }
    Some(output.0)
}

/// A text of limited length.
#[derive(Default)]
struct BoundedText(String);

impl Write for BoundedText {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_READABLE_BYTES {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(mangled: &str) -> String {
        demangle(mangled.as_bytes()).to_string()
    }

    #[test]
    fn each_language_is_recognised() {
        assert_eq!(shown("main"), "main");
        assert_eq!(shown("_Zero"), "_Zero");
        assert_eq!(
            shown("_ZN4uart4sendEPKcj"),
            "uart::send(char const*, unsigned int)"
        );
        assert_eq!(shown("_ZN3app4main17h0123456789abcdefE"), "app::main");
        assert_eq!(shown("_RNvC6_123foo3bar"), "123foo::bar");
        assert_eq!(
            shown("_ZN4uart4sendEPKcj.isra.0"),
            "uart::send(char const*, unsigned int) [clone .isra.0]"
        );
        assert_eq!(shown("_ZN4uart5table"), "_ZN4uart5table");
    }

    #[test]
    fn names_that_explode_stay_as_they_are() {
        // Each template argument is twice as long as the previous one.
        let mut name = "_Z1fI1aS_".to_owned();
        for _ in 0..40 {
            name += "S0_IS1_S1_E";
        }
        assert_eq!(shown(&name), name);
        let long = format!("_ZN{}E", "4name".repeat(2000));
        assert_eq!(shown(&long), long);
    }
}
