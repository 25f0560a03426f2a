//! The tables of a dataset in other engines, with the columns that its files lack.
//!
//! Each table becomes two relations: `slices_files` has the columns of the files as they are,
//! null where a file lacks one, and the view `slices` on it has all columns of the table. A
//! [`Derivation`] becomes an expression of DataFusion and is translated as the views are, so
//! that its meaning is the same in all engines. Columns that all files have are not computed.

use super::{Target, literals, translate};
use crate::engine::folders::footer::Footer;
use crate::engine::folders::listing::{DatasetFolders, TableFile};
use crate::engine::table_columns::{FILE, RECORDING_ID};
use anyhow::{Context as _, bail, ensure};
use rtoscope_command::export::dataset::TICKS_PER_SECOND;
use rtoscope_command::query::SqlDialect;
use rtoscope_tables::{ColumnType, Derivation, Table};
use rtoscope_trace::printable::Printable;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The end of the name of the relation with the columns of the files.
const FILES: &str = "_files";

/// What engines take as a pattern in a path.
const PATTERN_CHARACTERS: [char; 6] = ['*', '?', '[', ']', '{', '}'];

/// The tables of a dataset.
#[derive(Debug)]
pub(crate) struct DatasetTables {
    /// The absolute path of the dataset.
    folder: PathBuf,
    tables: Vec<TableFiles>,
}

/// The files of a table.
#[derive(Debug)]
struct TableFiles {
    table: Table,
    /// A folder or a file; `None` if the table has no files.
    path: Option<PathBuf>,
    /// The tags that are folders, in order; of files with different tags, one list for each
    /// combination.
    folder_tags: Vec<Vec<String>>,
    /// The tags that are columns of the files.
    column_tags: Vec<String>,
    /// The columns that a file lacks, by their indexes.
    lacking: Vec<usize>,
}

/// The table whose files a relation has.
pub(super) fn table_of_files(name: &str) -> Option<Table> {
    Table::from_name(name.strip_suffix(FILES)?)
}

impl DatasetTables {
    /// Reads which columns the files of a dataset have.
    ///
    /// # Errors
    ///
    /// If the dataset cannot be read, or if other engines cannot read it: its path is not a plain
    /// text.
    pub(crate) fn read(folder: &Path) -> anyhow::Result<Self> {
        let absolute = std::path::absolute(folder)?;
        let is_plain = absolute.to_str().is_some_and(|path| {
            !path.contains(char::is_control) && !path.contains(PATTERN_CHARACTERS)
        });
        ensure!(
            is_plain,
            "{}: other engines do not read this path as it is; it must be UTF-8 without \
            control characters and * ? [ ] {{ }}",
            Printable::path(&absolute)
        );
        let folders = DatasetFolders::new(std::slice::from_ref(&absolute));
        let tables = Table::ALL
            .iter()
            .map(|&table| TableFiles::read(table, &folders, &absolute));
        Ok(Self {
            tables: tables.collect::<anyhow::Result<_>>()?,
            folder: absolute,
        })
    }

    /// Statements that create the tables.
    ///
    /// # Errors
    ///
    /// If a column has an expression without translation.
    pub(super) fn script(&self, target: &Target) -> anyhow::Result<String> {
        let folder = self.folder.to_string_lossy();
        let mut script = format!("-- The tables of {folder}\n");
        if target.dialect == SqlDialect::Trino {
            script.push_str(
                "--\n-- Trino reads them where it has registered them: first create a table for \
                the folder of\n-- each table, with the name and the columns in the comment \
                before its view.\n",
            );
        }
        for files in &self.tables {
            let table = files.table;
            let statements = files
                .statements(target)
                .with_context(|| format!("table {table} for {}", target.dialect))?;
            let _ = write!(script, "\n{statements}");
        }
        Ok(script)
    }
}

