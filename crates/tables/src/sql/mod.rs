//! What SQL adds to the tables: views, canned queries and functions, as texts. An engine
//! runs them.

pub mod canned_queries;
mod functions;
mod script;
pub mod views;

pub use functions::{FUNCTIONS, SqlFunction};
pub use script::{DocumentedName, SqlScript};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_documented() {
        let queries = canned_queries::for_recordings().chain(canned_queries::for_fleets());
        for script in queries.chain(views::all()) {
            let name = script.name;
            assert!(script.title.len() > 10, "{name}");
            let names_recording = script.columns.iter().any(|column| column.name == "file");
            assert!(names_recording || !script.tags.is_empty(), "{name}");
            assert!(
                script.columns.iter().all(|it| !it.about.is_empty()),
                "{name}"
            );
            for parameter in &script.parameters {
                let (parameter, _) = parameter.name.split_once('=').unwrap();
                assert!(script.sql.contains(&format!("${parameter}")), "{name}");
            }
        }
    }
}
