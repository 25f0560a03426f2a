//! The queries of a viewer.

use rtoscope_decode::DecodeOptions;
use rtoscope_generate::{ThreadXOptions, write};
use rtoscope_session::query::{
    Axis, Direction, GraphFormat, GraphSource, IsrMeasure, MarkerMeasure, PlotSource, Search,
    SequenceFormat, StepBy, Window,
};
use rtoscope_session::{Command, Query, QueryResponse, Session};
use std::sync::{LazyLock, Mutex, PoisonError};

static SESSION: LazyLock<Mutex<Option<Session>>> = LazyLock::new(|| {
    let settings = ThreadXOptions {
        events: 400,
        threads: 4,
        ..ThreadXOptions::default()
    };
    let mut bytes = Vec::new();
    let written = write(&settings, &mut bytes, &mut |_| ());
    let session = written
        .ok()
        .and_then(|_| Session::open("fuzz", &bytes, &DecodeOptions::default()).ok());
    Mutex::new(session)
});

/// Passes JSON as a query, or as a command, to a session.
pub(crate) fn run_json(json: &[u8]) {
    let mut session = SESSION.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(session) = session.as_mut() else {
        return;
    };
    if let Ok(query) = serde_json::from_slice::<Query>(json) {
        // An error is a valid answer.
        let _ = session.query(&query);
    }
    if let Ok(command) = serde_json::from_slice::<Command>(json) {
        let _ = session.apply(command);
    }
}

/// Sends a session of a recording every kind of query.
///
/// # Panics
///
/// If a valid query is rejected, or lanes do not have the requested width.
pub(crate) fn query_everything(bytes: &[u8], options: &DecodeOptions) {
    let Ok(session) = Session::open("fuzz", bytes, options) else {
        return;
    };
    let Ok(QueryResponse::Json(overview)) = session.query(&Query::Overview) else {
        panic!("no overview");
    };
    let overview: serde_json::Value = serde_json::from_str(&overview).unwrap_or_default();
    let number = |key: &str| overview[key].as_f64().unwrap_or_default();
    let count = |key: &str| overview[key].as_array().map_or(0, Vec::len) as u32;
    let events = number("events") as u64;
    let levels = overview["levels"].as_array().into_iter().flatten();
    let levels = levels.filter_map(|level| level["resource"].as_u64());
    let levels: Vec<_> = levels.map(|resource| resource as u32).collect();
    let lanes: Vec<u32> = (0..count("lanes").min(64)).collect();
    for (axis, end) in [
        (Axis::Time, number("span")),
        (Axis::Index, number("events")),
    ] {
        for (from, to) in [(0.0, 1.0), (-0.5, 0.3), (0.4, 0.6), (0.999, 2.0)] {
            let window = Window {
                axis,
                start: from * end - 1.0,
                end: to * end + 1.0,
            };
            for width in [1, 13, 400] {
                let lanes = lanes.clone();
                let Ok(QueryResponse::Lanes(answer)) = session.query(&Query::Lanes {
                    window,
                    width,
                    lanes,
                    search: None,
                }) else {
                    panic!("no lanes");
                };
                assert_eq!(answer.get(4..8), Some(&width.to_le_bytes()[..]));
                for of in [
                    GraphSource::Load { core: None },
                    GraphSource::Level { resource: 0 },
                ] {
                    let _ = session.query(&Query::Graph {
                        source: of,
                        window,
                        width,
                    });
                }
                for source in [
                    PlotSource::Marker {
                        marker: 0,
                        measure: MarkerMeasure::Value,
                    },
                    PlotSource::Event {
                        number: 4096,
                        argument: "info1".to_owned(),
                    },
                    PlotSource::Isr {
                        number: 0,
                        measure: IsrMeasure::Run,
                    },
                ] {
                    let _ = session.query(&Query::Plot {
                        source,
                        window,
                        width,
                    });
                }
                let search = Search {
                    filter: "context == interrupt or info1 & 1".to_owned(),
                };
                let _ = session.query(&Query::Search {
                    search,
                    window,
                    width,
                });
            }
            assert!(session.query(&Query::Posts { window, limit: 50 }).is_ok());
            for format in [SequenceFormat::Svg, SequenceFormat::Mermaid] {
                let asked = session.query(&Query::Sequence {
                    window,
                    objects: Vec::new(),
                    format,
                    states: true,
                    actions: true,
                    timers: true,
                    limit: 100,
                });
                assert!(asked.is_ok());
            }
            let raw = Query::RawEvents {
                window,
                offset: 0,
                limit: 100,
            };
            assert!(session.query(&raw).is_ok());
            for level in levels.iter().take(4) {
                let messages = Query::Messages {
                    resource: *level,
                    window,
                    limit: 100,
                };
                assert!(session.query(&messages).is_ok());
            }
            let at = window.start;
            let lanes = lanes.clone();
            assert!(session.query(&Query::Probe { axis, at, lanes }).is_ok());
            assert!(session.query(&Query::Locate { axis, at }).is_ok());
        }
    }
    for event in [0, events / 2, events.saturating_sub(1), events] {
        assert!(session.query(&Query::Event { event }).is_ok());
        for by in [
            StepBy::Event,
            StepBy::Switch,
            StepBy::Context { context: 0 },
            StepBy::Object { object: 0 },
        ] {
            for direction in [Direction::Next, Direction::Previous] {
                let by = by.clone();
                let _ = session.query(&Query::Step {
                    from: event,
                    direction,
                    by,
                });
            }
        }
    }
    let machines = overview["machines"].as_array().into_iter().flatten();
    for context in machines
        .take(4)
        .filter_map(|machine| machine["context"].as_u64())
    {
        for format in [GraphFormat::Dot, GraphFormat::Mermaid] {
            let context = context as u32;
            assert!(session.query(&Query::Machine { context, format }).is_ok());
        }
    }
    for format in [GraphFormat::Dot, GraphFormat::Mermaid] {
        let communication = Query::Communication {
            start: None,
            end: None,
            format,
        };
        assert!(session.query(&communication).is_ok());
    }
    for tables in [false, true] {
        let all_reports = Query::Report {
            kinds: Vec::new(),
            start: None,
            end: None,
            threads: None,
            core: None,
            anchor: None,
            context: None,
            tables,
        };
        assert!(session.query(&all_reports).is_ok());
    }
    for object in 0..count("objects").min(4) {
        let (offset, limit) = (0, 50);
        assert!(
            session
                .query(&Query::History {
                    object,
                    offset,
                    limit
                })
                .is_ok()
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn seeds_are_queries_and_commands() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/seeds/queries");
        for entry in fs::read_dir(folder).unwrap() {
            let seed = fs::read(entry.unwrap().path()).unwrap();
            let query = serde_json::from_slice::<Query>(&seed).map(drop);
            let parsed = query.or_else(|_| serde_json::from_slice::<Command>(&seed).map(drop));
            assert!(parsed.is_ok(), "{}", String::from_utf8_lossy(&seed));
        }
    }
}
