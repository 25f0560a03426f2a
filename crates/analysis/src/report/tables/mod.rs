//! The columns of the reports' tables.
//!
//! A front end may leave columns out, show a distribution as a chart or as columns of its
//! own, and turn names into links; labels, units and order are these.

mod active_objects;
mod communication;
mod context_switches;
#[cfg(test)]
pub(super) mod description;
mod hardware;
mod health;
mod intervals;
mod markers;
mod objects;
mod pipeline;
mod scheduling;
#[cfg(test)]
mod tests;

use super::ReportKind;
use super::table::{
    Cell, FrontEnd, ReportTable, TableRow, count, decimal, distribution, duration, event, flag,
    fractional_duration, made, name, named, percent, text, thread,
};
use FrontEnd::{Html, Text, Viewer};

/// The title of the list of findings.
pub const FINDINGS_TITLE: &str = "Findings";
