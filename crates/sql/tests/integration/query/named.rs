//! Canned queries.

use super::{data, query, query_with_input, rows};
use std::ffi::OsString;

/// The canned queries that use tags, or those that do not.
fn names(with_tags: bool) -> Vec<String> {
    let list = query(["--list"]).ok();
    let lines = list.lines();
    let lines = lines.filter(|line| line.contains(" [tags ") == with_tags);
    let names = lines.map(|line| line.split(' ').next().unwrap().to_owned());
    names.collect()
}

/// Files of all three formats, with the options they need. Those with the same options are
/// queried together, because most of the time is spent on planning.
fn recordings() -> Vec<Vec<OsString>> {
    let elf = data("firmware/demo.elf").into_os_string();
    let truth = std::fs::read(data("firmware/truth.json")).unwrap();
    let truth: serde_json::Value = serde_json::from_slice(&truth).unwrap();
    let base = truth["memory_start"].as_str().unwrap();
    let recordings = [
        (
            &["threadx/cm3_system.trx", "threadx/cm3_dwt_zero.trx"][..],
            vec!["--clock=25MHz".into()],
        ),
        (&["rkh/ahsm_all.bin"], vec!["--clock=1MHz".into()]),
        (&["threadx/smp32_cores.trx", "rkh/dmg_flip.bin"], vec![]),
        (
            &["firmware/memory.bin.gz"],
            vec![format!("-Olog-base={base}").into(), "--symbols".into(), elf],
        ),
    ];
    let words = |(names, rest): (&[&str], Vec<OsString>)| {
        let files = names.iter().map(|name| data(name).into_os_string());
        files.chain(rest).collect()
    };
    recordings.into_iter().map(words).collect()
}

#[test]
fn every_canned_query_runs_on_every_format() {
    let names = names(false);
    assert!(names.len() >= 20, "{names:?}");
    let commands: String = names
        .iter()
        .map(|name| format!(".named {name}\n"))
        .collect();
    for mut words in recordings() {
        words.extend(["--shell", "--format=csv"].map(Into::into));
        let result = query_with_input(&words, commands.as_bytes());
        let heads = result.ok();
        let heads = heads.lines().filter(|line| line.starts_with("file,"));
        assert_eq!(heads.count(), names.len(), "{words:?}");
    }
}

#[test]
fn parameters_can_be_set() {
    let file = data(super::SYSTEM);
    let ask = |name: &str, setting: &str| {
        let words = ["--format=jsonl", "--named", name, "--set", setting];
        let words = words.iter().map(AsRef::as_ref);
        rows(&query(words.chain([file.as_os_str()])).ok())
    };
    assert_eq!(ask("worst-wakeup", "n=3").len(), 3);
    let ready = ask("running-while-ready", "thread=alarm");
    assert!(!ready.is_empty());
    assert!(
        ready.iter().all(|row| row["context"] == "alarm"),
        "{ready:?}"
    );
}

#[test]
fn the_list_has_names_and_titles() {
    let list = query(["--list"]).ok();
    let line = list.lines().find(|line| line.starts_with("worst-wakeup "));
    assert!(line.unwrap().ends_with("latency? (n=10)"), "{line:?}");
}

#[test]
fn queries_of_fleets_need_tags() {
    let names = names(true);
    assert!(names.len() >= 7, "{names:?}");
    // Some queries have another form for recordings without tags.
    let without_tags = self::names(false);
    for name in names.iter().filter(|name| !without_tags.contains(name)) {
        let file = data(super::SYSTEM);
        let words = ["--named".as_ref(), name.as_ref(), file.as_os_str()];
        let error = query(words).error();
        assert!(error.contains("have no tag"), "{error}");
        let error = query_with_input(
            [file.as_os_str(), "--shell".as_ref()],
            format!(".named {name}\n").as_bytes(),
        );
        assert!(error.error().contains("have no tag"));
    }
}
