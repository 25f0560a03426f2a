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
    let mut section = |title: &str, names: &mut dyn Iterator<Item = (String, String)>| {
        let _ = writeln!(header, "\n/* {title} */");
        for (name, number) in names {
            let _ = writeln!(header, "#define RTO_{name} {number}");
        }
    };
    let types = numbered("crates/wire/src/threadx/registry.rs")?;
    section(
        "Types of ThreadX objects: rto_threadx_register.",
        &mut types.iter().map(|line| {
            (
                format!("TX_TRACE_OBJECT_TYPE_{}", line.constant),
                line.number.clone(),
            )
        }),
    );
    let states = numbered("crates/record/src/threadx/state.rs")?;
    section(
        "States of ThreadX threads: rto_threadx_resume, rto_threadx_suspend.",
        &mut states
            .iter()
            .map(|line| (line.original(), line.number.clone())),
    );
    let groups = numbered("crates/record/src/threadx/groups.rs")?;
    section(
        "Groups of ThreadX events: rto_threadx_insert, rto_threadx_event_filter.",
        &mut groups
            .iter()
            .map(|line| (line.original(), format!("(1u << {})", line.number))),
    );
    for (component, file) in EVENTS {
        let file = format!("crates/decode/src/threadx/catalogue/{file}.tsv");
        let table = fs::read_to_string(shell::root().join(&file)).context(file)?;
        let columns = table.lines().skip(1).filter_map(|line| {
            let mut columns = line.split('\t').map(str::to_owned);
            let number = columns.next()?;
            Some((columns.next()?, number))
        });
        section(
            &format!("Events of {component}: rto_threadx_insert."),
            &mut columns.collect::<Vec<_>>().into_iter(),
        );
    }
    section(
        "Groups of RKH: rto_rkh_filter.",
        &mut Group::ALL.iter().map(|group| {
            (
                format!("RKH_TG_{}", group.name()),
                group.number().to_string(),
            )
        }),
    );
    section(
        "Records of RKH: rto_rkh_record, rto_rkh_filter.",
        &mut record_specs(Dialect::V3)
            .iter()
            .filter(|record| record.group != Group::Usr)
            .map(|record| {
                let name = format!("RKH_TE_{}_{}", record.group.name(), record.name);
                (name, format!("{:#04X}", record.id))
            }),
    );
    header.push_str("\n#endif\n");
    Ok(header)
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

fn numbered(file: &str) -> anyhow::Result<Vec<NumberedLine>> {
    let source = fs::read_to_string(shell::root().join(file)).context(file.to_owned())?;
    let line = Regex::new(r#"(?m)^ +(\d+) ([A-Z_]+) "([^"]*)"$"#)?;
    Ok(line
        .captures_iter(&source)
        .map(|found| NumberedLine {
            number: found[1].to_owned(),
            constant: found[2].to_owned(),
            documentation: found[3].to_owned(),
        })
        .collect())
}
