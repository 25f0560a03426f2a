//! The columns of the reports' tables.
//!
//! A front end may leave columns out, show a distribution as a chart or as columns of its
//! own, and turn names into links; labels, units and order are these.

mod active_objects;
mod communication;
mod context_switches;
mod hardware;
mod health;
mod intervals;
mod markers;
mod objects;
mod pipeline;
mod scheduling;

use super::ReportKind;
use super::table::{
    Cell, FrontEnd, LinkTarget, ReportTable, TableRow, TimeInterval, count, decimal, distribution,
    duration, event, flag, fractional_duration, interval, link, made, name, named, percent, shares,
    text, thread,
};
use FrontEnd::{Html, Text, Viewer};

/// The title of the list of findings.
pub const FINDINGS_TITLE: &str = "Findings";
