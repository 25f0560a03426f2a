//! How far a command has come, on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// That a file is opened: shown after a second.
pub fn opening(name: &str) -> ProgressBar {
    let bar = ProgressBar::new_spinner().with_message(name.to_owned());
    styled(bar, "opening {wide_msg} {elapsed}")
}

/// How many of a recording's events are written: shown after a second.
pub fn writing(name: &str, events: u64) -> ProgressBar {
    let bar = ProgressBar::new(events).with_message(name.to_owned());
    let template = "writing {msg} {wide_bar} {human_pos} of {human_len} events, {eta} to go";
    styled(bar, template)
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_secs(1));
    bar
}
