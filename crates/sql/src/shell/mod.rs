//! The shell: one question after the other.

mod command;
mod completion;
mod editor;
mod history;

use crate::canned::Question;
use crate::query::{Engine, Statements, stdout, write};
use anyhow::Context as _;
use command::Command;
use rtoscope_command::query::QueryFormat;
use std::io::{self, IsTerminal as _, Write as _};
use std::ops::ControlFlow;
use tokio::runtime::{Builder, Runtime};

/// Answers questions of a terminal until its user has no more; or those of a
/// pipe, up to the first that cannot be answered.
pub(crate) fn run(runtime: Runtime, engine: &Engine, format: QueryFormat) -> anyhow::Result<()> {
    let mut shell = Shell {
        runtime,
        front: Builder::new_current_thread().enable_all().build()?,
        engine,
        format,
    };
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let done = match shell.set_format(format) {
        Ok(()) if is_terminal => editor::run(&mut shell),
        Ok(()) => shell.read(io::stdin().lock()),
        Err(error) => Err(error),
    };
    shell.runtime.shutdown_background();
    done
}

/// What answers.
struct Shell<'a> {
    /// Makes answers.
    runtime: Runtime,
    /// Writes them, and hears Ctrl-C however busy the other is.
    front: Runtime,
    engine: &'a Engine,
    format: QueryFormat,
}

impl Shell<'_> {
    fn set_format(&mut self, format: QueryFormat) -> anyhow::Result<()> {
        anyhow::ensure!(!format.is_binary(), "the shell writes text");
        self.format = format;
        Ok(())
    }

    /// Answers what comes, as soon as it is whole.
    fn read(&mut self, mut input: impl io::BufRead) -> anyhow::Result<()> {
        let mut text = String::new();
        loop {
            let line = text.len();
            let read = input.read_line(&mut text).context("standard input")?;
            let (done, rest) = match text
                .get(..line)
                .is_some_and(|before| before.trim().is_empty())
            {
                true => self.take(&text)?,
                false if text[line..].contains(';') || read == 0 => self.take(&text)?,
                false => (ControlFlow::Continue(()), text.len()),
            };
            if done.is_break() {
                return Ok(());
            }
            if read == 0 {
                return match text[text.len() - rest..].trim() {
                    "" => Ok(()),
                    last => self.answer(last),
                };
            }
            text.drain(..text.len() - rest);
        }
    }

    /// Answers what is whole in a text, and tells how many bytes of it are left.
    fn take(&mut self, text: &str) -> anyhow::Result<(ControlFlow<()>, usize)> {
        if let Some(command) = Command::read(text) {
            return Ok((self.obey(command?)?, 0));
        }
        let statements = Statements::of(text);
        for statement in statements.whole {
            self.answer(statement)?;
        }
        Ok((
            ControlFlow::Continue(()),
            statements.rest.map_or(0, str::len),
        ))
    }

    /// Writes the answer to a statement, unless Ctrl-C stops it.
    fn answer(&mut self, sql: &str) -> anyhow::Result<()> {
        let rows = self.runtime.block_on(self.engine.ask(sql))?;
        let format = self.format;
        let answered = self.front.block_on(async {
            let answer = async {
                let mut output = stdout();
                write(sql, rows, format, &mut output).await?;
                output.flush()?;
                anyhow::Ok(())
            };
            tokio::select! {
                answered = answer => Some(answered),
                _ = tokio::signal::ctrl_c() => None,
            }
        });
        if let Some(answered) = answered {
            return answered;
        }
        // A part of the plan may not notice for long that nobody waits for it.
        let stopped = std::mem::replace(&mut self.runtime, Runtime::new()?);
        stopped.shutdown_background();
        anyhow::bail!("stopped")
    }

    fn obey(&mut self, command: Command) -> anyhow::Result<ControlFlow<()>> {
        let mut output = stdout();
        match command {
            Command::Help => output.write_all(Command::HELP.as_bytes())?,
            Command::Tables => output.write_all(command::tables(self.engine).as_bytes())?,
            Command::Schema(table) => match command::schema(&table) {
                Some(columns) => output.write_all(columns.as_bytes())?,
                None => self.answer(&format!("DESCRIBE {table}"))?,
            },
            Command::List => output.write_all(Question::list().as_bytes())?,
            Command::Named(name, settings) => {
                let sql = Question::named(&name)?.with(&settings)?;
                self.answer(&sql)?;
            }
            Command::Format(format) => self.set_format(format)?,
            Command::Quit => return Ok(ControlFlow::Break(())),
        }
        output.flush()?;
        Ok(ControlFlow::Continue(()))
    }
}
