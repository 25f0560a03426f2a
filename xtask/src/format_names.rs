//! Only the modules of a format name it: everything else asks the registry.

use crate::shell;
use regex::Regex;
use std::fs;

/// What names a format.
const NAMES: &str = r"(?i)threadx|txtb|rkh|cswitch|cswl|trazer|systemview|percepio";

/// The folders that are searched.
const SEARCHED: [&str; 2] = ["crates", "web/src"];

/// Beginnings of the paths that may name formats, and why.
const ALLOWED: [(&str, &str); 15] = [
    ("crates/wire/", "the bytes of the formats"),
    ("crates/decode/", "their decoders, and the registry"),
    ("crates/record/", "their recorders"),
    ("crates/record-c/", "the recorders' C interface"),
    ("crates/generate/", "generates recordings of each"),
    ("crates/command/src/input/", "the options of the decoders"),
    ("crates/analysis/src/fixture/", "test data"),
    ("crates/fixtures/", "finds and changes recordings for tests"),
    (
        "crates/capture/src/source/gdb/buffer_mirror.rs",
        "polls one format's structures in a target's memory",
    ),
    (
        "crates/capture/src/source/gdb/registry_mirror.rs",
        "polls one format's structures in a target's memory",
    ),
    (
        "crates/capture/src/source/gdb/switch_log.rs",
        "polls one format's structures in a target's memory",
    ),
    (
        "crates/cli/src/commands/diagram/sequence.rs",
        "writes the input of another program",
    ),
    ("crates/tables/src/rows/", "documents columns by examples"),
    ("web/src/page/site.ts", "the sample recordings"),
    ("web/src/session/wire.ts", "made from the registry"),
];

/// Whether a file belongs to tests or benchmarks.
fn is_test(path: &str) -> bool {
    let folders = ["/tests/", "/benches/", "/examples/"];
    let ends = ["/tests.rs", ".test.ts", ".test.tsx"];
    folders.iter().any(|folder| path.contains(folder)) || ends.iter().any(|end| path.ends_with(end))
}

/// The lines that name a format, without the tests at the end of a Rust file.
fn naming_lines(text: &str, names: &Regex) -> Vec<String> {
    let end = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
    let code = text.get(..end).unwrap_or(text);
    let lines = (1..).zip(code.lines());
    let naming = lines.filter(|(_, line)| names.is_match(line));
    naming
        .map(|(number, line)| format!("{number}: {}", line.trim()))
        .collect()
}

#[test]
fn only_the_modules_of_a_format_name_it() {
    let names = Regex::new(NAMES).unwrap();
    let root = shell::root();
    let mut needed = [false; ALLOWED.len()];
    let mut found = Vec::new();
    for folder in SEARCHED {
        for file in shell::files_below(&root.join(folder)).unwrap() {
            let path = file.strip_prefix(&root).unwrap().to_string_lossy();
            let path = path.replace('\\', "/");
            let is_source = [".rs", ".ts", ".tsx"].iter().any(|end| path.ends_with(end));
            if !is_source || is_test(&path) {
                continue;
            }
            let lines = naming_lines(&fs::read_to_string(&file).unwrap(), &names);
            let allowed = ALLOWED
                .iter()
                .position(|(start, _)| path.starts_with(start));
            match allowed {
                Some(number) => needed[number] |= !lines.is_empty(),
                None => found.extend(lines.iter().map(|line| format!("{path}:{line}"))),
            }
        }
    }
    assert!(
        found.is_empty(),
        "ask the registry of formats instead of naming one:\n{}",
        found.join("\n")
    );
    for ((start, _), needed) in ALLOWED.iter().zip(needed) {
        assert!(needed, "{start} names no format any more");
    }
}

#[test]
fn names_in_tests_do_not_count() {
    let names = Regex::new(NAMES).unwrap();
    let text = "use rkh;\nlet a = 1;\n\n#[cfg(test)]\nmod tests {\n    use threadx;\n}\n";
    assert_eq!(naming_lines(text, &names), ["1: use rkh;"]);
}
