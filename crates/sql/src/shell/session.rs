//! A session of the shell.

use super::command::{self, Command};
use crate::canned_queries::CannedQuery;
use crate::engine::{Engine, Statements};
use crate::results::{stdout, write};
use anyhow::Context as _;
use rtoscope_command::query::QueryFormat;
use rtoscope_trace::printable::Printable;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::time::Instant;
use tokio::runtime::{Builder, Runtime};

/// The state of the shell.
pub(super) struct Session<'a> {
    /// Runs queries.
    runtime: Runtime,
    /// Writes results and handles Ctrl-C, even while queries keep the other
    /// runtime busy.
    output_runtime: Runtime,
    pub(super) engine: &'a Engine,
    format: QueryFormat,
    /// Whether to show the run time of queries.
    has_timer: bool,
    /// Output of results other than standard output.
    output: Option<BufWriter<File>>,
    /// Nesting depth of files being read.
    files: usize,
}

/// Maximum nesting depth of files.
const MAX_FILES: usize = 16;

impl<'a> Session<'a> {
    /// Starts a session.
    ///
    /// # Errors
    ///
    /// If the format is a binary one.
    pub(super) fn new(
        runtime: Runtime,
        engine: &'a Engine,
        format: QueryFormat,
    ) -> anyhow::Result<Self> {
        let mut session = Self {
            runtime,
            output_runtime: Builder::new_current_thread().enable_all().build()?,
            engine,
            format,
            has_timer: false,
            output: None,
            files: 0,
        };
        session.set_format(format)?;
        Ok(session)
    }

    /// Ends the session without waiting for cancelled queries.
    pub(super) fn close(self) {
        self.runtime.shutdown_background();
    }

    fn set_format(&mut self, format: QueryFormat) -> anyhow::Result<()> {
        anyhow::ensure!(!format.is_binary(), "the shell supports text formats only");
        self.format = format;
        Ok(())
    }

    /// Reads input and runs statements as soon as they are complete.
    pub(super) fn read(&mut self, mut input: impl io::BufRead) -> anyhow::Result<()> {
        let mut text = String::new();
        loop {
            let line = text.len();
            let read = input.read_line(&mut text)?;
            let (done, rest) = match text
                .get(..line)
                .is_some_and(|before| before.trim().is_empty())
            {
                true => self.run_text(&text)?,
                false if text[line..].contains(';') || read == 0 => self.run_text(&text)?,
                false => (ControlFlow::Continue(()), text.len()),
            };
            if done.is_break() {
                return Ok(());
            }
            if read == 0 {
                return match text[text.len() - rest..].trim() {
                    "" => Ok(()),
                    last => self.run_statement(last),
                };
            }
            text.drain(..text.len() - rest);
        }
    }

    /// Runs the complete statements in a text and returns the number of bytes
    /// that are left.
    pub(super) fn run_text(&mut self, text: &str) -> anyhow::Result<(ControlFlow<()>, usize)> {
        if let Some(command) = Command::read(text) {
            return Ok((self.run_command(command?)?, 0));
        }
        let statements = Statements::parse(text);
        for statement in statements.complete {
            self.run_statement(statement)?;
        }
        Ok((
            ControlFlow::Continue(()),
            statements.rest.map_or(0, str::len),
        ))
    }

    /// Runs a statement and writes its result, unless Ctrl-C cancels it.
    fn run_statement(&mut self, sql: &str) -> anyhow::Result<()> {
        let start = Instant::now();
        let rows = self.runtime.block_on(self.engine.query(sql))?;
        let (format, target) = (self.format, &mut self.output);
        let result = self.output_runtime.block_on(async {
            let writing = async {
                let mut output = output_writer(target);
                write(sql, rows, format, &mut *output).await?;
                output.flush()?;
                anyhow::Ok(())
            };
            tokio::select! {
                result = writing => Some(result),
                _ = tokio::signal::ctrl_c() => None,
            }
        });
        if let Some(result) = result {
            result?;
            if self.has_timer {
                anstream::eprintln!("Run time: {:.3} s", start.elapsed().as_secs_f64());
            }
            return Ok(());
        }
        // Some operators notice cancellation only after a long time.
        let cancelled = std::mem::replace(&mut self.runtime, Runtime::new()?);
        cancelled.shutdown_background();
        anyhow::bail!("cancelled")
    }

    fn run_command(&mut self, command: Command) -> anyhow::Result<ControlFlow<()>> {
        let text = match command {
            Command::Help => Command::HELP.to_owned(),
            Command::Tables => command::tables(self.engine),
            Command::Functions => command::functions(),
            Command::Schema(table) => match command::schema(&table) {
                Some(columns) => columns,
                None => {
                    self.run_statement(&format!("DESCRIBE {table}"))?;
                    String::new()
                }
            },
            Command::List => CannedQuery::list(),
            Command::Named(name, parameters) => {
                let query = CannedQuery::by_name(&name)?;
                query.require_tags(&self.engine.recordings_schema())?;
                self.run_statement(&query.bound(&parameters)?)?;
                String::new()
            }
            Command::Format(format) => {
                self.set_format(format)?;
                String::new()
            }
            Command::Timer(enabled) => {
                self.has_timer = enabled;
                String::new()
            }
            Command::Read(file) => {
                let read = self.read_file(&file);
                read.with_context(|| Printable::path(&file).to_string())?;
                String::new()
            }
            Command::Output(file) => {
                self.set_output(file.as_deref())?;
                String::new()
            }
            Command::Quit => return Ok(ControlFlow::Break(())),
        };
        let mut output = output_writer(&mut self.output);
        output.write_all(text.as_bytes())?;
        output.flush()?;
        Ok(ControlFlow::Continue(()))
    }

    /// Runs the statements and commands of a file.
    fn read_file(&mut self, path: &Path) -> anyhow::Result<()> {
        anyhow::ensure!(
            self.files < MAX_FILES,
            "files are nested more than {MAX_FILES} deep"
        );
        let file = BufReader::new(File::open(path)?);
        self.files += 1;
        let read = self.read(file);
        self.files -= 1;
        read
    }

    /// Redirects results to a new file. An existing file is refused: it could
    /// be a recording.
    fn set_output(&mut self, path: Option<&Path>) -> anyhow::Result<()> {
        self.output = match path {
            None => None,
            Some(path) => {
                let file = File::create_new(path);
                Some(BufWriter::new(
                    file.with_context(|| Printable::path(path).to_string())?,
                ))
            }
        };
        Ok(())
    }
}

/// The current output of results.
fn output_writer(output: &mut Option<BufWriter<File>>) -> Box<dyn io::Write + Send + '_> {
    match output {
        Some(file) => Box::new(file),
        None => Box::new(stdout()),
    }
}
