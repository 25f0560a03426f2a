//! `rtoscope-sql query`: recordings are asked in SQL.

mod answer;
mod clock;
mod complaint;
mod dataset;
mod engine;
mod folders;
mod functions;
mod intervals;
mod output;
mod provider;
mod pruning;
mod scan;
mod statements;

use crate::canned::Question;
use crate::shell;
use anyhow::{Context as _, ensure};
use dataset::Dataset;
pub(crate) use engine::Engine;
pub(crate) use functions::FUNCTIONS;
pub(crate) use output::{stdout, write};
use rtoscope_command::input::FileArguments;
use rtoscope_command::query::QueryArguments;
use rtoscope_trace::printable::Printable;
pub(crate) use statements::Statements;
use std::io::Write as _;
use std::path::PathBuf;
use tokio::runtime::Runtime;

/// Answers what is asked. Whether every check held that the user makes.
///
/// # Errors
///
/// If a recording cannot be read, the question cannot be answered, or the
/// answer cannot be written.
pub fn run(arguments: &QueryArguments) -> anyhow::Result<bool> {
    if arguments.list {
        let mut output = stdout();
        output.write_all(Question::list().as_bytes())?;
        output.flush()?;
        return Ok(true);
    }
    let (files, sql) = arguments.question()?;
    let format = arguments.format()?;
    for file in &files {
        file.keep_from(&arguments.decode, arguments.output())?;
    }
    let asked = match (&arguments.named, sql) {
        (Some(name), _) => Some(Question::named(name)?.with(&arguments.set)?),
        (None, sql) => sql
            .map(|sql| Statements::only(sql).map(str::to_owned))
            .transpose()?,
    };
    let folders = files.iter().filter_map(FileArguments::path);
    let folders = folders.filter(|path| folders::is_dataset(path));
    let folders: Vec<_> = folders.map(PathBuf::from).collect();
    ensure!(
        folders.is_empty() || folders.len() == files.len(),
        "{} is what was exported, and cannot be asked together with recordings",
        Printable::path(&folders[0])
    );
    if !folders.is_empty() {
        arguments.reads_nothing()?;
    }
    let runtime = Runtime::new().context("no threads for the query")?;
    let engine = if folders.is_empty() {
        let dataset = Dataset::read(&files, &arguments.decode)?;
        runtime.block_on(Engine::of_recordings(dataset))?
    } else {
        runtime.block_on(Engine::of_folders(&folders))?
    };
    let Some(sql) = asked else {
        shell::run(runtime, &engine, format)?;
        return Ok(true);
    };
    let asked = engine.ask(&sql, arguments.expect_empty);
    let rows = runtime.block_on(asked)?;
    let count = output::save(&runtime, &sql, rows, format, arguments.output());
    // Nobody waits for what was given up.
    runtime.shutdown_background();
    Ok(count? == 0 || !arguments.expect_empty)
}
