//! Recordings that were opened last.

use crate::support::{session, start, start_with, trace};
use rtoscope_server::{
    RecentRecording, RecentRecordings, RecordingFile, ServerOptions, TraceOpener,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

struct Recent(Mutex<Vec<PathBuf>>);

impl RecentRecordings for Recent {
    fn list(&self) -> Vec<RecentRecording> {
        let all = self.0.lock().unwrap();
        let all = all.iter().cloned();
        all.map(|path| RecentRecording { path, opened: 7 })
            .collect()
    }

    fn file(&self, path: &Path) -> RecordingFile {
        RecordingFile::opening(path.to_owned(), Vec::new())
    }

    fn open(&self, path: &Path, opener: TraceOpener, detected: &dyn Fn()) -> Result<(), String> {
        if !path.exists() {
            return Err("it is gone".to_owned());
        }
        detected();
        opener.finish(session(path), None);
        Ok(())
    }

    fn clear(&self) -> Result<(), String> {
        self.0.lock().unwrap().clear();
        Ok(())
    }
}

#[test]
fn only_recordings_of_the_list_are_opened() {
    let paths = ["cm3_system.trx", "gone.trx"].map(trace);
    let recent = Arc::new(Recent(Mutex::new(paths.to_vec())));
    let server = start_with(ServerOptions::default(), |server| {
        server.offer_recent(recent);
    });
    let listed = server.get("/api/recent").json();
    let folder = trace("").to_str().unwrap().trim_end_matches('/').to_owned();
    for (number, (name, exists)) in [("cm3_system.trx", true), ("gone.trx", false)]
        .into_iter()
        .enumerate()
    {
        let entry = &listed[number];
        let expected = json!({
            "id": entry["id"], "name": name, "folder": folder, "opened": 7, "exists": exists
        });
        assert_eq!(*entry, expected);
    }
    let id = |number: usize| listed[number]["id"].as_str().unwrap().to_owned();
    let open = |id: &str| server.request(&format!("POST /api/recent/{id}"), &[], b"");
    let opened = open(&id(0)).json();
    assert_eq!(opened["name"], "cm3_system.trx");
    let trace = opened["id"].as_u64().unwrap();
    let overview = server.query(trace, r#"{"query":"overview"}"#);
    assert_eq!(overview.json()["name"], "cm3_system.trx");
    assert_eq!(open(&id(1)).error(422), "it is gone");
    assert_eq!(
        server.get("/api/traces").json().as_array().unwrap().len(),
        1
    );
    for other in ["", "0", "..%2Fcm3_short.trx", "%2Fetc%2Fpasswd"] {
        assert!([404, 405].contains(&open(other).status), "{other}");
    }
    // Another page cannot open one, or empty the list.
    let foreign = ["Origin: http://elsewhere.example"];
    let line = format!("POST /api/recent/{}", id(0));
    assert_eq!(server.request(&line, &foreign, b"").status, 403);
    assert_eq!(
        server.request("DELETE /api/recent", &foreign, b"").status,
        403
    );
    assert_eq!(server.request("DELETE /api/recent", &[], b"").status, 204);
    assert_eq!(server.get("/api/recent").json(), json!([]));
    assert_eq!(open(&id(0)).status, 404);
}

#[test]
fn a_program_without_a_list_offers_none() {
    let server = start();
    assert_eq!(server.get("/api/recent").json(), json!([]));
    assert_eq!(server.request("DELETE /api/recent", &[], b"").status, 204);
    assert_eq!(server.request("POST /api/recent/1", &[], b"").status, 404);
}
