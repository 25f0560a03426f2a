//! The end of `rtoscope.h`: macros that remove a recorder from a program.

use anyhow::Context as _;
use regex::Regex;
use std::fmt::Write as _;

/// The switch of each recorder, and the prefix of its functions.
const SWITCHES: [(&str, &str); 3] = [
    ("RTO_CSWITCH", "rto_cswitch_"),
    ("RTO_THREADX", "rto_threadx_"),
    ("RTO_RKH", "rto_rkh_"),
];

/// Functions that return something, but nothing without a recorder.
const NOTHING: [&str; 7] = [
    "rto_cswitch_stop",
    "rto_cswitch_snapshot",
    "rto_rkh_is_recording",
    "rto_rkh_passes",
    "rto_rkh_passes_object_and_signal",
    "rto_rkh_records",
    "rto_rkh_receive",
];

/// Functions within others, which are never called without a recorder.
const INNER: [&str; 5] = [
    "rto_rkh_append",
    "rto_rkh_append_text",
    "rto_rkh_id",
    "rto_rkh_user_id",
    "rto_rkh_write_encoded",
];

/// Appends the macros to the header, before its last line.
pub(super) fn append(header: &str, inline: &[&str]) -> anyhow::Result<String> {
    let end = header.trim_end();
    let body = end.strip_suffix("#endif").context("no end of the header")?;
    let mut text = body.to_owned();
    text.push_str("/* Define one of these as 0 to remove every trace of a recorder: all its calls become\n   empty, without evaluating their arguments. */\n");
    for (switch, _) in SWITCHES {
        let _ = writeln!(text, "#ifndef {switch}\n#define {switch} 1\n#endif");
    }
    for (switch, prefix) in SWITCHES {
        let _ = writeln!(text, "\n#if !{switch}");
        for (result, name) in functions(header, inline)? {
            if name.starts_with(prefix) && !INNER.contains(&name.as_str()) {
                let value = empty_value(&result, &name);
                let _ = writeln!(text, "#define {name}(...) ({value})");
            }
        }
        text.push_str("#endif\n");
    }
    text.push_str("\n#endif\n");
    Ok(text)
}

/// The result type and name of each function that is declared or defined.
fn functions(header: &str, inline: &[&str]) -> anyhow::Result<Vec<(String, String)>> {
    let declaration = Regex::new(r"(?m)^(?:static RTO_INLINE )?([a-z0-9_]+) (rto_[a-z_]+)\(")?;
    let headers = [&[header], inline].concat();
    let found = headers
        .into_iter()
        .flat_map(|header| declaration.captures_iter(header));
    Ok(found
        .map(|one| (one[1].to_owned(), one[2].to_owned()))
        .collect())
}

/// What a call without a recorder evaluates to: success.
fn empty_value(result: &str, name: &str) -> &'static str {
    match result {
        "void" => "(void)0",
        "bool" if NOTHING.contains(&name) => "(bool)false",
        "bool" => "(bool)true",
        "uint64_t" => "(uint64_t)0",
        "size_t" => "(size_t)0",
        _ => "(uint32_t)0",
    }
}
