//! RAM ranges of a target.

use std::ops::Range;

/// The RAM ranges of a memory map in GDB's XML, whose elements `memory` have the
/// attributes `type`, `start` and `length`. Invalid elements are skipped.
pub(super) fn ram_ranges(map: &[u8]) -> Vec<Range<u64>> {
    let map = String::from_utf8_lossy(map);
    let elements = map.split('<').filter_map(|it| it.strip_prefix("memory "));
    let ranges = elements.filter_map(|element| {
        let (element, _) = element.split_once('>')?;
        if attribute(element, "type") != Some("ram") {
            return None;
        }
        let start = number(attribute(element, "start")?)?;
        let end = start.checked_add(number(attribute(element, "length")?)?)?;
        (start < end).then_some(start..end)
    });
    ranges.take(MAX_RANGES).collect()
}

/// Maximum number of ranges; a real target has fewer.
const MAX_RANGES: usize = 64;

fn attribute<'a>(element: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = element;
    loop {
        let (before, after) = rest.split_once('=')?;
        let after = after.trim_start();
        let quote = after.chars().next().filter(|it| matches!(it, '"' | '\''))?;
        let (value, next) = after.get(1..)?.split_once(quote)?;
        if before.trim() == name {
            return Some(value.trim());
        }
        rest = next;
    }
}

fn number(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ram_ranges_are_found() {
        let map = br#"<?xml version="1.0"?>
            <!DOCTYPE memory-map PUBLIC "+//IDN gnu.org//DTD GDB Memory Map V1.0//EN"
                "http://sourceware.org/gdb/gdb-memory-map.dtd">
            <memory-map>
              <memory type="flash" start="0x08000000" length="0x80000">
                <property name="blocksize">0x800</property>
              </memory>
              <memory type="ram" start="0x20000000" length="0x18000"/>
              <memory length = '4096' start='0x10000000' type='ram' />
              <memory type="ram" start="0xffffffffffffffff" length="2"/>
              <memory type="ram" start="12" length="0"/>
              <memory type="ram" start= length="1"
            </memory-map>"#;
        let found = [0x2000_0000..0x2001_8000, 0x1000_0000..0x1000_1000];
        assert_eq!(ram_ranges(map), found);
    }

    #[test]
    fn invalid_maps_have_no_ranges() {
        assert_eq!(ram_ranges(b""), []);
        assert_eq!(ram_ranges("<memory ä=ä>".as_bytes()), []);
        assert_eq!(ram_ranges(b"<memory type=\"ram"), []);
        let many = b"<memory type=\"ram\" start=\"1\" length=\"1\">".repeat(1000);
        assert_eq!(ram_ranges(&many).len(), MAX_RANGES);
    }
}
