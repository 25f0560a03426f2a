//! A comparison of recordings: what differs, and the distributions of both sides in one chart.

use super::cells::{escaped, grouped};
use super::overlay;
use super::{begin_page, end_page};
use crate::naming::file_name;
use rtoscope_analysis::compare::{
    CollectedFigures, ComparedFigure, ComparisonDocument, Durations, FigureUnit, OverlaidHistogram,
    Subject, Verdict,
};
use std::fmt::Write as _;
use std::io::{self, Write};

/// A comparison and what it is made of.
pub struct ComparisonSource<'c> {
    /// The figures side by side.
    pub document: &'c ComparisonDocument,
    /// The recordings of the baseline, as far as they are not from a saved one, and those that
    /// are compared with it.
    pub collected: [&'c [CollectedFigures]; 2],
    /// The page lists differences of more than this many percent.
    pub threshold: f64,
    /// Differences of more than this many percent are failures.
    pub fail_above: Option<f64>,
}

/// The maximum number of charts.
const MAX_CHARTS: usize = 60;

/// Writes a comparison as a self-contained page.
///
/// # Errors
///
/// If the output fails.
pub fn write_comparison(source: &ComparisonSource<'_>, output: &mut dyn Write) -> io::Result<()> {
    let charts = source.charts();
    begin_page("Comparison", output)?;
    output.write_all(source.header().as_bytes())?;
    output.write_all(source.differences(&charts).as_bytes())?;
    output.write_all(source.distributions(&charts).as_bytes())?;
    let comparison = &source.document.comparison;
    for (title, subjects) in [("New", &comparison.new), ("Vanished", &comparison.vanished)] {
        output.write_all(subject_list(title, subjects).as_bytes())?;
    }
    end_page("rtoscope compare", output)
}

/// A distribution of both sides.
struct Chart<'c> {
    /// The first figure of the distribution in the list.
    figure: &'c ComparedFigure,
    histogram: OverlaidHistogram,
}

impl Chart<'_> {
    fn is_of(&self, figure: &ComparedFigure) -> bool {
        let own = self.figure;
        (&own.table, &own.subject) == (&figure.table, &figure.subject)
            && column(own).is_some()
            && column(own) == column(figure)
    }
}

/// The column of a figure that is a part of a distribution.
fn column(figure: &ComparedFigure) -> Option<&str> {
    figure.figure.rsplit_once('.').map(|(column, _)| column)
}

