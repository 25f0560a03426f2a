//! The shell on a terminal.

use super::completion::ShellCompleter;
use super::history;
use super::session::Session;
use rtoscope_trace::printable::{Printable, multiline};
use rustyline::error::ReadlineError;
use rustyline::history::FileHistory;
use rustyline::{CompletionType, Config, Editor};
use std::fs;
use std::path::Path;

const PROMPT: &str = "rtoscope> ";

pub(super) fn run(session: &mut Session<'_>) -> anyhow::Result<()> {
    let config = Config::builder()
        .auto_add_history(true)
        .completion_type(CompletionType::List)
        .build();
    let mut editor: Editor<ShellCompleter, FileHistory> = Editor::with_config(config)?;
    editor.set_helper(Some(ShellCompleter::new(session.engine)));
    let history = history::file();
    if let Some(file) = &history {
        // There is no history on first use.
        let _ = editor.load_history(file);
    }
    anstream::println!("SQL statements end with `;`; type .help for help");
    loop {
        let text = match editor.readline(PROMPT) {
            Ok(text) => text,
            // Ctrl-C discards the line.
            Err(ReadlineError::Interrupted) => continue,
            Err(ReadlineError::Eof) => break,
            Err(error) => return Err(error.into()),
        };
        match session.run_text(&text) {
            Ok((done, _)) if done.is_break() => break,
            Ok(_) => {}
            Err(error) => anstream::eprintln!("{}", multiline(&format!("{error:#}"))),
        }
        if let Some(completer) = editor.helper_mut() {
            completer.refresh(session.engine);
        }
    }
    if let Some(file) = &history
        && let Err(error) = save(&mut editor, file)
    {
        rtoscope_command::message!("{}: {error}", Printable::path(file));
    }
    Ok(())
}

/// Appends the history of this shell to that of other shells.
fn save(
    editor: &mut Editor<ShellCompleter, FileHistory>,
    file: &Path,
) -> Result<(), ReadlineError> {
    if let Some(folder) = file.parent() {
        fs::create_dir_all(folder)?;
    }
    editor.append_history(file)
}
