//! The report of a fleet: the canned queries for fleets with plots, in one self-contained HTML
//! file. It shows their results and computes nothing itself.

mod cells;
mod spread;

use crate::canned_queries::CannedQuery;
use crate::engine::{Engine, SqlDiagnostic};
use anyhow::Context as _;
use arrow::array::RecordBatch;
use arrow::compute::concat_batches;
use cells::Column;
use futures::TryStreamExt as _;
use rtoscope_export::html::{begin_page, end_page, escaped, grouped};
use spread::Spread;
use std::fmt::Write as _;
use std::io::Write;

/// The queries in reading order, with the headings of their sections. The history of devices is not
/// among them: it has a row for each recording.
const SECTIONS: [(&str, &str); 6] = [
    ("recordings-by-firmware", "Firmware versions"),
    ("firmware-regressions", "Regressions"),
    ("new-findings", "New findings"),
    ("findings-by-firmware", "Findings by firmware version"),
    ("worst-devices", "Devices with the most findings"),
    ("latency-by-firmware", "Wake-up latency by firmware version"),
];

/// The maximum number of rows of a table.
const MAX_ROWS: usize = 200;

/// Writes the report, without the queries for which the recordings lack tags.
///
/// # Errors
///
/// If the recordings have tags for no query, a query fails, or the output fails.
pub(crate) async fn write(engine: &Engine, output: &mut (dyn Write + Send)) -> anyhow::Result<()> {
    let recordings = engine.recordings_schema();
    let mut sections = Vec::with_capacity(SECTIONS.len());
    let mut skipped = Vec::new();
    for (name, title) in SECTIONS {
        let query = CannedQuery::by_name(name)?;
        let missing = query.missing_tags(&recordings);
        if !missing.is_empty() {
            skipped.push((query, title, missing.join(", ")));
            continue;
        }
        let sql = query.bound(&[])?;
        let rows = engine.query(&sql).await?;
        let schema = rows.schema();
        let batches: Vec<RecordBatch> = rows
            .try_collect()
            .await
            .map_err(|error| SqlDiagnostic::new(&sql, &error, &[]))
            .with_context(|| name)?;
        sections.push((title, query, concat_batches(&schema, &batches)?));
    }
    if let Some((query, ..)) = skipped.first().filter(|_| sections.is_empty()) {
        query.require_tags(&recordings)?;
    }
    begin_page("Fleet", output)?;
    output.write_all(b"<article>\n<h1>Fleet</h1>\n<nav aria-label=\"Sections\"><ul>")?;
    for (title, query, _) in &sections {
        let name = query.0.name;
        write!(output, "<li><a href=\"#{name}\">{title}</a></li>")?;
    }
    output.write_all(b"</ul></nav>\n")?;
    for (_, title, missing) in &skipped {
        let reason = format!("skipped: these recordings have no tag {missing}");
        rtoscope_command::message!("{title}: {reason}");
        writeln!(output, "<p class=\"soft\">{title}: {reason}</p>")?;
    }
    for (title, query, rows) in &sections {
        let (name, section) = (query.0.name, section(query, rows));
        write!(
            output,
            "<section id=\"{name}\">\n<h2>{title}</h2>\n{section}\n</section>\n"
        )?;
    }
    output.write_all(b"</article>\n")?;
    Ok(end_page("rtoscope query --named", output)?)
}

/// The question, the explanation, and the rows of a query.
fn section(query: &CannedQuery, rows: &RecordBatch) -> String {
    let script = &query.0;
    let mut html = format!(
        "<p>{} <span class=\"soft\"><code>--named {}</code></span></p>\n",
        escaped(script.title),
        script.name
    );
    for paragraph in &script.about {
        let _ = writeln!(html, "<p class=\"soft\">{}</p>", with_code(paragraph));
    }
    if rows.num_rows() == 0 {
        html.push_str("<p><b>None.</b></p>");
        return html;
    }
    html.push_str(&table(query, rows));
    html
}

/// Text in HTML; what is between backticks is code.
fn with_code(text: &str) -> String {
    let parts = text.split('`').zip([false, true].into_iter().cycle());
    let parts = parts.map(|(part, is_code)| match is_code {
        true => format!("<code>{}</code>", escaped(part)),
        false => escaped(part),
    });
    parts.collect()
}

fn table(query: &CannedQuery, rows: &RecordBatch) -> String {
    let schema = rows.schema();
    let columns: Vec<_> = schema
        .fields()
        .iter()
        .zip(rows.columns())
        .map(|(field, values)| {
            let documented = query.0.columns.iter();
            let about = documented.filter(|it| it.name == field.name());
            let about = about.map(|it| it.about.as_str()).next();
            Column::new(field.name(), about.unwrap_or_default(), values)
        })
        .collect();
    let spread = Spread::new(rows);
    let name = query.0.name;
    let mut html = format!("<div class=\"wide\"><table data-query=\"{name}\"><thead><tr>");
    for column in &columns {
        let _ = write!(
            html,
            "<th scope=\"col\"{}>{}</th>",
            column.class(),
            column.heading()
        );
    }
    if let Some(spread) = &spread {
        let _ = write!(html, "<th scope=\"col\">{}</th>", spread.heading());
    }
    html.push_str("</tr></thead><tbody>");
    for row in 0..rows.num_rows().min(MAX_ROWS) {
        html.push_str("<tr>");
        for (column, at) in columns.iter().zip(0..) {
            let cell = column.cell(row);
            let _ = match at {
                0 => write!(html, "<th scope=\"row\">{cell}</th>"),
                _ => write!(html, "<td{}>{cell}</td>", column.class()),
            };
        }
        if let Some(spread) = &spread {
            let _ = write!(html, "<td>{}</td>", spread.cell(row));
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table></div>");
    if let Some(more) = rows
        .num_rows()
        .checked_sub(MAX_ROWS)
        .filter(|more| *more > 0)
    {
        let more = grouped(more as u64);
        let _ = write!(html, "<p class=\"more\">and {more} more rows</p>");
    }
    html
}
