//! SQL files that document themselves.
//!
//! A file begins with comments: a title, a description in paragraphs, and lists
//! of its `Columns`, `Parameters` and `Tags` with indented items.
//!
//! ```sql
//! -- How often do threads run?
//! --
//! -- A paragraph about the query.
//! --
//! -- Columns
//! --   context: the thread
//! --   count: number of dispatches
//! --
//! -- Parameters
//! --   n=10: number of rows
//! SELECT …
//! ```

/// A SQL file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlScript {
    /// The name.
    pub name: &'static str,
    /// The title, one line.
    pub title: &'static str,
    /// The description, in paragraphs.
    pub about: Vec<String>,
    /// The columns of the result.
    pub columns: Vec<DocumentedName>,
    /// The parameters.
    pub parameters: Vec<DocumentedName>,
    /// The tags of recordings that it uses.
    pub tags: Vec<DocumentedName>,
    /// The statement.
    pub sql: &'static str,
    /// For a query that compares recordings: a query, with the same parameters, for what its result
    /// cannot show if it has no rows. Each row is a reason.
    pub undecided: Option<String>,
}

/// A column, or a parameter with its default as `name=value`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentedName {
    /// The name.
    pub name: &'static str,
    /// The description.
    pub about: String,
}

/// The section of a comment line.
enum Section {
    About,
    Columns,
    Parameters,
    Tags,
}

impl SqlScript {
    /// Parses a file.
    pub fn parse(name: &'static str, text: &'static str) -> Self {
        let lines = text.split_inclusive('\n');
        let head: usize = lines
            .take_while(|line| line.starts_with("--"))
            .map(str::len)
            .sum();
        let (head, sql) = text.split_at(head);
        let mut lines = head.lines().map(|line| line.trim_start_matches("--"));
        let mut script = Self {
            name,
            title: lines.next().unwrap_or_default().trim(),
            about: Vec::new(),
            columns: Vec::new(),
            parameters: Vec::new(),
            tags: Vec::new(),
            sql: sql.trim().trim_end_matches(';'),
            undecided: None,
        };
        let mut section = Section::About;
        let mut continues = false;
        for line in lines {
            let (text, indented) = (line.trim(), line.starts_with("   "));
            match (text, indented) {
                ("", _) => {
                    continues = false;
                    continue;
                }
                ("Columns", false) => section = Section::Columns,
                ("Parameters", false) => section = Section::Parameters,
                ("Tags", false) => section = Section::Tags,
                (text, _) => match section {
                    Section::About => script.push_line(text, continues),
                    Section::Columns => push_item(&mut script.columns, text),
                    Section::Parameters => push_item(&mut script.parameters, text),
                    Section::Tags => push_item(&mut script.tags, text),
                },
            }
            continues = true;
        }
        script
    }

    fn push_line(&mut self, text: &str, continues: bool) {
        match self.about.last_mut().filter(|_| continues) {
            Some(paragraph) => {
                paragraph.push(' ');
                paragraph.push_str(text);
            }
            None => self.about.push(text.to_owned()),
        }
    }
}

/// Adds an item, or continues the last one.
fn push_item(items: &mut Vec<DocumentedName>, text: &'static str) {
    let item = text.split_once(": ");
    match item.filter(|(name, _)| !name.contains(' ')) {
        Some((name, about)) => items.push(DocumentedName {
            name,
            about: about.to_owned(),
        }),
        None => {
            if let Some(last) = items.last_mut() {
                last.about.push(' ');
                last.about.push_str(text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_document_a_file() {
        let text = "-- Title\n--\n-- One\n-- two.\n--\n-- Three.\n--\n-- Columns\n--   a: first\n--     line: two\n--   b: last\n--\n-- Parameters\n--   n=10: rows\n--\n-- Tags\n--   device: the device\nSELECT 1 -- x\n;\n";
        let script = SqlScript::parse("name", text);
        assert_eq!(script.title, "Title");
        assert_eq!(script.about, ["One two.", "Three."]);
        let named = |items: &[DocumentedName]| {
            let items = items
                .iter()
                .map(|item| format!("{}|{}", item.name, item.about));
            items.collect::<Vec<_>>()
        };
        assert_eq!(named(&script.columns), ["a|first", "line|two", "b|last"]);
        assert_eq!(named(&script.parameters), ["n=10|rows"]);
        assert_eq!(named(&script.tags), ["device|the device"]);
        assert_eq!(script.sql, "SELECT 1 -- x\n");
    }
}
