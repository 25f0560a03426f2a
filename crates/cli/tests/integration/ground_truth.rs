//! Compares the reports with the kernel's own counters, for every trace that has
//! them. The page `docs/src/reference/ground-truth.md` lists the known differences.

use rtoscope_fixtures::testdata;
use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// The traces that lack records, so that figures differ.
const INCOMPLETE: [&str; 3] = ["linux32_filter", "linux32_slow16", "smp32_cores"];

/// A counter of the kernel and the value of the report.
struct ComparisonRow {
    counter: String,
    kernel: u64,
    ours: u64,
    /// Whether the trace lacks the information.
    is_unknowable: bool,
}

struct GroundTruthTrace {
    truth: Value,
    report: Value,
    events: Value,
    wrapped: bool,
}

fn json(arguments: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rtoscope"));
    let output = command
        .current_dir(testdata("threadx"))
        .args(arguments)
        .output()
        .unwrap();
    assert!(output.status.success(), "{arguments:?}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn read(path: &str) -> Value {
    serde_json::from_slice(&std::fs::read(testdata("threadx").join(path)).unwrap()).unwrap()
}

fn number(value: &Value, path: &str) -> Option<u64> {
    value.pointer(path)?.as_u64()
}

impl GroundTruthTrace {
    fn open(name: &str) -> Self {
        let file = format!("{name}.trx");
        Self {
            truth: read(&format!("{name}.gt.json")),
            report: json(&["report", &file, "--format", "json"]),
            events: json(&["info", &file, "--format", "json"]),
            wrapped: false,
        }
        .with_wrap()
    }

    fn with_wrap(mut self) -> Self {
        let inserted = number(&self.truth, "/events_inserted_total");
        let held = number(&self.truth, "/events_in_buffer");
        let ring = self
            .events
            .pointer("/ring/wrapped")
            .and_then(Value::as_bool);
        self.wrapped = match (inserted, held) {
            (Some(inserted), Some(held)) => inserted > held,
            _ => ring == Some(true),
        };
        self
    }

    fn counter(&self, names: &[&str]) -> Option<u64> {
        let counters = self.truth.get("kernel_performance_counters")?;
        names
            .iter()
            .find_map(|name| number(counters, &format!("/{name}")))
    }

    fn reported(&self, path: &str) -> u64 {
        number(&self.report, path).unwrap()
    }

    /// The number of events.
    fn service(&self, id: u64) -> u64 {
        let services = self.report["services"].as_array().unwrap();
        let mut of_id = services.iter().filter(|service| service["id"] == id);
        of_id
            .next()
            .map_or(0, |service| service["count"].as_u64().unwrap())
    }

    /// Whether the target's filter suppressed the scheduler's records.
    fn is_filtered(&self) -> bool {
        let suspended = self.counter(&["thread_performance_suspend_count", "suspend"]);
        suspended.is_some_and(|suspended| self.service(2) < suspended)
    }

    fn rows(&self) -> Vec<ComparisonRow> {
        let is_smp = self.report["cores"].as_u64() > Some(1);
        let filtered = self.is_filtered();
        let performance = |key: &str| self.reported(&format!("/performance/{key}"));
        let changes = performance("priority_changes");
        // A call on another core can give a thread a core, and take it away, without a record.
        let dispatches = self.runs().into_iter().map(|(thread, kernel)| {
            let ours = self.dispatches(&thread);
            (
                format!("dispatches of `{thread}`"),
                Some(kernel),
                ours,
                filtered || is_smp,
            )
        });
        let isrs = self.isrs().into_iter().map(|(number, kernel)| {
            let ours = self.activations(&number);
            (
                format!("entries of ISR {number}"),
                Some(kernel),
                ours,
                false,
            )
        });
        let counters = [
            (
                "thread_performance_solicited_preemption_count",
                "solicited_preemption",
                performance("preemptions/solicited"),
            ),
            (
                "thread_performance_interrupt_preemption_count",
                "interrupt_preemption",
                performance("preemptions/interrupt"),
            ),
            (
                "thread_performance_time_slice_count",
                "",
                performance("time_slices"),
            ),
            // The kernel counts priority changes as both.
            (
                "thread_performance_suspend_count",
                "suspend",
                performance("suspensions") + changes,
            ),
            (
                "thread_performance_resume_count",
                "resume",
                performance("resumptions") + changes,
            ),
            (
                "mutex_performance_priority_inversion_count",
                "mutex_priority_inversions",
                performance("inversions/total"),
            ),
            (
                "queue_performance_empty_suspension_count",
                "",
                self.waits("queue"),
            ),
            (
                "semaphore_performance_suspension_count",
                "",
                self.waits("semaphore"),
            ),
            (
                "event_flags_performance_suspension_count",
                "",
                self.waits("event-flags"),
            ),
            (
                "block_pool_performance_suspension_count",
                "",
                self.waits("block-pool"),
            ),
            ("mutex_performance_suspension_count", "", self.mutex_waits()),
        ];
        let counters = counters.into_iter().map(|(name, other_name, ours)| {
            let kernel = self.counter(&[name, other_name]);
            (name.to_owned(), kernel, ours, filtered)
        });
        let nested = (
            "ISR 26 nested in ISR 25".to_owned(),
            number(&self.truth, "/isr26_nested_in_isr25"),
            performance("nested_interrupts"),
            false,
        );
        let rows = dispatches.chain(counters).chain(isrs).chain([nested]);
        let known = rows.filter_map(|(counter, kernel, ours, is_unknowable)| {
            Some(ComparisonRow {
                counter,
                kernel: kernel?,
                ours,
                is_unknowable,
            })
        });
        known.collect()
    }

    /// The kernel's dispatch count of each thread.
    fn runs(&self) -> BTreeMap<String, u64> {
        let runs = self.truth.get("threads_run_count");
        let runs = runs.or(self.truth.get("thread_run_count"));
        let runs = runs.and_then(Value::as_object).cloned().unwrap_or_default();
        runs.into_iter()
            .map(|(name, count)| (name, count.as_u64().unwrap()))
            .collect()
    }

    /// The registry truncates names, and keeps none for a null pointer.
    fn dispatches(&self, name: &str) -> u64 {
        let threads = self.report["threads"].as_array().unwrap();
        let of_name = threads.iter().filter(|thread| {
            let own = thread["name"].as_str().unwrap();
            own == name || own.len() >= 29 && name.starts_with(own)
        });
        of_name
            .map(|thread| thread["dispatches"].as_u64().unwrap())
            .sum()
    }

    fn waits(&self, class: &str) -> u64 {
        let objects = self.report["objects"].as_array().unwrap();
        let of_class = objects.iter().filter(|object| object["class"] == class);
        of_class
            .map(|object| number(object, "/waiters/count").unwrap())
            .sum()
    }

    fn mutex_waits(&self) -> u64 {
        let locks = self.report["locks"].as_array().unwrap();
        locks
            .iter()
            .map(|lock| number(lock, "/wait/count").unwrap_or(0))
            .sum()
    }

    fn isrs(&self) -> BTreeMap<String, u64> {
        let entries = self.truth.get("isr_enter_by_id").and_then(Value::as_object);
        let entries = entries.cloned().unwrap_or_default();
        entries
            .into_iter()
            .map(|(id, count)| (id, count.as_u64().unwrap()))
            .collect()
    }

    fn activations(&self, id: &str) -> u64 {
        let isrs = self.report["isr"].as_array().unwrap();
        let of_id = isrs
            .iter()
            .filter(|isr| isr["number"].as_u64() == id.parse().ok());
        of_id.map(|isr| isr["activations"].as_u64().unwrap()).sum()
    }
}

fn names() -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(testdata("threadx"))
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter_map(|name| name.strip_suffix(".gt.json").map(str::to_owned))
        .collect();
    names.sort_unstable();
    names
}

