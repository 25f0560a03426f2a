//! Rules in SQL, whose queries the program for SQL answers.

use crate::companion;
use anyhow::{Context as _, bail};
use rtoscope_analysis::AnalyzedRecording;
use rtoscope_analysis::check::{Offender, QueryAnswer, SqlRule};
use rtoscope_command::message_with_causes;
use rtoscope_command::sql_process::{MAX_ANSWER_TIME, RecordingFile, SqlProcess};
use rtoscope_command::sql_protocol::{SqlAnswer, SqlRequest, SqlResult};
use serde_json::Value;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};

/// Number of rows that become offenders.
const MAX_ROWS: usize = 5;

/// The queries on a recording: the program starts with the first one.
pub(super) struct RuleQueries<'r> {
    recording: &'r AnalyzedRecording,
    file: &'r RecordingFile,
    program: Option<(SqlProcess, Receiver<Vec<u8>>)>,
}

impl<'r> RuleQueries<'r> {
    pub(super) const fn new(recording: &'r AnalyzedRecording, file: &'r RecordingFile) -> Self {
        Self {
            recording,
            file,
            program: None,
        }
    }

    /// Runs the query of a rule; it is undecided if there is no program that can.
    ///
    /// # Errors
    ///
    /// If the query has a mistake.
    pub(super) fn run(&mut self, rule: &SqlRule) -> Result<QueryAnswer, String> {
        match self.answer(rule) {
            Ok(SqlAnswer::Result(result)) => Ok(query_answer(&result)),
            Ok(SqlAnswer::Error(error)) => Err(format!("`sql`: {error}")),
            Ok(SqlAnswer::Catalogue(_)) => Err("rtoscope-sql has another version".to_owned()),
            Err(error) => Ok(QueryAnswer::Undecided(message_with_causes(&error))),
        }
    }

    fn answer(&mut self, rule: &SqlRule) -> anyhow::Result<SqlAnswer> {
        let (mut process, answers) = match self.program.take() {
            Some(program) => program,
            None => self.start()?,
        };
        let request = SqlRequest::Check {
            sql: rule.sql.clone(),
            accepts_gaps: rule.accepts_gaps,
        };
        // A program that has ended reports why.
        let _ = process.send(&serde_json::to_vec(&request)?);
        let answer = match answers.recv_timeout(MAX_ANSWER_TIME) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => bail!(process.end_reason()),
            Err(RecvTimeoutError::Timeout) => bail!(
                "the query took more than {} minutes",
                MAX_ANSWER_TIME.as_secs() / 60
            ),
        };
        self.program = Some((process, answers));
        serde_json::from_slice(&answer).context("rtoscope-sql")
    }

    fn start(&self) -> anyhow::Result<(SqlProcess, Receiver<Vec<u8>>)> {
        let command = companion::serve_sql(self.recording, self.file)?;
        let (sender, answers) = mpsc::sync_channel(1);
        let process = SqlProcess::start(command, move |answer| sender.send(answer).is_ok());
        Ok((process.context("cannot run the program for SQL")?, answers))
    }
}

fn query_answer(result: &SqlResult) -> QueryAnswer {
    match (&result.warning, result.count) {
        (None, 0) => QueryAnswer::Empty,
        (Some(why), 0) => QueryAnswer::Undecided(why.clone()),
        (_, count) => {
            let rows = result.rows.iter().take(MAX_ROWS);
            QueryAnswer::Rows(count, rows.map(|row| offender(result, row)).collect())
        }
    }
}

/// A row: its values, and the event in the column of that name.
fn offender(result: &SqlResult, row: &[Value]) -> Offender {
    let mut event = None;
    let mut values = Vec::new();
    for (column, value) in result.columns.iter().zip(row) {
        let number = value.as_u64().and_then(|it| u32::try_from(it).ok());
        match (column.name.as_str(), number, value) {
            ("event", Some(number), _) => event = Some(number),
            (name, _, Value::String(text)) => values.push(format!("{name} {text}")),
            (name, _, Value::Null) => values.push(format!("{name} -")),
            (name, _, value) => values.push(format!("{name} {value}")),
        }
    }
    Offender {
        subject: String::new(),
        found: values.join(", "),
        event,
    }
}
