//! A cluster gives the answers of rtoscope.

use crate::support::{Cluster, Fleet};
use std::io::Write as _;
use std::process::Stdio;

/// The names of tables or views: the rows of `.tables` with a word in the second column.
fn names(fleet: &Fleet, kind: &str) -> Vec<String> {
    let output = shell(fleet, None, ".tables\n");
    let rows = output.lines().map(|line| line.split_whitespace());
    let rows = rows.filter_map(|mut words| {
        let name = words.next()?;
        (words.next()? == kind).then(|| name.to_owned())
    });
    rows.collect()
}

/// The output of the shell of rtoscope, or on a cluster.
fn shell(fleet: &Fleet, cluster: Option<&Cluster>, input: &str) -> String {
    let engine = cluster.map(Cluster::url);
    let mut command = match &engine {
        Some(engine) => fleet.cluster_query(engine, &["--shell", "tables"]),
        None => {
            let mut command = fleet.fleet_command();
            command.args(["query", "--shell", "tables"]);
            command
        }
    };
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = command.spawn().unwrap();
    let mut stdin = process.stdin.take().unwrap();
    stdin.write_all(input.as_bytes()).unwrap();
    drop(stdin);
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success(), "{input}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn tables_and_views_have_the_same_rows() {
    let fleet = Fleet::of_all_kinds();
    let cluster = Cluster::start(2);
    let mut with_rows = 0;
    for name in [names(&fleet, "table"), names(&fleet, "view")].concat() {
        let sql = format!("SELECT * FROM {name}");
        with_rows += usize::from(fleet.assert_same_rows(&cluster, &["tables", &sql]) > 0);
    }
    assert!(with_rows > 25, "{with_rows}");
    let partitions = "SELECT table_name, day, bucket, device, firmware, count(*) FROM traces \
                      GROUP BY 1, 2, 3, 4, 5";
    assert!(fleet.assert_same_rows(&cluster, &["tables", partitions]) > 50);
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn canned_queries_have_the_same_rows_in_the_same_order() {
    let fleet = Fleet::of_all_kinds();
    let cluster = Cluster::start(2);
    let list = fleet.fleet_program(&["query", "--list"]).stdout;
    let list = String::from_utf8(list).unwrap();
    let names = list
        .lines()
        .filter_map(|line| line.split_whitespace().next());
    let mut with_rows = 0;
    for name in names {
        let [own, other] = fleet.answers(&cluster, &["--named", name, "tables"]);
        assert_eq!(own, other, "{name}");
        with_rows += usize::from(own.len() > 1);
    }
    assert!(with_rows > 15, "{with_rows}");
    let with_parameter = ["--named", "cpu-over-time", "--set", "n=7", "tables"];
    let [own, other] = fleet.answers(&cluster, &with_parameter);
    assert!(own.len() > 1);
    assert_eq!(own, other);
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn queries_of_users_have_the_same_rows() {
    let fleet = Fleet::of_all_kinds();
    let cluster = Cluster::start(2);
    for sql in [
        // Joins whose condition has no equality: tasks in several processes share no state.
        "SELECT a.device, b.file FROM recordings a LEFT JOIN recordings b ON a.events < b.events",
        "SELECT device FROM recordings a WHERE NOT EXISTS (SELECT 1 FROM recordings b \
         WHERE a.events < b.events)",
        "SELECT device FROM recordings a WHERE EXISTS (SELECT 1 FROM recordings b \
         WHERE a.events > b.events)",
        "SELECT a.device, b.device FROM recordings a FULL JOIN recordings b \
         ON a.events = b.events + 1",
        "SELECT device FROM recordings WHERE device NOT IN (SELECT device FROM findings)",
        "SELECT device, ticks_to_ns(span, frequency_hz) AS a, measures_time(clock_quality) AS b, \
         overlap(0, events, 100, 1000) AS c FROM recordings",
        "SELECT count(*) FROM events",
        "SELECT day, count(DISTINCT device), sum(events) FROM recordings GROUP BY day",
        "SELECT device FROM recordings UNION ALL SELECT bucket FROM recordings",
        "SELECT device, (SELECT max(events) FROM recordings) - events FROM recordings",
        "SELECT 1 AS one",
        "SELECT device FROM recordings WHERE device = 'none'",
    ] {
        fleet.assert_same_rows(&cluster, &["tables", sql]);
    }
    // Executors do not know that `device` has one value.
    let window = "SELECT event, row_number() OVER (PARTITION BY device, context ORDER BY event) \
                  FROM (SELECT DISTINCT device, context, event FROM events \
                  WHERE device = 'dev-0001')";
    assert!(fleet.assert_same_rows(&cluster, &["tables", window]) > 100);
    let ordered = "SELECT device, event, row_number() OVER (PARTITION BY device ORDER BY event DESC) \
                   FROM events ORDER BY device, event LIMIT 50 OFFSET 3";
    let [own, other] = fleet.answers(&cluster, &["tables", ordered]);
    assert_eq!(own.len(), 51);
    assert_eq!(own, other);
}

#[test]
#[ignore = "`cargo xtask test fleet` builds the cluster"]
fn the_shell_runs_on_the_cluster() {
    let fleet = Fleet::of_devices(3);
    let cluster = Cluster::start(1);
    let input = ".format csv\nSELECT count(*) AS n FROM recordings;\n.named lost-events\n\
                 CREATE VIEW mine AS SELECT device FROM recordings;\n\
                 SELECT device FROM mine ORDER BY device;\n.schema events\n";
    let own = shell(&fleet, None, input);
    assert!(own.contains("dev-0002"), "{own}");
    assert_eq!(own, shell(&fleet, Some(&cluster), input));
}
