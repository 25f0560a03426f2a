//! Terminal output of a capture.

use super::args::LiveArgs;
use super::status_text;
use super::trigger::{Condition, Deadline};
use crate::commands::events::column::{Column, ColumnValues};
use crate::commands::events::listing::Listing;
use crate::commands::events::selection::EventSelection;
use indicatif::{ProgressBar, ProgressStyle};
use rtoscope_capture::{CaptureControl, CaptureEvent, CaptureStatus, SourceState};
use rtoscope_command::is_broken_pipe;
use rtoscope_decode::live::LiveUpdate;
use std::io::IsTerminal as _;
use std::sync::{Arc, Mutex, PoisonError};

/// Prints events and connection changes as they arrive.
pub(super) struct TerminalOutput {
    listing: Option<Listing>,
    /// Whether the capture continues when no more events can be listed.
    saves: bool,
    filter: Option<Condition>,
    until: Option<Condition>,
    /// Remaining events of --limit.
    remaining_events: usize,
    status_line: StatusLine,
    deadline: Deadline,
    outcome: Outcome,
}

/// The error that made the terminal output end the capture, if any.
#[derive(Clone, Default)]
pub(super) struct Outcome(Arc<Mutex<Option<anyhow::Error>>>);

/// The status line at the bottom of a terminal; hidden elsewhere.
#[derive(Clone)]
pub(super) struct StatusLine(ProgressBar);

impl TerminalOutput {
    pub(super) fn new(
        arguments: &LiveArgs,
        status_line: StatusLine,
        deadline: Deadline,
    ) -> anyhow::Result<(Self, Outcome)> {
        let needs_all = [Column::PostEvent, Column::Waited];
        let columns = &arguments.listing.columns;
        if let Some(column) = columns.iter().find(|column| needs_all.contains(column)) {
            anyhow::bail!(
                "the column {} needs the complete recording: save it with --save, then run `rtoscope events`",
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
            listing: arguments
                .lists_events()
                .then(|| arguments.listing.listing(false)),
            saves: arguments.recording_settings().is_some(),
            filter: condition("--filter", &arguments.filter)?,
            until: condition("--until", &arguments.until)?,
            remaining_events: usize::try_from(limit).unwrap_or(usize::MAX),
            status_line,
            deadline,
            outcome: outcome.clone(),
        };
        Ok((terminal, outcome))
    }

    /// Returns a listener that prints the capture's updates.
    pub(super) fn listener(
        mut self,
    ) -> impl FnMut(CaptureEvent<'_>) -> CaptureControl + Send + 'static {
        move |event| match self.handle_update(&event) {
            Ok(flow) => flow,
            Err(error) => {
                self.outcome.set(error);
                CaptureControl::Stop
            }
        }
    }

    fn handle_update(&mut self, event: &CaptureEvent<'_>) -> anyhow::Result<CaptureControl> {
        match event {
            CaptureEvent::News(news) => return self.write_new_events(news),
            CaptureEvent::Connection(connection) => {
                if let Some(sentence) = status_text::connection_text(connection) {
                    self.status_line.print_remark(&sentence);
                }
                if matches!(connection, SourceState::Ended | SourceState::Failed(_)) {
                    self.warn_of_unknown_names();
                }
            }
            CaptureEvent::Message(remark) => self.status_line.print_remark(remark),
        }
        Ok(CaptureControl::Continue)
    }

    fn write_new_events(&mut self, news: &LiveUpdate) -> anyhow::Result<CaptureControl> {
        let trace = &news.recording.trace;
        let first = u32::from(news.overlaps);
        if let Some(listing) = &mut self.listing {
            let filter = self.filter.as_mut().map(|filter| filter.bind(trace));
            let selection =
                EventSelection::live_part(trace, first, filter.transpose()?, self.remaining_events);
            let values = ColumnValues::of_live_part(trace, &news.recording.format_info);
            let append = || listing.append(&values, &selection);
            match self.status_line.suspended(append) {
                Ok(listed) => {
                    self.remaining_events -= usize::try_from(listed)
                        .unwrap_or(self.remaining_events)
                        .min(self.remaining_events);
                }
                Err(error) => {
                    let error = error.context("standard output");
                    if !self.saves || is_broken_pipe(&error) {
                        return Err(error);
                    }
                    // The recording continues: events may still match --until.
                    let sentence =
                        format!("{error:#}; the listing stops, but the recording continues");
                    self.status_line.print_remark(&sentence);
                    self.outcome.set(error);
                    self.listing = None;
                }
            }
            if self.remaining_events == 0 {
                return Ok(CaptureControl::Stop);
            }
        }
        if let Some(until) = &mut self.until
            && let Some(event) = until.first_match(trace, first)?
        {
            self.until = None;
            self.deadline.trigger();
            let number = trace.recording_event(event);
            let sentence = format!("event {number} matches --until");
            self.status_line.print_remark(&sentence);
        }
        Ok(CaptureControl::Continue)
    }

    /// Warns of names in expressions that never appeared.
    fn warn_of_unknown_names(&self) {
        for condition in [&self.filter, &self.until].into_iter().flatten() {
            for unknown in condition.unresolved_names() {
                self.status_line.print_remark(&unknown);
            }
        }
    }
}

impl Outcome {
    fn set(&self, error: anyhow::Error) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
    }

    /// Takes the error, if there is one.
    pub(super) fn take(&self) -> anyhow::Result<()> {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.take().map_or(Ok(()), Err)
    }
}

impl StatusLine {
    /// Creates a status line on standard error, if that is a terminal.
    pub(super) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{spinner} {wide_msg}") {
            bar.set_style(style);
        }
        Self(bar)
    }

    pub(super) fn show(&self, status: &CaptureStatus) {
        self.0.set_message(status_text::status_line(status));
        self.0.tick();
    }

    pub(super) fn clear(&self) {
        self.0.finish_and_clear();
    }

    /// Hides the status line while `write` writes to the same terminal. Any other
    /// output may block for long and must not hold up the thread that draws the
    /// line.
    fn suspended<T>(&self, write: impl FnOnce() -> T) -> T {
        match std::io::stdout().is_terminal() {
            true => self.0.suspend(write),
            false => write(),
        }
    }

    /// Prints a message above the status line.
    pub(super) fn print_remark(&self, sentence: &str) {
        self.0.suspend(|| rtoscope_command::message!("{sentence}"));
    }
}
