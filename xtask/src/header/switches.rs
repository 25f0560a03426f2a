//! The end of `rtoscope.h`: macros that remove a recorder from a program, and that select
//! and follow entries of the context-switch log.

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
const NOTHING: [&str; 4] = [
    "rto_cswitch_stop",
    "rto_cswitch_snapshot",
    "rto_rkh_passes",
    "rto_rkh_receive",
];

/// Functions in the header, which cbindgen does not list, with their results.
const INLINE: [(&str, &str); 2] = [
    ("void", "rto_cswitch_record"),
    ("void", "rto_threadx_insert"),
];

/// Functions that record one kind of entry: with their kind, parameters and the address
/// and name of the entry.
const ENTRIES: [(&str, &str, &str, &str); 7] = [
    (
        "sleep",
        "RTO_SLEEP",
        "uintptr_t address, const char *name",
        "address, name",
    ),
    (
        "wake",
        "RTO_WAKE",
        "uintptr_t address, const char *name",
        "address, name",
    ),
    (
        "isr_enter",
        "RTO_ISR_ENTER",
        "uintptr_t handler",
        "handler, \"ISR\"",
    ),
    (
        "isr_exit",
        "RTO_ISR_EXIT",
        "uintptr_t handler",
        "handler, \"ISR\"",
    ),
    (
        "interrupts_disabled",
        "RTO_INT_DISABLE",
        "bool before, uintptr_t address, const char *name",
        "address, name",
    ),
    (
        "interrupts_restored",
        "RTO_INT_RESTORE",
        "bool still, uintptr_t address, const char *name",
        "address, name",
    ),
    ("record", "", "", ""),
];

const HOOKS: &str = r#"
/* Define RTO_CSWITCH_KINDS before the header is included to record only some kinds of
   entries: bit n admits kind n; kinds above 31 are always admitted. A constant removes
   the code of all other entries, a variable selects while the program runs. Without
   RTO_SLEEP and RTO_WAKE, the log does not measure idle time.

   Define RTO_CSWITCH_AFTER(kind, log, address, name) as a call of your own function: it
   runs after each entry, even if the entry was not admitted or found no room. */
#if RTO_CSWITCH && (defined(RTO_CSWITCH_KINDS) || defined(RTO_CSWITCH_AFTER))
#ifndef RTO_CSWITCH_KINDS
#define RTO_CSWITCH_KINDS 0xFFFFFFFFu
#endif
#ifndef RTO_CSWITCH_AFTER
#define RTO_CSWITCH_AFTER(kind, log, address, name) ((void)0)
#endif

static inline bool rto_cswitch_admits(uint32_t kind)
{
  const uint32_t plain = kind & ~(uint32_t)RTO_PREVIOUSLY_DISABLED;

  return plain > 31u || (((uint32_t)(RTO_CSWITCH_KINDS) >> plain) & 1u) != 0;
}

static inline void rto_cswitch_record_hooked(uint32_t kind, const struct rto_cswitch *log,
                                             uintptr_t address, const char *name)
{
  if (rto_cswitch_admits(kind)) {
    rto_cswitch_record(kind, log, address, name);
  }
  RTO_CSWITCH_AFTER(kind, log, address, name);
}
"#;

/// Appends the macros to the header, before its last line.
pub(super) fn append(header: &str) -> anyhow::Result<String> {
    let end = header.trim_end();
    let body = end.strip_suffix("#endif").context("no end of the header")?;
    let mut text = body.to_owned();
    text.push_str("/* Define one of these as 0 to remove every trace of a recorder: all its calls become\n   empty, without evaluating their arguments. */\n");
    for (switch, _) in SWITCHES {
        let _ = writeln!(text, "#ifndef {switch}\n#define {switch} 1\n#endif");
    }
    for (switch, prefix) in SWITCHES {
        let _ = writeln!(text, "\n#if !{switch}");
        for (result, name) in functions(header)? {
            if name.starts_with(prefix) {
                let value = empty_value(&result, &name);
                let _ = writeln!(text, "#define {name}(...) ({value})");
            }
        }
        text.push_str("#endif\n");
    }
    text.push_str(HOOKS);
    for (name, kind, parameters, entry) in ENTRIES {
        if !kind.is_empty() {
            let _ = write!(text, "{}", hooked(name, kind, parameters, entry));
        }
        let arguments = arguments(parameters);
        let arguments = match name {
            "record" => "kind, log, address, name".to_owned(),
            _ => format!("log, {arguments}"),
        };
        let _ = writeln!(
            text,
            "#define rto_cswitch_{name}({arguments}) rto_cswitch_{name}_hooked({arguments})"
        );
    }
    text.push_str("#endif\n\n#endif\n");
    Ok(text)
}

/// The result type and name of each function.
fn functions(header: &str) -> anyhow::Result<Vec<(String, String)>> {
    let declaration = Regex::new(r"(?m)^([a-z0-9_]+) (rto_[a-z_]+)\(")?;
    let found = declaration.captures_iter(header);
    let mut all: Vec<_> = found
        .map(|one| (one[1].to_owned(), one[2].to_owned()))
        .collect();
    all.extend(INLINE.map(|(result, name)| (result.to_owned(), name.to_owned())));
    Ok(all)
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

fn arguments(parameters: &str) -> String {
    let names = parameters.split(", ").filter_map(|one| {
        let name = one.rsplit([' ', '*']).next()?;
        Some(name.to_owned())
    });
    names.collect::<Vec<_>>().join(", ")
}

/// A function that asks the mask, records, and calls the callback.
fn hooked(name: &str, kind: &str, parameters: &str, entry: &str) -> String {
    let arguments = arguments(parameters);
    // The kind as the library records it.
    let recorded = match name {
        "interrupts_disabled" => {
            "before ? (RTO_INT_DISABLE | RTO_PREVIOUSLY_DISABLED) : RTO_INT_DISABLE"
        }
        "interrupts_restored" => {
            "(still ? RTO_INT_DISABLE : RTO_INT_RESTORE) | RTO_PREVIOUSLY_DISABLED"
        }
        _ => kind,
    };
    format!(
        "
static inline void rto_cswitch_{name}_hooked(const struct rto_cswitch *log,
    {parameters})
{{
  const uint32_t kind = {recorded};

  if (rto_cswitch_admits(kind)) {{
    rto_cswitch_{name}(log, {arguments});
  }}
  RTO_CSWITCH_AFTER(kind, log, {entry});
}}
"
    )
}
