//! A capture on the terminal.

use super::arguments::Arguments;
use super::trigger::{Condition, Deadline};
use super::words;
use crate::commands::events::column::{Column, Values};
use crate::commands::events::listing::Listing;
use crate::commands::events::select::Selection;
use indicatif::{ProgressBar, ProgressStyle};
use rtoscope_capture::{Connection, Flow, Status, Told};
use rtoscope_command::is_broken_pipe;
use rtoscope_decode::live::News;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, PoisonError};

/// Shows events as they come, and what happens to the target.
pub(super) struct Terminal {
    listing: Option<Listing>,
    /// Whether the capture goes on if no more can be listed.
    saves: bool,
    filter: Option<Condition>,
    until: Option<Condition>,
    /// Events that may still be listed.
    left: usize,
    status_line: StatusLine,
    deadline: Deadline,
    outcome: Outcome,
}

/// Why the terminal ended the capture, if that was for a fault.
#[derive(Clone, Default)]
pub(super) struct Outcome(Arc<Mutex<Option<anyhow::Error>>>);

/// The line at the bottom of a terminal; nothing where there is none.
#[derive(Clone)]
pub(super) struct StatusLine(ProgressBar);

impl Terminal {
    pub(super) fn new(
        arguments: &Arguments,
        status_line: StatusLine,
        deadline: Deadline,
    ) -> anyhow::Result<(Self, Outcome)> {
        let needs_all = [Column::Posted, Column::Waited];
        let columns = &arguments.listing.columns;
        if let Some(column) = columns.iter().find(|column| needs_all.contains(column)) {
            anyhow::bail!(
                "the column {} needs the whole recording: save it with --save and list its events",
                column.name()
            );
        }
        let condition = |option, text: &Option<String>| {
            let text = text.as_deref();
            text.map(|text| Condition::parse(option, text)).transpose()
        };
        let outcome = Outcome::default();
        let limit = arguments.limit.unwrap_or(u64::MAX);
        let terminal = Self {
            listing: arguments.lists().then(|| arguments.listing.listing()),
            saves: arguments.recording().is_some(),
            filter: condition("--filter", &arguments.filter)?,
            until: condition("--until", &arguments.until)?,
            left: usize::try_from(limit).unwrap_or(usize::MAX),
            status_line,
            deadline,
            outcome: outcome.clone(),
        };
        Ok((terminal, outcome))
    }

    /// What a capture tells is shown here.
    pub(super) fn listener(mut self) -> impl FnMut(Told<'_>) -> Flow + Send + 'static {
        move |told| match self.show(&told) {
            Ok(flow) => flow,
            Err(error) => {
                self.outcome.set(error);
                Flow::Stop
            }
        }
    }

    fn show(&mut self, told: &Told<'_>) -> anyhow::Result<Flow> {
        match told {
            Told::News(news) => return self.news(news),
            Told::Connection(connection) => {
                if let Some(sentence) = words::connection(connection) {
                    self.status_line.remark(&sentence);
                }
                if matches!(connection, Connection::Ended | Connection::Failed(_)) {
                    self.unmatched();
                }
            }
            Told::Remark(remark) => self.status_line.remark(remark),
        }
        Ok(Flow::GoOn)
    }

    fn news(&mut self, news: &News) -> anyhow::Result<Flow> {
        let trace = &news.recording.trace;
        let first = u32::from(news.overlaps);
        if let Some(listing) = &mut self.listing {
            let filter = self.filter.as_mut().map(|filter| filter.bind(trace));
            let selection = Selection::part(trace, first, filter.transpose()?, self.left);
            let values = Values::of_part(&news.recording);
            let append = || listing.append(&values, &selection);
            match self.status_line.aside(append) {
                Ok(listed) => {
                    self.left -= usize::try_from(listed).unwrap_or(self.left).min(self.left);
                }
                Err(error) => {
                    let error = error.context("standard output");
                    if !self.saves || is_broken_pipe(&error) {
                        return Err(error);
                    }
                    // What it is saved for may still come.
                    let sentence = format!("{error:#}; no more is listed, but it is saved");
                    self.status_line.remark(&sentence);
                    self.outcome.set(error);
                    self.listing = None;
                }
            }
            if self.left == 0 {
                return Ok(Flow::Stop);
            }
        }
        if let Some(until) = &mut self.until
            && let Some(event) = until.first(trace, first)?
        {
            self.until = None;
            self.deadline.trigger();
            let number = trace.number(event);
            let sentence = format!("event {number} is the one that it was waited for");
            self.status_line.remark(&sentence);
        }
        Ok(Flow::GoOn)
    }

    /// Says what names of expressions never came.
    fn unmatched(&self) {
        for condition in [&self.filter, &self.until].into_iter().flatten() {
            for unknown in condition.unknown() {
                self.status_line.remark(&unknown);
            }
        }
    }
}

impl Outcome {
    fn set(&self, error: anyhow::Error) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// The fault, if there was one.
    pub(super) fn take(&self) -> anyhow::Result<()> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.take().map_or(Ok(()), Err)
    }
}

impl StatusLine {
    /// On standard error, if that is a terminal.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    pub(super) fn show(&self, status: &Status) {
        self.0.set_message(words::status(status));
        self.0.tick();
    }

    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }

    /// Writes to standard output where that cannot disturb the line. What does not
    /// go to the same terminal must not hold up who shows the line, however long
    /// it takes.
    fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match std::io::stdout().is_terminal() {
            true => self.0.suspend(write),
            false => write(),
        }
    }

    /// Says something above the line.
    pub(super) fn remark(&self, sentence: &str) {
        self.0.suspend(|| rtoscope_command::message!("{sentence}"));
    }
}