impl TableFiles {
    fn read(table: Table, folders: &DatasetFolders, dataset: &Path) -> anyhow::Result<Self> {
        let files = folders.files(table, |level| Ok(vec![true; level.len()]))?;
        let mut found = Self {
            table,
            path: None,
            folder_tags: Vec::new(),
            column_tags: Vec::new(),
            lacking: Vec::new(),
        };
        let Some(first) = files.first() else {
            found.lacking = (0..table.columns().len()).collect();
            return Ok(found);
        };
        let folder = dataset.join(table.name());
        let is_in_folder = |file: &TableFile| file.found.path.starts_with(&folder);
        let in_folder = files.iter().filter(|file| is_in_folder(file)).count();
        found.path = Some(match in_folder {
            0 => first.found.path.clone(),
            count if count == files.len() => folder,
            _ => bail!(
                "{}: the table is a file and a folder; other engines read one of them",
                Printable::path(&folder)
            ),
        });
        for file in &files {
            let keys = keys(file);
            if !found.folder_tags.contains(&keys) {
                found.folder_tags.push(keys);
            }
        }
        let count = files.len();
        // How many files have a column, in order of occurrence.
        let mut names: Vec<String> = Vec::new();
        let mut counts: HashMap<String, usize> = HashMap::new();
        let footers = rtoscope_trace::parallel::map(files, |TableFile { found, .. }| {
            let footer = Footer::read(&found.path);
            footer.with_context(|| format!("{}: not a Parquet file", Printable::path(&found.path)))
        });
        for footer in footers {
            for name in footer?.columns {
                if !counts.contains_key(&name) {
                    names.push(name.clone());
                }
                *counts.entry(name).or_default() += 1;
            }
        }
        let have = |name: &str| counts.get(name) == Some(&count);
        for name in [FILE, RECORDING_ID] {
            ensure!(
                have(name),
                "{}: files lack the column {name}; export the recordings again",
                Printable::path(&dataset.join(table.name()))
            );
        }
        let columns = table.columns().iter().enumerate();
        let lacking = columns.filter(|(_, column)| !have(column.name));
        found.lacking = lacking.map(|(index, _)| index).collect();
        names.retain(|name| {
            name != TICKS_PER_SECOND
                && table.column_index(name).is_none()
                && !found.folder_tags.iter().flatten().any(|tag| tag == name)
        });
        found.column_tags = names;
        Ok(found)
    }

    fn statements(&self, target: &Target) -> anyhow::Result<String> {
        let view = target.qualified(self.table.name());
        let Some(path) = &self.path else {
            let columns = (0..self.table.columns().len()).map(|column| self.column(column));
            let columns = null_columns(columns, target.dialect);
            return Ok(format!(
                "CREATE OR REPLACE VIEW {view} AS\n{columns}\nWHERE 1 = 0;\n"
            ));
        };
        let mut path = path.to_string_lossy().into_owned();
        if cfg!(windows) {
            path = path.replace('\\', "/");
        }
        ensure!(
            self.folder_tags.len() == 1 || target.dialect == SqlDialect::Duckdb,
            "the recordings have different tags ({}); only DuckDB reads such a dataset",
            self.tag_combinations()
        );
        let files = self.files(&path, target);
        let select = translate::translate(&self.select(), target)?;
        Ok(format!(
            "{files}CREATE OR REPLACE VIEW {view} AS\n{select};\n"
        ))
    }

