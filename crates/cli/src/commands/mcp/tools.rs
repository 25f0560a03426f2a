//! What the tools compute: the text of the commands.

use super::parameters::{
    CheckParameters, CriticalPathParameters, EventParameters, MAX_EVENTS, Moment, ReportName,
    ReportParameters, ScopeParameters,
};
use super::recordings::OpenRecording;
use crate::commands::check::Rules;
use crate::commands::events::column::{Column, ColumnValues};
use crate::commands::events::selection::EventSelection;
use crate::commands::report::summary::findings_text;
use crate::commands::report::text::render_rows;
use crate::commands::{check, compare, critical_path};
use anyhow::{Context as _, bail, ensure};
use rtoscope_analysis::check::CheckDocument;
use rtoscope_analysis::compare::{CollectedFigures, ComparisonDocument};
use rtoscope_analysis::report::{ReportDocument, ReportOptions, cycles};
use rtoscope_command::output::{append_section, format_table};
use rtoscope_command::scope::ScopeArgs;
use rtoscope_command::sql_protocol::SqlAnswer;
use rtoscope_tables::Table;
use rtoscope_tables::sql::{DocumentedName, FUNCTIONS, SqlScript, canned_queries, views};
use serde_json::Value;
use std::fmt::Write as _;

/// Maximum number of rows of a table of a report.
const MAX_ROWS: usize = 10_000;

/// The findings, one per line.
pub(super) fn findings(it: &OpenRecording, scope: ScopeParameters) -> anyhow::Result<String> {
    let scope = ScopeArgs::from(scope).scope(&it.recording.trace)?;
    let stats = it.recording.scope_stats(scope);
    let options = ReportOptions {
        kinds: [].into(),
        ..ReportOptions::default()
    };
    let document = ReportDocument::new("", &it.recording.view_of(&stats), &options);
    Ok(findings_text(&document))
}

/// Reports as text.
pub(super) fn report(it: &OpenRecording, given: ReportParameters) -> anyhow::Result<String> {
    ensure!(!given.reports.is_empty(), "no report is selected");
    let scope = ScopeArgs::from(given.scope).scope(&it.recording.trace)?;
    let stats = it.recording.scope_stats(scope);
    let view = it.recording.view_of(&stats);
    let anchor = given.anchor.map(|name| cycles::find_anchor(&view, &name));
    let options = ReportOptions {
        kinds: given.reports.iter().map(|ReportName(kind)| *kind).collect(),
        findings: false,
        anchor: anchor.transpose().map_err(anyhow::Error::msg)?,
        ..ReportOptions::default()
    };
    let document = ReportDocument::new(&it.recording.info.name, &view, &options);
    Ok(render_rows(&document, &view, MAX_ROWS))
}

/// Events, one per line.
pub(super) fn events(it: &OpenRecording, given: &EventParameters) -> anyhow::Result<String> {
    let limit = given.limit;
    ensure!(
        (1..=MAX_EVENTS).contains(&limit),
        "the limit is 1 to {MAX_EVENTS} events"
    );
    let trace = &it.recording.trace;
    let filter = given.filter.as_deref();
    let selection = EventSelection::new(trace, filter, None, Some(limit as u64 + 1))?;
    let selection = match given.around {
        Some(Moment(position)) => selection.around(it.event_at(position)?, limit / 2),
        None => selection,
    };
    let values = ColumnValues::new(trace, &it.format_info);
    let columns = values.default_columns();
    let cells = |row: &_| {
        let cells = columns.iter().map(|column| {
            let mut text = String::new();
            values.append_row(&mut text, *column, row);
            text
        });
        cells.collect::<Vec<_>>()
    };
    let mut rows: Vec<_> = selection.rows().map(|row| cells(&row)).collect();
    if rows.is_empty() {
        return Ok("no matching events\n".to_owned());
    }
    let next = rows.get(limit).and_then(|row| row.first().cloned());
    rows.truncate(limit);
    let names: Vec<_> = columns.iter().map(|column| column.name()).collect();
    let numbers = columns.iter().filter(|column| column.is_number());
    let numbers: Vec<_> = numbers.copied().map(Column::name).collect();
    let mut text = format_table(&names, &numbers, rows);
    if let Some(next) = next {
        let _ = writeln!(
            text,
            "[more follow: call again with \"around\": \"event:{next}\", or a larger limit]"
        );
    }
    Ok(text)
}

/// A critical path as text.
pub(super) fn critical_path(
    it: &OpenRecording,
    given: &CriticalPathParameters,
) -> anyhow::Result<String> {
    let path = given.question().path(&it.recording)?;
    Ok(critical_path::render(&it.recording.trace, &path))
}

