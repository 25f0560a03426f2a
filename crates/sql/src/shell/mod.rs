//! The shell.

mod command;
mod completion;
mod editor;
mod history;
mod session;

use crate::engine::Engine;
use rtoscope_command::query::QueryFormat;
use session::Session;
use std::io::{self, IsTerminal as _};
use tokio::runtime::Runtime;

/// Runs statements: of a terminal until the user exits, of a pipe up to the
/// first that fails.
pub(crate) fn run(runtime: Runtime, engine: &Engine, format: QueryFormat) -> anyhow::Result<()> {
    let mut session = Session::new(runtime, engine, format)?;
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let result = match is_terminal {
        true => editor::run(&mut session),
        false => session.read(io::stdin().lock()),
    };
    session.close();
    result
}