    /// The statement that creates the relation with the columns of the files.
    fn files(&self, path: &str, target: &Target) -> String {
        let dialect = target.dialect;
        let is_folder = Path::new(path).extension().is_none_or(|it| it != "parquet");
        let name = target.qualified(&format!("{}{FILES}", self.table));
        let partitions = self.all_folder_tags().into_iter();
        let partitions: Vec<_> = partitions
            .map(|key| match dialect {
                // Its parser takes quotes as part of these names.
                SqlDialect::Datafusion => key.to_owned(),
                _ => literals::identifier(key, dialect),
            })
            .collect();
        let partitions = partitions.join(", ");
        let declared: Vec<_> = self
            .columns()
            .into_iter()
            .map(|(name, column_type)| {
                let name = literals::identifier(name, dialect);
                format!("  {name} {}", type_name(column_type, dialect))
            })
            .collect();
        match dialect {
            SqlDialect::Duckdb => {
                let files: Vec<_> = self
                    .folder_tags
                    .iter()
                    .map(|tags| {
                        let pattern = match (is_folder, &self.folder_tags[..]) {
                            (false, _) => path.to_owned(),
                            (true, [_]) => format!("{path}/**/*.parquet"),
                            // It reads no files with different tags at once.
                            (true, _) => {
                                let folders = tags.iter().map(|key| format!("/{key}=*"));
                                format!("{path}{}/*.parquet", folders.collect::<String>())
                            }
                        };
                        let pattern = literals::text(&pattern, dialect);
                        format!(
                            "FROM read_parquet({pattern},\n    hive_partitioning = {}, \
                            hive_types_autocast = false, union_by_name = true)",
                            !tags.is_empty()
                        )
                    })
                    .collect();
                let files = files.join("\nUNION ALL BY NAME ");
                let lacking = self.lacking_columns();
                if lacking.is_empty() {
                    return format!("CREATE OR REPLACE VIEW {name} AS\n{files};\n");
                }
                // No file need have these columns.
                let typed = null_columns(lacking.into_iter(), dialect);
                format!(
                    "CREATE OR REPLACE VIEW {name} AS\n{typed}\nWHERE false\n\
                    UNION ALL BY NAME {files};\n"
                )
            }
            SqlDialect::Datafusion => {
                let partitioned = match partitions.is_empty() {
                    true => String::new(),
                    false => format!("PARTITIONED BY ({partitions}) "),
                };
                let end = if is_folder { "/" } else { "" };
                let location = literals::text(&format!("{path}{end}"), dialect);
                format!(
                    "CREATE OR REPLACE EXTERNAL TABLE {name} (\n{}\n) STORED AS PARQUET \
                    {partitioned}LOCATION {location};\n",
                    declared.join(",\n")
                )
            }
            SqlDialect::Spark => {
                let partitioned = match partitions.is_empty() {
                    true => String::new(),
                    false => format!(" PARTITIONED BY ({partitions})"),
                };
                let location = literals::text(path, dialect);
                let mut statements = format!(
                    "CREATE TABLE IF NOT EXISTS {name} (\n{}\n) USING parquet{partitioned} \
                    LOCATION {location};\n",
                    declared.join(",\n")
                );
                if !partitions.is_empty() {
                    // Finds the folders of the tags.
                    let _ = writeln!(statements, "MSCK REPAIR TABLE {name};");
                }
                statements
            }
            SqlDialect::Trino => {
                let declared = declared.join(",\n").replace('\n', "\n-- ");
                let partitioned = match partitions.is_empty() {
                    true => String::new(),
                    false => format!(", partitioned by {partitions}"),
                };
                format!("-- {name} has the files in {path}{partitioned}:\n-- {declared}\n")
            }
        }
    }

    /// The query of DataFusion for all columns of the table, on those of the files.
    fn select(&self) -> String {
        let columns = (0..self.table.columns().len()).map(|column| {
            let value = self.value(column);
            let name = quoted(self.column(column).0);
            match value == name {
                true => name,
                false => format!("{value} AS {name}"),
            }
        });
        let tags = self.tags().map(quoted);
        let columns: Vec<_> = columns.chain(tags).collect();
        format!("SELECT {} FROM {}{FILES}", columns.join(", "), self.table)
    }

    /// The value of a column: computed where a file lacks it, if it follows from others.
    fn value(&self, column: usize) -> String {
        let name = quoted(self.column(column).0);
        let derivation = self.table.derivation(column);
        let derivation = derivation.filter(|_| self.lacking.contains(&column));
        let derived = match derivation {
            None => return name,
            Some(Derivation::Nanoseconds { ticks }) => format!(
                "ticks_to_ns({}, CAST({TICKS_PER_SECOND} AS DOUBLE))",
                self.value(ticks)
            ),
            Some(Derivation::Difference { end, start }) => {
                format!("{} - {}", self.value(end), self.value(start))
            }
        };
        format!("coalesce({name}, {derived})")
    }

    /// All columns that a file can have: those of the table, the frequency of the clock, and
    /// the tags.
    fn columns(&self) -> Vec<(&str, ColumnType)> {
        let columns = (0..self.table.columns().len()).map(|column| self.column(column));
        let frequency = self.computes_nanoseconds().then_some(FREQUENCY);
        let tags = self.column_tags.iter().map(String::as_str);
        let tags = tags.chain(self.all_folder_tags());
        let tags = tags.map(|key| (key, ColumnType::Dictionary));
        columns.chain(frequency).chain(tags).collect()
    }

