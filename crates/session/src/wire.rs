//! The types of the viewer's side, written from those of this one.

use crate::{answer, query};
use std::fmt::Write as _;
use std::path::Path;
use ts_rs::{Config, TS};

macro_rules! declarations {
    ($($type:ty),* $(,)?) => {{
        let config = Config::default().with_large_int("number");
        let mut text = String::from(
            "// Written by `cargo xtask bless` from crates/session: change it there.\n",
        );
        $(
            let docs = <$type as TS>::docs().unwrap_or_default();
            let _ = write!(text, "\n{docs}export {}\n", <$type as TS>::decl(&config));
        )*
        text
    }};
}

#[test]
fn the_viewer_speaks_the_same_language() {
    let text = declarations![
        query::Axis,
        query::Window,
        query::Query,
        query::Command,
        query::Bookmark,
        query::Direction,
        query::By,
        query::Search,
        query::CurveOf,
        query::SequenceFormat,
        query::MachineFormat,
        answer::Overview,
        answer::Base,
        answer::Clock,
        answer::Context,
        answer::LaneKind,
        answer::Lane,
        answer::Kind,
        answer::Object,
        answer::Level,
        answer::Machine,
        answer::State,
        answer::Class,
        answer::Gap,
        answer::Diagnostic,
        answer::Probe,
        answer::Place,
        answer::Details,
        answer::Argument,
        answer::Link,
        answer::Rows,
        answer::Row,
        answer::Hits,
        answer::Posts,
        answer::Post,
        answer::Diagram,
        answer::Curve,
        answer::LiveStatus,
        answer::Connection,
        answer::ConnectionState,
        answer::Saved,
    ];
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/src/session/wire.ts");
    if std::env::var_os("RTOSCOPE_BLESS").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(written == text, "run `cargo xtask bless`");
}
