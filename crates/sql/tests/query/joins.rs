//! Joins, of which DataFusion chooses the order.

use super::{SYSTEM, ask, data, piped, rows};

#[test]
fn all_columns_of_a_join_are_there_in_either_order() {
    let tables = ["trace", "events", "contexts", "slices", "objects"];
    let pairs = tables.iter().flat_map(|a| tables.map(|b| (a, b)));
    let mut asked = String::new();
    for (a, b) in pairs {
        for join in ["JOIN", "FULL JOIN"] {
            asked += &format!("SELECT * FROM {a} a {join} {b} b ON a.file = b.file LIMIT 1;\n");
        }
        asked += &format!("(SELECT file FROM {a} UNION ALL SELECT file FROM {b}) LIMIT 1;\n");
    }
    let file = data(SYSTEM);
    let words = ["--shell", "--format=jsonl"].map(AsRef::as_ref);
    let said = piped(
        words.into_iter().chain([file.as_os_str()]),
        asked.as_bytes(),
    );
    assert_eq!(rows(&said.ok()).len(), asked.lines().count());
}

#[test]
fn columns_of_both_sides_are_told_apart() {
    let sql = "SELECT * FROM events e JOIN contexts c ON e.file = c.file AND e.context_id = c.context_id LIMIT 1";
    let row = &ask(&[SYSTEM], sql)[0];
    assert_eq!(row["file"], row["file_2"]);
}