    /// The columns that a file lacks, and what computes them.
    fn lacking_columns(&self) -> Vec<(&str, ColumnType)> {
        let lacking = self.lacking.iter().map(|column| self.column(*column));
        let frequency = self.computes_nanoseconds().then_some(FREQUENCY);
        lacking.chain(frequency).collect()
    }

    fn computes_nanoseconds(&self) -> bool {
        self.lacking.iter().any(|column| {
            let derivation = self.table.derivation(*column);
            matches!(derivation, Some(Derivation::Nanoseconds { .. }))
        })
    }

    fn tags(&self) -> impl Iterator<Item = &str> {
        let in_columns = self.column_tags.iter().map(String::as_str);
        self.all_folder_tags().into_iter().chain(in_columns)
    }

    /// The tags that are folders, each once.
    fn all_folder_tags(&self) -> Vec<&str> {
        let mut all: Vec<&str> = Vec::new();
        for tag in self.folder_tags.iter().flatten() {
            if !all.contains(&tag.as_str()) {
                all.push(tag);
            }
        }
        all
    }

    /// The combinations of tags, for a message.
    fn tag_combinations(&self) -> String {
        let names = self.folder_tags.iter().map(|tags| match &tags[..] {
            [] => "none".to_owned(),
            tags => tags.join(", "),
        });
        names.collect::<Vec<_>>().join("; ")
    }

    fn column(&self, column: usize) -> (&'static str, ColumnType) {
        let column = self.table.columns().get(column);
        column.map_or(("", ColumnType::Text), |it| (it.name, it.column_type))
    }
}

/// The column of the files with the frequency of the clock.
const FREQUENCY: (&str, ColumnType) = (TICKS_PER_SECOND, ColumnType::I64);

fn keys(file: &TableFile) -> Vec<String> {
    file.found.keys().map(str::to_owned).collect()
}

/// An identifier of DataFusion.
fn quoted(name: &str) -> String {
    literals::identifier(name, SqlDialect::Datafusion)
}

/// A `SELECT` of columns whose values are null.
fn null_columns<'a>(
    columns: impl Iterator<Item = (&'a str, ColumnType)>,
    dialect: SqlDialect,
) -> String {
    let columns = columns.map(|(name, column_type)| {
        let name = literals::identifier(name, dialect);
        let column_type = type_name(column_type, dialect);
        format!("  CAST(NULL AS {column_type}) AS {name}")
    });
    let columns: Vec<_> = columns.collect();
    format!("SELECT\n{}", columns.join(",\n"))
}

/// The type as which an engine reads the values of a column in files. Spark and Trino have no
/// unsigned types.
fn type_name(column_type: ColumnType, dialect: SqlDialect) -> &'static str {
    match (column_type, dialect) {
        (ColumnType::Bool, _) => "BOOLEAN",
        (ColumnType::I64, _) => "BIGINT",
        (ColumnType::F64, _) => "DOUBLE",
        (ColumnType::Dictionary | ColumnType::Text, SqlDialect::Spark) => "STRING",
        (ColumnType::Dictionary | ColumnType::Text, _) => "VARCHAR",
        (ColumnType::U8, SqlDialect::Datafusion) => "TINYINT UNSIGNED",
        (ColumnType::U8, SqlDialect::Duckdb) => "UTINYINT",
        (ColumnType::U8, SqlDialect::Spark | SqlDialect::Trino) => "SMALLINT",
        (ColumnType::U16, SqlDialect::Datafusion) => "SMALLINT UNSIGNED",
        (ColumnType::U16, SqlDialect::Duckdb) => "USMALLINT",
        (ColumnType::U16, SqlDialect::Spark | SqlDialect::Trino) => "INT",
        (ColumnType::U32, SqlDialect::Datafusion) => "INT UNSIGNED",
        (ColumnType::U32, SqlDialect::Duckdb) => "UINTEGER",
        (ColumnType::U32, SqlDialect::Spark | SqlDialect::Trino) => "BIGINT",
        (ColumnType::U64, SqlDialect::Datafusion) => "BIGINT UNSIGNED",
        (ColumnType::U64, SqlDialect::Duckdb) => "UBIGINT",
        (ColumnType::U64, SqlDialect::Spark | SqlDialect::Trino) => "DECIMAL(20, 0)",
    }
}
