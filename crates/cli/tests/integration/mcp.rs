//! `rtoscope mcp`, spoken to in JSON-RPC as a client does.

use crate::common::TestFolder;
use serde_json::{Value, json};
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const THREADX: TestFolder = TestFolder("threadx");
const SYSTEM: &[&str] = &["cm3_system.trx", "--clock=25MHz"];

struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
}

impl Server {
    /// Starts the server on recordings, and greets it.
    fn start(arguments: &[&str]) -> Self {
        let mut server = Self::start_without_greeting(arguments);
        let greeting = server.request(
            "initialize",
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": { "name": "test", "version": "1" },
            }),
        );
        let result = &greeting["result"];
        assert_eq!(result["serverInfo"]["name"], "rtoscope", "{greeting}");
        assert!(
            result["instructions"]
                .as_str()
                .unwrap()
                .contains("findings")
        );
        server.write(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        server
    }

    fn start_without_greeting(arguments: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rtoscope"))
            .arg("mcp")
            .args(arguments)
            .current_dir(THREADX.folder())
            // No program for SQL is there.
            .env("PATH", "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            requests: 0,
        }
    }

    fn write(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    fn read(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap()
    }

    /// Sends a request and returns its response.
    fn request(&mut self, method: &str, parameters: &Value) -> Value {
        self.requests += 1;
        let id = self.requests;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters });
        self.write(&request.to_string());
        let response = self.read();
        assert_eq!(response["id"], id, "{response}");
        response
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.request(
            "tools/call",
            &json!({ "name": tool, "arguments": arguments }),
        )
    }

    /// The text of a tool's answer.
    fn text(&mut self, tool: &str, arguments: &Value) -> String {
        let response = self.call(tool, arguments);
        let result = &response["result"];
        assert_ne!(result["isError"], true, "{response}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }

    /// The message of a refused call: a tool's error, or one of the protocol.
    fn refusal(&mut self, tool: &str, arguments: &Value) -> String {
        let response = self.call(tool, arguments);
        let result = &response["result"];
        let message = match result["isError"] == true {
            true => &result["content"][0]["text"],
            false => &response["error"]["message"],
        };
        assert!(message.is_string(), "{response}");
        message.as_str().unwrap().to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn answers_are_those_of_the_commands() {
    let mut server = Server::start(SYSTEM);
    let evidence = "rtoscope view cm3_system.trx";
    let expected = THREADX.stdout(&["report", SYSTEM[0], "inversions", SYSTEM[1]]);
    let report = server.text("report", &json!({ "reports": ["inversions"] }));
    assert_eq!(report.rsplit_once("[evidence").unwrap().0, expected);
    assert!(report.contains(evidence), "{report}");
    let expected = THREADX.stdout(&["info", SYSTEM[0], SYSTEM[1]]);
    let info = server.text("info", &json!({}));
    assert!(info.starts_with(&expected), "{info}");
    let path = ["critical-path", SYSTEM[0], "--event=2313", SYSTEM[1]];
    let path = THREADX.stdout(&path);
    let explained = server.text("critical_path", &json!({ "event": 2313, "recording": 1 }));
    assert!(explained.starts_with(&path), "{explained}");
    let findings = server.text("findings", &json!({ "scope": { "from": "event:0" } }));
    assert!(findings.starts_with("critical "), "{findings}");
    assert!(findings.contains("[event "), "{findings}");
    let around = json!({ "around": "event:1357", "limit": 4, "filter": "kind ~ mutex" });
    let events = server.text("events", &around);
    let numbers = events.lines().skip(1).take(4);
    let numbers: Vec<u32> = numbers
        .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
        .collect();
    assert!(
        numbers.is_sorted() && numbers[1] < 1357 && numbers[2] >= 1357,
        "{events}"
    );
    assert!(events.contains("more follow"), "{events}");
    let rules = "[[rule]]\ntable = \"inversions\"\nmax-rows = 0";
    let check = server.text("check", &json!({ "rules": rules, "fail_on": "critical" }));
    assert!(check.contains("2 checks: 2 failed"), "{check}");
    assert!(check.contains("[event 1357]"), "{check}");
    let table = server.text("sql_tables", &json!({ "name": "inversions" }));
    assert!(table.contains("duration_ns"), "{table}");
    assert!(
        server
            .text("sql_tables", &json!({}))
            .contains("Canned queries")
    );
}

#[test]
fn recordings_are_compared() {
    let mut server = Server::start(&["cm3_short.trx", "cm3_system.trx", "--clock=25MHz"]);
    let list = server.text("recordings", &json!({}));
    assert_eq!(list, "1  cm3_short.trx\n2  cm3_system.trx\n");
    let expected = THREADX.stdout(&["compare", "cm3_short.trx", SYSTEM[0], SYSTEM[1]]);
    let compared = server.text("compare", &json!({ "before": 1, "after": 2 }));
    assert_eq!(compared, expected);
    let message = server.refusal("info", &json!({}));
    assert!(message.contains("select one by its number"), "{message}");
}

#[test]
fn long_answers_are_continued() {
    let mut server = Server::start(SYSTEM);
    let all = json!({ "reports": ["services", "threads", "latency", "locks", "objects", "isr"] });
    let whole = server.text("report", &all);
    let events = server.text("events", &json!({ "limit": 1000 }));
    for text in [&whole, &events] {
        assert!(text.len() < 34_000, "{}", text.len());
    }
    assert!(events.contains("[lines 1 to "), "{events}");
    let continued = json!({ "reports": ["threads"], "first_line": 3 });
    let second = server.text("report", &continued);
    let first = server.text("report", &json!({ "reports": ["threads"] }));
    assert!(first.ends_with(&second), "{second}");
}

#[test]
fn tools_describe_their_parameters() {
    let mut server = Server::start(SYSTEM);
    let response = server.request("tools/list", &json!({}));
    let tools = response["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .collect();
    for name in [
        "recordings",
        "info",
        "findings",
        "report",
        "events",
        "critical_path",
        "compare",
        "check",
        "sql",
        "sql_tables",
    ] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!(names.len(), 10);
    for tool in tools {
        assert!(tool["description"].as_str().unwrap().len() > 20, "{tool}");
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
        let properties = tool["inputSchema"]["properties"].as_object();
        for (name, schema) in properties.into_iter().flatten() {
            let is_described = schema["description"].is_string();
            assert!(is_described, "{name} of {tool}");
        }
    }
}

#[test]
fn hostile_calls_are_refused() {
    let mut server = Server::start(SYSTEM);
    for (tool, arguments, expected) in [
        (
            "info",
            json!({ "recording": "/etc/passwd" }),
            "invalid type",
        ),
        ("info", json!({ "recording": 2 }), "no recording 2"),
        ("info", json!({ "recording": 0 }), "no recording 0"),
        (
            "info",
            json!({ "file": "../rkh/ut.bin" }),
            "unknown field `file`",
        ),
        ("report", json!({ "reports": [] }), "no report is selected"),
        ("report", json!({ "reports": ["/etc/passwd"] }), "no report"),
        (
            "report",
            json!({ "reports": ["threads"], "scope": { "threads": ["nowhere"] } }),
            "no thread",
        ),
        (
            "report",
            json!({ "reports": ["threads"], "first_line": 100_000 }),
            "no line 100000",
        ),
        (
            "events",
            json!({ "limit": 1_000_000_000 }),
            "1 to 1000 events",
        ),
        (
            "events",
            json!({ "filter": "(".repeat(100_000) }),
            "--filter",
        ),
        (
            "events",
            json!({ "around": "event:4000000000" }),
            "no event 4000000000",
        ),
        ("critical_path", json!({ "event": -1 }), "invalid value"),
        (
            "critical_path",
            json!({ "event": 4_000_000_000_u32 }),
            "no event",
        ),
        (
            "check",
            json!({ "rules": "[[rule]]\nsequence = 'SM.TRM'" }),
            "line 2: ",
        ),
        ("check", json!({ "rules": "nonsense" }), "line 1"),
        ("check", json!({}), "nothing to check"),
        (
            "compare",
            json!({ "before": 1, "after": 7 }),
            "no recording 7",
        ),
        (
            "sql",
            json!({ "sql": "SELECT 1" }),
            "needs rtoscope-sql, which is not installed",
        ),
        (
            "sql_tables",
            json!({ "name": "../x" }),
            "no table, view or query",
        ),
        ("delete", json!({}), "not found"),
    ] {
        let message = server.refusal(tool, &arguments);
        assert!(message.contains(expected), "{tool} {arguments}: {message}");
    }
    // The connection outlives what is no request.
    server.write("{ no JSON");
    server.write(r#"{"jsonrpc":"2.0","id":"x"}"#);
    let error = server.read();
    assert!(error["error"].is_object(), "{error}");
    assert!(server.text("info", &json!({})).contains("cm3_system.trx"));
}

#[test]
fn cancelled_calls_have_no_answer() {
    let mut server = Server::start(SYSTEM);
    let call = r#"{"jsonrpc":"2.0","id":"slow","method":"tools/call","params":{"name":"report","arguments":{"reports":["services"]}}}"#;
    let cancel =
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"slow"}}"#;
    // Both in one write: the server has read the second before the first is answered.
    server.write(&format!("{call}\n{cancel}"));
    assert!(server.text("info", &json!({})).contains("cm3_system.trx"));
}

#[test]
fn the_server_ends_with_its_input() {
    for greeted in [true, false] {
        let mut server = match greeted {
            true => Server::start(SYSTEM),
            false => Server::start_without_greeting(SYSTEM),
        };
        server.input = None;
        let mut rest = String::new();
        assert_eq!(server.output.read_line(&mut rest).unwrap(), 0, "{rest}");
        assert_eq!(server.child.wait().unwrap().code(), Some(0));
    }
    for arguments in [&["mcp", "missing.trx"][..], &["mcp", "-"]] {
        assert_eq!(THREADX.run(arguments).status.code(), Some(2));
    }
}
