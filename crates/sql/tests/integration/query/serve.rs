//! `rtoscope-sql serve`, which answers the viewer.

use super::{SYSTEM, data, query_json};
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// Number of events of the recording.
const EVENTS: &str = "3000";

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Server {
    fn start(events: &str, options: &[&str]) -> Self {
        Self::open(SYSTEM, events, options)
    }

    fn open(file: &str, events: &str, options: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rtoscope-sql"))
            .args(["serve", "--title", "a.trx", "--expected-events", events])
            .args(options)
            .arg("--")
            .arg(data(file))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn ask(&mut self, request: &Value) -> Value {
        writeln!(self.input.as_mut().unwrap(), "{request}").unwrap();
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    fn query(&mut self, sql: &str) -> Value {
        self.ask(&json!({ "request": "query", "sql": sql, "named": null, "set": {} }))
    }

    fn rows(&mut self, sql: &str) -> Value {
        let answer = self.query(sql);
        assert!(answer["result"].is_object(), "{sql}: {answer}");
        answer["result"]["rows"].clone()
    }

    fn error(&mut self, sql: &str) -> Value {
        let answer = self.query(sql);
        assert!(answer["error"].is_object(), "{sql}: {answer}");
        answer["error"].clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn results_are_those_of_the_command() {
    let mut server = Server::start(EVENTS, &["--clock=1MHz", "--frequency-hz=25000000"]);
    let sql = "SELECT context, duration, duration_ns FROM cpu_time ORDER BY duration DESC";
    let expected: Vec<Value> = query_json(&[SYSTEM], sql)
        .iter()
        .map(|row| json!([row["context"], row["duration"], row["duration_ns"]]))
        .collect();
    assert_eq!(server.rows(sql), json!(expected));
    let answer = server.query("SELECT file, 1.5 AS x, duration_ns, 1 AS x FROM cpu_time LIMIT 1");
    let columns = json!([
        { "name": "file", "is_number": false },
        { "name": "x", "is_number": true },
        { "name": "duration_ns", "is_number": true },
        { "name": "x_2", "is_number": true },
    ]);
    // DataFusion rejects names that repeat.
    let result = &answer["result"];
    if result.is_object() {
        assert_eq!(result["columns"], columns);
        assert_eq!(result["rows"][0][0], "a.trx");
    }
}

#[test]
fn checks_say_why_no_row_proves_nothing() {
    let mut server = Server::start(EVENTS, &[]);
    let mut check = |sql: &str| {
        let request = json!({ "request": "check", "sql": sql, "accepts_gaps": false });
        server.ask(&request)["result"].clone()
    };
    let result = check("SELECT event, context FROM events WHERE kind = 'thread resume' LIMIT 3");
    assert_eq!(result["count"], 3, "{result}");
    assert!(result["warning"].is_null(), "{result}");
    let result = check("SELECT first_event FROM mutex_holds WHERE duration < 0");
    assert_eq!(
        (&result["count"], &result["warning"]),
        (&json!(0), &json!(null))
    );
    for (sql, reason) in [
        (
            "SELECT * FROM mutex_holds WHERE duration_ns > 1e12",
            "duration_ns is null",
        ),
        (
            "SELECT * FROM interrupts_off",
            "does not record interrupts_off",
        ),
        (
            "SELECT * FROM activations WHERE context = 'uj'",
            "has no context 'uj'",
        ),
    ] {
        let result = check(sql);
        assert_eq!(result["count"], 0, "{sql}: {result}");
        let warning = result["warning"].as_str().unwrap();
        assert!(warning.contains(reason), "{sql}: {warning}");
    }
}

#[test]
fn checks_may_accept_missing_events() {
    let mut server = Server::open("rkh/dmg_flip.bin", "925", &[]);
    let mut warning = |accepts_gaps: bool| {
        let sql = "SELECT * FROM steps WHERE duration < 0";
        let answer =
            server.ask(&json!({ "request": "check", "sql": sql, "accepts_gaps": accepts_gaps }));
        assert_eq!(answer["result"]["count"], 0, "{answer}");
        answer["result"]["warning"].clone()
    };
    assert!(
        warning(false)
            .as_str()
            .unwrap()
            .contains("damaged or missing")
    );
    assert!(warning(true).is_null());
}

#[test]
fn rows_beyond_the_limit_are_counted() {
    let mut server = Server::start(EVENTS, &[]);
    let answer = server.query("SELECT value FROM generate_series(1, 25000)");
    let result = &answer["result"];
    assert_eq!(result["count"], 25_000);
    assert_eq!(result["rows"].as_array().unwrap().len(), 10_000);
    assert_eq!(result["rows"][9_999], json!([10_000]));
}

#[test]
fn unknown_times_are_reported() {
    let mut server = Server::start(EVENTS, &[]);
    for _ in 0..2 {
        let answer = server.query("SELECT duration_ns FROM slices LIMIT 1");
        let warning = answer["result"]["warning"].as_str().unwrap();
        assert!(warning.contains("duration_ns is null"), "{warning}");
    }
}

#[test]
fn errors_have_positions() {
    let mut server = Server::start(EVENTS, &[]);
    let error = server.error("SELECT event,\n  evnt FROM events;");
    let position = json!({ "line": 2, "start": 2, "end": 6 });
    assert_eq!(error["position"], position, "{error}");
    let message = error["message"].as_str().unwrap();
    assert!(
        message.contains("Did you mean 'events.event'?"),
        "{message}"
    );
    let error = server.error(";; SELECT 1 FRO events");
    assert_eq!(error["position"]["line"], 1, "{error}");
    for sql in ["", "-- nothing", "SELECT 1; SELECT 2", "SELECT 'a"] {
        server.error(sql);
    }
    assert_eq!(server.rows(";; SELECT 1 AS a;"), json!([[1]]));
}

#[test]
fn canned_queries_have_parameters() {
    let mut server = Server::start(EVENTS, &["--frequency-hz=25000000"]);
    let catalogue = server.ask(&json!({ "request": "catalogue" }));
    let queries = catalogue["catalogue"]["queries"].as_array().unwrap();
    for query in queries {
        let request = json!({
            "request": "query", "sql": query["sql"], "named": query["name"], "set": {},
        });
        let answer = server.ask(&request);
        assert!(answer["result"].is_object(), "{query}: {answer}");
    }
    let request = |sql: &str, set: Value| json!({ "request": "query", "sql": sql, "named": "worst-wakeup", "set": set });
    let mut ask = |sql: &str, n: &str| server.ask(&request(sql, json!({ "n": n })));
    let answer = ask("SELECT event FROM events LIMIT $n", "3");
    assert_eq!(answer["result"]["count"], 3, "{answer}");
    let answer = ask("SELECT $n, evnt FROM events", "12345");
    let position = json!({ "line": 1, "start": 11, "end": 15 });
    assert_eq!(answer["error"]["position"], position, "{answer}");
    assert!(ask("SELECT $n", "x")["error"]["message"].is_string());
    assert!(ask("SELECT $m", "1")["error"]["message"].is_string());
}

#[test]
fn nothing_else_can_be_read_or_written() {
    let mut server = Server::start(EVENTS, &[]);
    let file = tempfile::NamedTempFile::with_suffix(".csv").unwrap();
    let path = file.path().to_str().unwrap();
    let untouched = "a\n1\n";
    std::fs::write(path, untouched).unwrap();
    for sql in [
        &format!("CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{path}'"),
        &format!("COPY (SELECT 1) TO '{path}'"),
        &format!("EXPLAIN ANALYZE COPY (SELECT 1) TO '{path}'"),
        &format!("EXPLAIN ANALYZE CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '{path}'"),
        &format!("SELECT * FROM '{path}'"),
        &format!("SELECT * FROM read_csv('{path}')"),
        &format!("SELECT * FROM \"file://{path}\""),
        "CREATE VIEW v AS SELECT 1",
        "CREATE TABLE t AS SELECT 1",
        "DROP VIEW cpu_time",
        "INSERT INTO events SELECT * FROM events",
        "DELETE FROM events",
        "SET datafusion.runtime.memory_limit = '100G'",
        "PREPARE p AS SELECT 1",
        "BEGIN",
    ] {
        server.error(sql);
    }
    assert_eq!(std::fs::read_to_string(path).unwrap(), untouched);
    assert_eq!(server.rows("SELECT count(*) FROM events"), json!([[3000]]));
    assert!(server.query("SHOW TABLES")["result"]["count"].as_u64() > Some(30));
    assert!(server.query("DESCRIBE events")["result"]["count"].as_u64() > Some(3));
}

#[test]
fn memory_is_limited() {
    let mut server = Server::start(EVENTS, &[]);
    let sql = "SELECT count(*) FROM (SELECT DISTINCT repeat('x', 2000) || value AS t FROM generate_series(1, 3000000))";
    let message = server.error(sql)["message"].clone();
    assert!(message.as_str().unwrap().contains("memory"), "{message}");
    assert_eq!(server.rows("SELECT 1 AS a"), json!([[1]]));
}

/// What functions allocate is in no pool.
#[cfg(target_os = "linux")]
#[test]
fn address_space_is_limited() {
    let mut server = Server::start(EVENTS, &[]);
    server.rows("SELECT count(*) FROM events");
    let texts = (0..9).map(|n| format!("length(repeat('{n}', 1900000000))"));
    let sql = format!("SELECT {}", texts.collect::<Vec<_>>().join(" + "));
    let request = json!({ "request": "query", "sql": sql, "named": null, "set": {} });
    writeln!(server.input.as_mut().unwrap(), "{request}").unwrap();
    let mut line = String::new();
    server.output.read_line(&mut line).unwrap();
    // The viewer starts another program.
    assert_eq!(line, "");
    assert!(!server.child.wait().unwrap().success());
}

#[test]
fn addresses_are_hexadecimal() {
    let mut server = Server::start(EVENTS, &[]);
    let sql = "SELECT address, address + 0 AS n FROM contexts WHERE kind = 'thread' LIMIT 1";
    let row = server.rows(sql)[0].clone();
    let address = format!("{:#x}", row[1].as_u64().unwrap());
    assert_eq!(row[0], address);
}

#[test]
fn changed_recordings_are_refused() {
    let message = Server::start("2999", &[]).error("SELECT 1")["message"].clone();
    assert!(
        message.as_str().unwrap().contains("has changed"),
        "{message}"
    );
}

#[test]
fn it_ends_with_its_input() {
    let mut server = Server::start(EVENTS, &[]);
    server.rows("SELECT 1 AS a");
    let endless = "SELECT count(*) FROM generate_series(1, 1000000000000) WHERE value % 7 = 3";
    let request = json!({ "request": "query", "sql": endless, "named": null, "set": {} });
    writeln!(server.input.as_mut().unwrap(), "{request}").unwrap();
    server.input = None;
    assert!(server.child.wait().unwrap().success());
}