/// The differences of two recordings.
pub(super) fn compare(recordings: [&OpenRecording; 2], threshold: f64) -> anyhow::Result<String> {
    ensure!(
        threshold.is_finite() && threshold >= 0.0,
        "the threshold is a number of percent from 0"
    );
    let [before, after] = recordings.map(|it| {
        let recording = &it.recording;
        CollectedFigures::new(&recording.view()).figures(&recording.info.name)
    });
    let document = ComparisonDocument::new(&[before], &[after]);
    Ok(compare::text::render(&document, threshold))
}

/// The results of rules.
pub(super) fn check(
    it: &OpenRecording,
    rules: &Rules,
    given: CheckParameters,
) -> anyhow::Result<String> {
    let scope = ScopeArgs::from(given.scope).scope(&it.recording.trace)?;
    let rules = rules.with(given.rules.as_deref(), given.fail_on)?;
    let checked = rules.check(&it.recording, &scope, &it.sql_file)?;
    let document = CheckDocument::new(vec![checked]);
    ensure!(
        document.recordings.iter().any(|it| !it.results.is_empty()),
        "nothing to check: no rules, no declared deadlines; see parameters `rules` and `fail_on`"
    );
    Ok(check::text::render(&document, false))
}

/// What SQL can read: all of it, or one table, view or canned query.
pub(super) fn sql_tables(name: Option<&str>) -> anyhow::Result<String> {
    let Some(name) = name else {
        let list = |rows: Vec<(&str, String)>| {
            let rows = rows
                .into_iter()
                .map(|(name, about)| vec![name.to_owned(), about]);
            format_table(&["name", "about"], &[], rows)
        };
        let scripts = |all: Vec<SqlScript>| {
            let all = all.into_iter();
            list(all.map(|it| (it.name, it.title.to_owned())).collect())
        };
        let tables = Table::ALL.iter();
        let tables = tables.map(|table| (table.name(), table.about().to_owned()));
        let functions = FUNCTIONS.iter().map(|it| (it.call, it.about.to_owned()));
        let mut text = "The tables of each recording\n".to_owned();
        append_section(&mut text, "Tables", &list(tables.collect()));
        append_section(&mut text, "Views", &scripts(views::all().collect()));
        append_section(&mut text, "Functions", &list(functions.collect()));
        let queries = scripts(canned_queries::for_recordings().collect());
        append_section(&mut text, "Canned queries", &queries);
        return Ok(text);
    };
    if let Some(table) = Table::from_name(name) {
        let rows = table.columns().iter().map(|column| {
            let unit = column.unit.unwrap_or_default();
            [column.name, column.column_type.name(), unit, column.about]
                .map(str::to_owned)
                .to_vec()
        });
        let columns = format_table(&["column", "type", "unit", "about"], &[], rows);
        return Ok(format!("{name}: {}\n\n{columns}", table.about()));
    }
    let mut scripts = views::all().chain(canned_queries::for_recordings());
    let script = scripts.find(|script| script.name == name);
    let script = script.with_context(|| format!("there is no table, view or query {name:?}"))?;
    let documented = |items: Vec<DocumentedName>| {
        let rows = items
            .into_iter()
            .map(|it| vec![it.name.to_owned(), it.about]);
        format_table(&["name", "about"], &[], rows)
    };
    let mut text = format!("{name}: {}\n{}\n", script.title, script.about.join("\n"));
    append_section(&mut text, "Columns", &documented(script.columns));
    if !script.parameters.is_empty() {
        let parameters = documented(script.parameters);
        append_section(
            &mut text,
            "Parameters: write values in their place",
            &parameters,
        );
    }
    append_section(&mut text, "SQL", script.sql);
    Ok(text)
}

/// The rows of an answer of the program for SQL.
pub(super) fn sql_result(answer: &SqlAnswer) -> anyhow::Result<String> {
    let result = match answer {
        SqlAnswer::Result(result) => result,
        SqlAnswer::Error(error) => bail!("{error}"),
        SqlAnswer::Catalogue(_) => bail!("rtoscope-sql has another version"),
    };
    let names: Vec<_> = result.columns.iter().map(|it| it.name.as_str()).collect();
    let numbers = result.columns.iter().filter(|it| it.is_number);
    let numbers: Vec<_> = numbers.map(|it| it.name.as_str()).collect();
    let rows = result.rows.iter().map(|row| {
        let cells = row.iter().map(|cell| match cell {
            Value::Null => "-".to_owned(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        });
        cells.collect()
    });
    let mut text = format_table(&names, &numbers, rows);
    let more = result.count.saturating_sub(result.rows.len() as u64);
    if more > 0 {
        let _ = writeln!(
            text,
            "[{more} more rows: select less, or use LIMIT and OFFSET]"
        );
    }
    if result.count == 0 {
        text.push_str("[no rows]\n");
    }
    if let Some(warning) = &result.warning {
        let _ = writeln!(text, "[{warning}]");
    }
    Ok(text)
}