impl<'c> ComparisonSource<'c> {
    /// The listed differences, those that changed most first.
    fn listed(&self) -> impl Iterator<Item = &'c ComparedFigure> {
        let figures = self.document.comparison.figures.iter();
        figures.filter(|it| it.is_listed(self.threshold))
    }

    /// The distributions with a listed difference.
    fn charts(&self) -> Vec<Chart<'c>> {
        let mut charts: Vec<Chart<'c>> = Vec::new();
        for figure in self.listed() {
            if charts.iter().any(|chart| chart.is_of(figure)) {
                continue;
            }
            let [before, after] = self.collected.map(|side| durations(side, figure));
            if let Some(histogram) = OverlaidHistogram::new(&before, &after) {
                charts.push(Chart { figure, histogram });
            }
        }
        charts
    }

    fn header(&self) -> String {
        let document = self.document;
        let mut html = "<header><h1>Comparison</h1>\n<dl class=\"broad\">".to_owned();
        let mut fact = |title: &str, value: String| {
            let _ = write!(html, "<div><dt>{title}</dt><dd>{value}</dd></div>");
        };
        let names = |group: &[String]| {
            let names: Vec<_> = group.iter().map(|it| escaped(file_name(it))).collect();
            names.join(", ")
        };
        fact("Before", names(&document.baseline));
        fact("After", names(&document.recordings));
        let figures = &document.comparison.figures;
        fact("Figures in common", grouped(figures.len() as u64));
        let differing = figures
            .iter()
            .filter(|it| it.exceeds(self.threshold))
            .count();
        let title = format!("Differ by more than {} %", self.threshold);
        fact(&title, grouped(differing as u64));
        let with = |verdict| figures.iter().filter(|it| it.verdict == verdict).count() as u64;
        match with(Verdict::Undecided) {
            0 => fact("Changed", grouped(with(Verdict::Changed))),
            _ => fact(
                "Changed",
                "undecided: it takes four recordings on each side".to_owned(),
            ),
        }
        if let Some(limit) = self.fail_above {
            let failed = figures.iter().filter(|it| it.exceeds(limit)).count();
            fact(
                &format!("Above the limit of {limit} %"),
                grouped(failed as u64),
            );
        }
        html.push_str("</dl></header>\n");
        html
    }

    fn differences(&self, charts: &[Chart<'_>]) -> String {
        let rows: Vec<_> = self.listed().collect();
        let mut html = "<section>\n<h2>Differences</h2>\n".to_owned();
        if rows.is_empty() {
            let _ = writeln!(
                html,
                "<p>No figure differs by more than {} %.</p></section>",
                self.threshold
            );
            return html;
        }
        html.push_str(
            "<div class=\"wide\"><table aria-label=\"Differences\"><thead><tr>\
             <th scope=\"col\">Subject</th><th scope=\"col\">Figure</th><th scope=\"col\">Table</th>\
             <th scope=\"col\" class=\"figure\">Before</th><th scope=\"col\" class=\"figure\">After</th>\
             <th scope=\"col\" class=\"figure\">Change</th><th scope=\"col\">Threshold</th>\
             <th scope=\"col\">Verdict</th></tr></thead><tbody>\n",
        );
        for figure in rows {
            let name = escaped(&figure.figure);
            let place = charts.iter().position(|chart| chart.is_of(figure));
            let name = match place.filter(|place| *place < MAX_CHARTS) {
                Some(place) => format!("<a href=\"#d{place}\">{name}</a>"),
                None => name,
            };
            let is_failure = self.fail_above.is_some_and(|limit| figure.exceeds(limit));
            let class = if is_failure { " class=\"failed\"" } else { "" };
            let _ = writeln!(
                html,
                "<tr{class}><th scope=\"row\">{}</th><td>{name}</td><td>{}</td>\
                 <td class=\"figure\">{}</td><td class=\"figure\">{}</td>\
                 <td class=\"figure\">{}</td><td>{}</td><td>{}</td></tr>",
                escaped(&figure.subject),
                escaped(&figure.table),
                escaped(figure.unit.text(figure.before)),
                escaped(figure.unit.text(figure.after)),
                figure.change_text(),
                overlay::change(figure.percent, self.threshold, self.fail_above),
                figure.verdict.name(),
            );
        }
        html.push_str("</tbody></table></div></section>\n");
        html
    }

    fn distributions(&self, charts: &[Chart<'_>]) -> String {
        if charts.is_empty() {
            return String::new();
        }
        let mut html = "<section>\n<h2>Distributions</h2>\n<p class=\"soft\">The share of all \
            durations of a side in each bin. Both sides have the same bins.</p>\n\
            <ul class=\"legend\"><li><i class=\"before\"></i>before</li>\
            <li><i class=\"after\"></i>after</li></ul>\n<div class=\"overlays\">\n"
            .to_owned();
        html.push_str(overlay::HATCH);
        for (chart, place) in charts.iter().take(MAX_CHARTS).zip(0..) {
            let figure = chart.figure;
            let _ = writeln!(
                html,
                "<figure id=\"d{place}\"><figcaption><b>{}</b> {} <span class=\"soft\">{}</span></figcaption>{}</figure>",
                escaped(&figure.subject),
                escaped(column(figure).unwrap_or_default()),
                escaped(&figure.table),
                overlay::histogram(&chart.histogram),
            );
        }
        html.push_str("</div>");
        if let Some(more) = charts.len().checked_sub(MAX_CHARTS + 1) {
            let more = grouped(more as u64 + 1);
            let _ = write!(html, "<p class=\"more\">and {more} more</p>");
        }
        html.push_str("</section>\n");
        html
    }
}

/// The durations of all recordings of a side that have the figure in its unit.
fn durations(side: &[CollectedFigures], figure: &ComparedFigure) -> Durations {
    let is_time = figure.unit != FigureUnit::Ticks;
    let mut all = Durations::default();
    for collected in side {
        let own = collected.durations(&figure.table, &figure.subject, &figure.figure);
        if let Some(own) = own.filter(|own| own.is_time == is_time) {
            all.add(own);
        }
    }
    all
}

fn subject_list(title: &str, subjects: &[Subject]) -> String {
    if subjects.is_empty() {
        return String::new();
    }
    let mut html = format!(
        "<section>\n<h2>{title}</h2>\n<div class=\"wide\"><table aria-label=\"{title}\"><thead><tr>\
         <th scope=\"col\">Subject</th><th scope=\"col\">Table</th></tr></thead><tbody>\n"
    );
    for it in subjects {
        let _ = writeln!(
            html,
            "<tr><th scope=\"row\">{}</th><td>{}</td></tr>",
            escaped(&it.subject),
            escaped(&it.table)
        );
    }
    html.push_str("</tbody></table></div></section>\n");
    html
}
