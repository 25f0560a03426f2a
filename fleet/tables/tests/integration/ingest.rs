//! Recordings in tables: once, with their tags, all or none.

use crate::support::{Fleet, WebServer, testdata};

#[test]
fn recordings_are_in_the_tables_once() {
    let fleet = Fleet::new(3);
    let messages = fleet.succeed(&Fleet::INGEST);
    assert!(
        messages.contains("3 recordings added, 0 known before"),
        "{messages}"
    );
    let messages = fleet.succeed(&Fleet::INGEST);
    assert!(
        messages.contains("0 recordings added, 3 known before"),
        "{messages}"
    );
    // The same bytes under another name and another tag.
    let bytes = std::fs::read(fleet.path("src/dev-0001/1.1/trace.trx")).unwrap();
    fleet.write("src/dev-0009/2.0/copy.trx", &bytes);
    fleet.succeed(&Fleet::INGEST);
    let rows = fleet.query(
        "tables",
        "SELECT device, firmware, file, count(*) FROM recordings GROUP BY 1, 2, 3 ORDER BY 1",
    );
    let expected = [
        "dev-0000,1.0,trace.trx,1",
        "dev-0001,1.1,trace.trx,1",
        "dev-0002,1.0,trace.trx,1",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn tables_have_the_rows_of_the_recording() {
    let fleet = Fleet::new(2);
    fleet.succeed(&Fleet::INGEST);
    let sums = |tables| {
        let sql = "SELECT recorded, listed, used, states FROM \
                   (SELECT sum(events) AS recorded FROM recordings) \
                   CROSS JOIN (SELECT count(*) AS listed FROM events) \
                   CROSS JOIN (SELECT sum(duration_ns) AS used FROM cpu_time) \
                   CROSS JOIN (SELECT count(*) AS states FROM thread_states)";
        fleet.query(tables, sql)
    };
    let [one] = &sums("tables")[..] else {
        panic!("one row is expected");
    };
    let first: Vec<u64> = one
        .split(',')
        .map(|number| number.parse().unwrap())
        .collect();
    assert_eq!(first[0], first[1]);
    assert!(first[2] > 0 && first[3] > 0, "{first:?}");
    let counts = fleet.query(
        "tables",
        "SELECT device, count(*) FROM events GROUP BY device ORDER BY device",
    );
    let half = first[1] / 2;
    assert_eq!(
        counts,
        [format!("dev-0000,{half}"), format!("dev-0001,{half}")]
    );
}

#[test]
fn manifests_have_tags_and_times() {
    let fleet = Fleet::new(2);
    let manifest = "path,device,site,recorded_at\n\
                    src/dev-0000/1.0/trace.trx,a,berlin,2026-03-01T10:00:00Z\n\
                    src/dev-0001/1.1/trace.trx,b,,2026-03-02\n";
    fleet.write("list.csv", manifest.as_bytes());
    fleet.succeed(&["ingest", "--manifest", "list.csv", "--to", "tables"]);
    let sql = "SELECT device, site, day, recorded_at FROM recordings ORDER BY device";
    let expected = [
        "a,berlin,2026-03-01,2026-03-01T10:00:00Z",
        "b,,2026-03-02,2026-03-02",
    ];
    assert_eq!(fleet.query("tables", sql), expected);
    // A new tag is a new column, null in what is there.
    let manifest = b"{\"path\": \"src/x.trx\", \"device\": \"c\", \"batch\": 7}\n";
    fleet.write("src/x.trx", &testdata("threadx/cm3_short.trx"));
    fleet.write("more.jsonl", manifest);
    fleet.succeed(&["ingest", "--manifest", "more.jsonl", "--to", "tables"]);
    let sql = "SELECT device, batch FROM events GROUP BY 1, 2 ORDER BY 1";
    assert_eq!(fleet.query("tables", sql), ["a,", "b,", "c,7"]);
    let first = fleet.run(&["query", "tables", "--as-of", "1", sql]);
    assert!(!first.status.success(), "there was no such column");
}

#[test]
fn unreadable_recordings_are_reported_and_the_others_added() {
    let fleet = Fleet::new(2);
    fleet.write("src/noise.bin", &[0x55; 1000]);
    let server = WebServer::start(testdata("threadx/cm3_short.trx"));
    let manifest = format!(
        "path,device\n\
         src/noise.bin,a\n\
         src/missing.trx,b\n\
         src/dev-0000/1.0/trace.trx,c\n\
         {url}/trace.trx,d\n\
         {url}/missing.trx,e\n\
         src/dev-0001/1.1/trace.trx,f\n",
        url = server.url
    );
    fleet.write("list.csv", manifest.as_bytes());
    let output = fleet.run(&["ingest", "--manifest", "list.csv", "--to", "tables"]);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{messages}");
    for name in ["noise.bin", "src/missing.trx", "/missing.trx"] {
        assert!(messages.contains(name), "{messages}");
    }
    let count = "3 recordings could not be read or decoded";
    assert!(messages.contains(count), "{messages}");
    let sql = "SELECT device, source LIKE 'http:%' FROM recordings ORDER BY device";
    assert_eq!(fleet.query("tables", sql), ["c,false", "d,true", "f,false"]);
}

#[test]
fn a_server_that_does_not_answer_ends_the_command() {
    let fleet = Fleet::new(1);
    // A port that nothing listens on.
    let port = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port();
    let url = format!("http://127.0.0.1:{port}/trace.trx");
    let output = fleet.run(&["ingest", &url, "src", "--tag", "device=a", "--to", "tables"]);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{messages}");
    assert!(messages.contains(&url), "{messages}");
    let recordings = fleet.query("tables", "SELECT count(*) FROM recordings");
    assert_eq!(recordings, ["0"]);
}

#[test]
fn wrong_use_is_explained() {
    let fleet = Fleet::new(1);
    for (arguments, reason) in [
        (&["ingest", "src", "--to", "tables"][..], "no device"),
        (
            &["ingest", "nothing", "--to", "tables", "--tag", "device=1"],
            "no such file",
        ),
        (
            &[
                "ingest", "src", "--to", "tables", "--tag", "device=1", "--tag", "pack=1",
            ],
            "pack",
        ),
        (
            &["ingest", "src", "--to", "ftp://x/y", "--tag", "device=1"],
            "unknown scheme",
        ),
        (&["query", "src", "SELECT 1"], "no tables"),
        (&["fetch", "src", "abc", "-o", "x"], "no tables"),
    ] {
        let output = fleet.run(arguments);
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {messages}");
        assert!(messages.contains(reason), "{arguments:?}: {messages}");
    }
}

#[test]
fn the_bytes_of_a_recording_are_kept() {
    let fleet = Fleet::new(3);
    fleet.succeed(&Fleet::INGEST);
    let sql = "SELECT recording_id FROM recordings WHERE device = 'dev-0002'";
    let [id] = &fleet.query("tables", sql)[..] else {
        panic!("one row is expected");
    };
    fleet.succeed(&["fetch", "tables", &id[..12], "-o", "fetched.trx"]);
    let read = |path| std::fs::read(fleet.path(path)).unwrap();
    assert!(read("fetched.trx") == read("src/dev-0002/1.0/trace.trx"));
    assert!(
        !fleet
            .run(&["fetch", "tables", "zz", "-o", "x"])
            .status
            .success()
    );
    assert!(
        !fleet
            .run(&["fetch", "tables", "", "-o", "x"])
            .status
            .success()
    );
}
