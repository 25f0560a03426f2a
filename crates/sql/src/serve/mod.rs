//! `rtoscope-sql serve`: answers the queries of the viewer's page and of other commands.
//!
//! The other program starts it for one recording and writes requests to its standard
//! input, one per line; each answer is one line of standard output. It ends with its
//! standard input. Statements can only read the recording: neither other files nor
//! settings, and within a limit of memory.

mod answer;
mod catalogue;

use crate::canned_queries::{BoundSql, CannedQuery};
use crate::engine::{
    Dataset, Engine, Evidence, RecordingOptions, SqlDiagnostic, Statements, limit_address_space,
};
use crate::query::{runtime, with_large_stack};
use anyhow::bail;
use clap::Args;
use rtoscope_command::input::{BufferArgs, DecodeArgs, FileArgs, TextLogArgs, TimingArgs};
use rtoscope_command::query::QueryParameter;
use rtoscope_command::sql_protocol::{SqlAnswer, SqlError, SqlRequest, SqlResult};
use rtoscope_trace::Frequency;
use std::collections::BTreeMap;
use std::io::{self, BufRead as _, Write as _};
use std::path::PathBuf;
use std::process;
use std::sync::mpsc;
use std::thread;
use std::time::Instant;
use tokio::runtime::Runtime;

/// The arguments of the command.
#[derive(Args)]
pub struct ServeArgs {
    /// The recording.
    file: PathBuf,

    /// The name of the trace in the viewer.
    #[arg(long)]
    title: String,

    /// The number of its events.
    #[arg(long)]
    expected_events: u32,

    /// The frequency of its clock, if it is known.
    #[arg(long)]
    frequency_hz: Option<u64>,

    #[command(flatten)]
    buffer: BufferArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,

    #[command(flatten)]
    text_logs: TextLogArgs,
}

/// Answers requests until standard input ends.
///
/// # Errors
///
/// If standard output cannot be written or the system has no threads.
pub fn run(arguments: &ServeArgs) -> anyhow::Result<()> {
    with_large_stack(|| answer_requests(arguments))
}

fn answer_requests(arguments: &ServeArgs) -> anyhow::Result<()> {
    let runtime = runtime()?;
    let mut engine = None;
    for line in request_lines()? {
        let answer = match serde_json::from_str(&line) {
            Ok(SqlRequest::Catalogue) => SqlAnswer::Catalogue(catalogue::catalogue()),
            Ok(SqlRequest::Query { sql, named, set }) => {
                let bound = || bind(&sql, named.as_deref(), set);
                let result = run_query(&runtime, &mut engine, arguments, bound, None);
                result.unwrap_or_else(SqlAnswer::Error)
            }
            Ok(SqlRequest::Check { sql, accepts_gaps }) => {
                let evidence = Evidence {
                    accepts_gaps,
                    min_rows: None,
                };
                let bound = || bind(&sql, None, BTreeMap::new());
                let result = run_query(&runtime, &mut engine, arguments, bound, Some(evidence));
                result.unwrap_or_else(SqlAnswer::Error)
            }
            Err(error) => SqlAnswer::Error(SqlError::from_message(error.to_string())),
        };
        let mut output = io::stdout().lock();
        serde_json::to_writer(&mut output, &answer)?;
        output.write_all(b"\n")?;
        output.flush()?;
    }
    Ok(())
}

/// The lines of standard input. Its end ends the program, even while a query runs.
fn request_lines() -> io::Result<mpsc::Receiver<String>> {
    let (sender, lines) = mpsc::channel();
    let reader = thread::Builder::new().name("requests".to_owned());
    reader.spawn(move || {
        for line in io::stdin().lock().lines().map_while(Result::ok) {
            if sender.send(line).is_err() {
                break;
            }
        }
        process::exit(0);
    })?;
    Ok(lines)
}

/// Runs a query, or a check that needs this evidence; opens the recording first, if it is not open
/// yet.
fn run_query(
    runtime: &Runtime,
    engine: &mut Option<Engine>,
    arguments: &ServeArgs,
    bind: impl FnOnce() -> anyhow::Result<BoundSql>,
    check: Option<Evidence>,
) -> Result<SqlAnswer, SqlError> {
    let engine = match engine {
        Some(engine) => engine,
        None => {
            let opened = open(arguments).and_then(|it| runtime.block_on(Engine::read_only(it)));
            let opened = opened.and_then(|engine| limit_address_space().map(|()| engine));
            engine.insert(opened.map_err(|error| SqlError::from_message(format!("{error:#}")))?)
        }
    };
    let start = Instant::now();
    let bound = bind().map_err(|error| SqlError::from_message(format!("{error:#}")))?;
    let result: anyhow::Result<_> = runtime.block_on(async {
        let sql = &bound.sql;
        let (rows, mut warning) = match check {
            Some(_) => (engine.query_for_check(sql).await?, None),
            None => engine.query_with_warning(sql).await?,
        };
        let rows = answer::collect(sql, rows).await?;
        if let (Some(evidence), 0) = (check, rows.count) {
            warning = engine.why_undecided(sql, evidence).await?;
        }
        Ok(SqlResult {
            milliseconds: start.elapsed().as_secs_f64() * 1000.0,
            warning,
            ..rows
        })
    });
    result.map(SqlAnswer::Result).map_err(|error| {
        let diagnostic = error.downcast_ref::<SqlDiagnostic>();
        match diagnostic {
            Some(diagnostic) => SqlError {
                message: diagnostic.message().to_owned(),
                position: diagnostic.position().map(|it| bound.original(it)),
            },
            None => SqlError::from_message(format!("{error:#}")),
        }
    })
}

/// The recording as the viewer has opened it.
fn open(arguments: &ServeArgs) -> anyhow::Result<Dataset> {
    let file = FileArgs::new(arguments.file.clone(), arguments.buffer);
    let frequency = arguments.frequency_hz.and_then(Frequency::from_hertz);
    let dataset = Dataset::of_viewer(&file, &arguments.title, arguments, frequency)?;
    let events = dataset.events();
    let expected = arguments.expected_events;
    if u32::try_from(events).unwrap_or(u32::MAX) != expected {
        bail!(
            "the recording has changed since rtoscope opened it: {events} events, not {expected}; \
             run the command again"
        );
    }
    Ok(dataset)
}

/// The text of the only statement, with the values of its parameters.
fn bind(sql: &str, named: Option<&str>, set: BTreeMap<String, String>) -> anyhow::Result<BoundSql> {
    let statements = Statements::parse(sql);
    match statements.complete.len() + usize::from(statements.rest.is_some()) {
        0 => bail!("the SQL is empty"),
        1 => {}
        _ => bail!("more than one statement; run one at a time"),
    }
    let Some(named) = named else {
        return Ok(BoundSql::unbound(sql));
    };
    let set = set.into_iter();
    let set: Vec<_> = set
        .map(|(name, value)| QueryParameter { name, value })
        .collect();
    CannedQuery::by_name(named)?.bind(sql, &set)
}

impl RecordingOptions for ServeArgs {
    fn decode(&self) -> &DecodeArgs {
        &self.decode
    }

    fn timing(&self) -> &TimingArgs {
        &self.timing
    }

    fn text_logs(&self) -> &TextLogArgs {
        &self.text_logs
    }
}
