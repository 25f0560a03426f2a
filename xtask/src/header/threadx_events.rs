//! `event_list.rs` of the ThreadX recorder: its functions, from the table that the host decodes
//! with.

use anyhow::Context as _;
use std::fmt::Write as _;

const BEGIN: &str = "\
//! The events of ThreadX's services. Numbers and fields are those in the kernel's source, which
//! sometimes differ from its headers.
//!
//! Generated from `threadx.tsv` by `cargo xtask check`: change that.

use super::events::{NOTHING, events};
use super::stack::stack_pointer;
use super::{EventGroups, InfoField as _, ThreadState, ThreadXRecorder, WordWidth};
use crate::port::{Clock, Mask};

events! {
";

pub(super) fn generate(table: &str) -> anyhow::Result<String> {
    let mut text = BEGIN.to_owned();
    for line in table.lines().skip(1) {
        let columns: Vec<_> = line.split('\t').collect();
        let [
            number,
            symbol,
            name,
            ..,
            first,
            second,
            third,
            fourth,
            group,
            note,
        ] = columns[..]
        else {
            anyhow::bail!("{line}: not 13 columns");
        };
        if group == "-" {
            continue;
        }
        let mut arguments = Vec::new();
        let mut fields = Vec::new();
        for field in [first, second, third, fourth] {
            let Some((argument, meaning)) = field.split_once(':') else {
                fields.push("NOTHING");
                continue;
            };
            if meaning == "stack-pointer" {
                fields.push("stack_pointer()");
                continue;
            }
            fields.push(argument);
            arguments.push(format!("{argument}: {}", rust_type(meaning)));
        }
        let name = name.strip_prefix("tx_").unwrap_or(name).replace(' ', "_");
        let note = if note == "-" { "" } else { note };
        let (arguments, fields) = (arguments.join(", "), fields.join(", "));
        write!(
            text,
            "    {number} {name} {group} ({arguments})\n        [{fields}] \"`{symbol}`{note}.\"\n"
        )
        .context("events")?;
    }
    text.push_str("}\n");
    Ok(text)
}

/// The type of an argument: addresses and sizes have the width of the target's words.
fn rust_type(meaning: &str) -> &'static str {
    match meaning {
        "inheritance" | "boolean" => "bool",
        "thread-state" => "ThreadState",
        "count" | "wait-option" | "flags" | "priority" | "ticks" | "system-state"
        | "flags-get-option" | "flags-set-option" | "hex" => "u32",
        _ => "usize",
    }
}
