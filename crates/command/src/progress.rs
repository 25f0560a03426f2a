//! Progress bars on a terminal.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rtoscope_trace::printable::Printable;
use std::thread;
use std::time::Duration;

/// A progress bar for opening a file, shown after 1 s.
pub fn opening_bar(name: &str) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
    delayed_bar(bar, name, "opening {wide_msg} {elapsed}")
}

/// A progress bar for writing a recording's events, shown after 1 s.
pub fn writing_bar(name: &str, events: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(events), ProgressDrawTarget::hidden());
    let template = "writing {msg} {wide_bar} {human_pos} of {human_len} events, {eta} to go";
    delayed_bar(bar, name, template)
}

/// A progress bar for an export of several recordings, shown after 1 s.
pub fn exporting_bar(recordings: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(recordings), ProgressDrawTarget::hidden());
    let template = "exporting {wide_bar} {human_pos} of {human_len} recordings, {eta} to go";
    delayed_bar(bar, "", template)
}

/// A progress bar that is never shown.
pub fn hidden_bar() -> ProgressBar {
    ProgressBar::hidden()
}

fn delayed_bar(bar: ProgressBar, name: &str, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.set_message(Printable::text(name).to_string());
    let shown = bar.downgrade();
    thread::spawn(move || {
        thread::sleep(Duration::from_secs(1));
        if let Some(bar) = shown.upgrade().filter(|bar| !bar.is_finished()) {
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.enable_steady_tick(Duration::from_secs(1));
        }
    });
    bar
}
