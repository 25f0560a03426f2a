//! `rtoscope_ids.h`: names for the numbers of both formats, from the tables that the host
//! decodes with.

use crate::shell;
use anyhow::Context as _;
use regex::Regex;
use rtoscope_wire::rkh::record::record_specs;
use rtoscope_wire::rkh::{Dialect, Group};
use std::fmt::Write as _;
use std::fs;

const BEGIN: &str = "\
/*
 * rtoscope: the numbers of ThreadX and RKH, with the prefix RTO_ before their own names.
 *
 * Generated from rtoscope's tables by `cargo xtask check`: change those.
 */

#ifndef RTOSCOPE_IDS_H
#define RTOSCOPE_IDS_H
";

/// The tables of events, by component.
const EVENTS: [(&str, &str); 4] = [
    ("ThreadX", "threadx"),
    ("FileX", "filex"),
    ("NetX Duo", "netxduo"),
    ("USBX", "usbx"),
];

pub(super) fn generate() -> anyhow::Result<String> {
    let mut header = BEGIN.to_owned();
    let types = numbered("crates/wire/src/threadx/registry.rs")?;
    section(
        &mut header,
        "Types of ThreadX objects: rto_threadx_register.",
        types.map(|it| (format!("TX_TRACE_OBJECT_TYPE_{}", it.constant), it.number)),
    );
    let states = numbered("crates/record/src/threadx/state.rs")?;
    section(
        &mut header,
        "States of ThreadX threads: rto_threadx_resume, rto_threadx_suspend.",
        states.map(|it| (it.original(), it.number)),
    );
    let groups = numbered("crates/record/src/threadx/groups.rs")?;
    section(
        &mut header,
        "Groups of ThreadX events: rto_threadx_insert, rto_threadx_event_filter.",
        groups.map(|it| (it.original(), format!("(1u << {})", it.number))),
    );
    for (component, file) in EVENTS {
        let file = format!("crates/decode/src/threadx/catalogue/{file}.tsv");
        let table = fs::read_to_string(shell::root().join(&file)).context(file)?;
        section(
            &mut header,
            &format!("Events of {component}: rto_threadx_insert."),
            table.lines().skip(1).filter_map(|line| {
                let mut columns = line.split('\t').map(str::to_owned);
                let number = columns.next()?;
                Some((columns.next()?, number))
            }),
        );
    }
    let groups = Group::ALL.iter();
    section(
        &mut header,
        "Groups of RKH: rto_rkh_filter.",
        groups.map(|it| (format!("RKH_TG_{}", it.name()), it.number().to_string())),
    );
    let records = record_specs(Dialect::V3).iter();
    let records = records.filter(|record| record.group != Group::Usr);
    section(
        &mut header,
        "Records of RKH: rto_rkh_record, rto_rkh_filter.",
        records.map(|record| {
            let name = format!("RKH_TE_{}_{}", record.group.name(), record.name);
            (name, format!("{:#04X}", record.id))
        }),
    );
    header.push_str("\n#endif\n");
    Ok(header)
}

fn section(header: &mut String, title: &str, names: impl Iterator<Item = (String, String)>) {
    let _ = writeln!(header, "\n/* {title} */");
    for (name, number) in names {
        let _ = writeln!(header, "#define RTO_{name} {number}");
    }
}

/// A line `number CONSTANT "documentation"` of a macro's list.
struct NumberedLine {
    number: String,
    constant: String,
    documentation: String,
}

impl NumberedLine {
    /// The name in the original, with which the documentation begins.
    fn original(&self) -> String {
        let mut parts = self.documentation.split('`');
        parts.nth(1).unwrap_or(&self.constant).to_owned()
    }
}

fn numbered(file: &str) -> anyhow::Result<impl Iterator<Item = NumberedLine>> {
    let source = fs::read_to_string(shell::root().join(file)).context(file.to_owned())?;
    let line = Regex::new(r#"(?m)^ +(\d+) ([A-Z_]+) "([^"]*)"$"#)?;
    let lines = line.captures_iter(&source).map(|found| NumberedLine {
        number: found[1].to_owned(),
        constant: found[2].to_owned(),
        documentation: found[3].to_owned(),
    });
    Ok(lines.collect::<Vec<_>>().into_iter())
}
