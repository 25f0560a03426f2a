//! The tags of datasets as columns.

use super::footer::Footer;
use super::listing::TableFile;
use anyhow::Context as _;
use rtoscope_command::export::dataset::{self, TICKS_PER_SECOND};
use rtoscope_tables::Table;
use rtoscope_trace::printable::Printable;
use std::collections::HashSet;

/// A tag as a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TagColumn {
    pub(super) key: String,
    /// Whether folders have its value in their names, as rtoscope writes them.
    pub(super) is_in_paths: bool,
    /// Whether it is a column of files that another tool has written.
    pub(super) is_in_files: bool,
}

impl TagColumn {
    /// The tags of the files of the table `recordings`, in order of occurrence. Opens one
    /// file for each combination of tags in its path.
    ///
    /// # Errors
    ///
    /// If a tag cannot be a column of a table.
    pub(super) fn of_recordings(files: &[TableFile]) -> anyhow::Result<Vec<Self>> {
        let mut tags = Tags::default();
        let mut seen: HashSet<Vec<&str>> = HashSet::new();
        for TableFile { found, .. } in files {
            let keys: Vec<_> = found.keys().collect();
            if !seen.insert(keys.clone()) {
                continue;
            }
            let path = || Printable::path(&found.path).to_string();
            for key in keys {
                tags.column(key).with_context(path)?.is_in_paths = true;
            }
            let Some(Footer { columns, .. }) = Footer::read(&found.path) else {
                continue;
            };
            let is_known = |name: &str| {
                name == TICKS_PER_SECOND || Table::Recordings.column_index(name).is_some()
            };
            for key in columns.iter().filter(|name| !is_known(name)) {
                tags.column(key).with_context(path)?.is_in_files = true;
            }
        }
        Ok(tags.columns)
    }

    /// The name of the hidden column with the value in the path, if files have a column,
    /// too. No table or tag can have this name.
    pub(super) fn name_in_paths(&self) -> String {
        match self.is_in_files {
            true => format!("{} from path", self.key),
            false => self.key.clone(),
        }
    }
}

#[derive(Default)]
struct Tags {
    columns: Vec<TagColumn>,
    checked: Vec<dataset::Tag>,
}

impl Tags {
    fn column(&mut self, key: &str) -> anyhow::Result<&mut TagColumn> {
        let index = self.columns.iter().position(|tag| tag.key == key);
        let index = match index {
            Some(index) => index,
            None => {
                self.checked.push((key.to_owned(), String::new()));
                // Two tags can differ in case only.
                dataset::check_tags(&self.checked)?;
                self.columns.push(TagColumn {
                    key: key.to_owned(),
                    is_in_paths: false,
                    is_in_files: false,
                });
                self.columns.len() - 1
            }
        };
        Ok(&mut self.columns[index])
    }
}