#[test]
fn reports_match_the_kernel_counters() {
    let mut compared = 0;
    let mut incomplete = Vec::new();
    for name in names() {
        let trace = GroundTruthTrace::open(&name);
        if trace.wrapped {
            continue;
        }
        let rows = trace.rows();
        compared += rows.len();
        let different: Vec<_> = rows.iter().filter(|row| row.kernel != row.ours).collect();
        for row in &different {
            assert!(
                row.is_unknowable,
                "{name}: {}: the kernel says {}, we say {}",
                row.counter, row.kernel, row.ours
            );
        }
        if !different.is_empty() {
            incomplete.push(name);
        }
    }
    assert!(compared > 150, "only {compared} figures were compared");
    assert_eq!(incomplete, INCOMPLETE);
}

/// Every inversion that the target recorded, with its events.
#[test]
fn inversions_match_those_that_the_targets_recorded() {
    let mut compared = 0;
    for name in names() {
        let path = format!("{name}.inversions.json");
        if !testdata("threadx").join(&path).exists() {
            continue;
        }
        let report = json(&[
            "report",
            &format!("{name}.trx"),
            "inversions",
            "--format",
            "json",
        ]);
        // The target's record includes an entry that was only half written.
        let info = json(&["info", &format!("{name}.trx"), "--format", "json"]);
        let diagnostics = info["diagnostics"].as_array().unwrap().iter();
        let half_written = diagnostics.filter(|it| it["kind"] == "half-written-entry");
        let half_written = half_written.count() as u64;
        let mut ours = report["inversions"].as_array().unwrap().iter();
        for episode in read(&path)["episodes"].as_array().unwrap() {
            if episode["is_inversion"] == false {
                continue;
            }
            let found = ours.next().unwrap();
            let case = format!("{name} {episode}\n{found}");
            for (theirs, own) in [
                ("mutex", "object"),
                ("waiter", "blocked"),
                ("owner", "owner"),
                ("waiter_priority", "blocked_priority"),
                ("owner_priority_last_seen", "owner_priority"),
                ("non_deterministic", "unbounded"),
            ] {
                assert_eq!(episode[theirs], found[own], "{theirs} {case}");
            }
            for (theirs, own) in [
                ("get_index", "get_event"),
                ("suspend_index", "first_event"),
                ("resume_index", "last_event"),
            ] {
                let counted = episode[theirs].as_u64().unwrap() - half_written;
                assert_eq!(found[own], counted, "{theirs} {case}");
            }
            let mut culprits: Vec<_> = found["culprits"].as_array().unwrap().iter().collect();
            culprits.sort_by_key(|culprit| culprit["thread"].as_str().unwrap());
            let culprits: Vec<_> = culprits.iter().map(|culprit| &culprit["thread"]).collect();
            let theirs = episode["lower_priority_third_threads_that_ran"].as_array();
            assert_eq!(
                theirs.unwrap().iter().collect::<Vec<_>>(),
                culprits,
                "{case}"
            );
            compared += 1;
        }
        assert_eq!(ours.next(), None, "{name}");
    }
    assert!(compared >= 25, "only {compared} inversions were compared");
}
