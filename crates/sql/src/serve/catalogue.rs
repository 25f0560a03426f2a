//! What queries can use: tables, views, functions and canned queries.

use crate::canned_queries::CannedQuery;
use crate::engine::{FUNCTIONS, KEYWORDS};
use rtoscope_command::sql_protocol::{SqlCannedQuery, SqlCatalogue, SqlName, SqlTable};
use rtoscope_tables::Table;
use rtoscope_tables::sql::{DocumentedName, views};

/// Everything that a query can use, with descriptions.
pub(super) fn catalogue() -> SqlCatalogue {
    let tables = Table::ALL.iter().map(|table| SqlTable {
        name: table.name().to_owned(),
        is_view: false,
        about: table.about().to_owned(),
        columns: table.columns().iter().map(table_column).collect(),
    });
    let views = views::all().map(|view| SqlTable {
        name: view.name.to_owned(),
        is_view: true,
        about: view.title.to_owned(),
        columns: names(view.columns),
    });
    let functions = FUNCTIONS.iter().map(|function| SqlName {
        name: function.call.to_owned(),
        about: function.about.to_owned(),
    });
    let queries = CannedQuery::for_recordings().map(|CannedQuery(script)| SqlCannedQuery {
        name: script.name.to_owned(),
        title: script.title.to_owned(),
        about: script.about,
        sql: script.sql.to_owned(),
        parameters: names(script.parameters),
    });
    SqlCatalogue {
        tables: tables.chain(views).collect(),
        functions: functions.collect(),
        queries: queries.collect(),
        keywords: KEYWORDS,
    }
}

fn table_column(column: &rtoscope_tables::Column) -> SqlName {
    let about = match column.unit {
        Some(unit) => format!("{}, in {unit}", column.about),
        None => column.about.to_owned(),
    };
    SqlName {
        name: column.name.to_owned(),
        about,
    }
}

fn names(items: Vec<DocumentedName>) -> Vec<SqlName> {
    let names = items.into_iter().map(|item| SqlName {
        name: item.name.to_owned(),
        about: item.about,
    });
    names.collect()
}
