//! What a process that does not end waits for, and its end.

use crate::shell;
use std::collections::HashMap;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};

/// Prints where a process and those that it started wait, and ends them all. Elsewhere than on
/// Linux, it ends the process alone.
pub(crate) fn end(child: &mut Child) {
    let processes = descendants(child.id());
    for &process in &processes {
        report(process);
    }
    // Those that wait for others first, so that none starts another.
    for process in processes {
        let _ = Command::new("kill")
            .args(["-KILL", &process.to_string()])
            .status();
    }
    let _ = child.kill();
}

/// Prints where a process waits: for each thread the name, the state and the place in the kernel,
/// and its stack if there is a debugger.
pub(crate) fn report(process: u32) {
    let read = |path: String| fs::read_to_string(format!("/proc/{process}/{path}"));
    let command = read("cmdline".to_owned()).unwrap_or_default();
    eprintln!("process {process}: {}", command.replace('\0', " "));
    for thread in fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
    {
        let Ok(thread) = thread else { continue };
        let thread = thread.file_name().to_string_lossy().into_owned();
        let of_thread = |name: &str| {
            let text = read(format!("task/{thread}/{name}")).unwrap_or_default();
            text.trim().to_owned()
        };
        let status = of_thread("status");
        let state = status.lines().find_map(|line| line.strip_prefix("State:"));
        let (name, place) = (of_thread("comm"), of_thread("wchan"));
        let state = state.unwrap_or_default().trim();
        eprintln!("  thread {thread} {name}: {state}, in {place}");
    }
    if shell::exists("gdb", "--version") {
        let process = process.to_string();
        let words = [
            "--batch",
            "-p",
            &process,
            "-ex",
            "thread apply all backtrace",
        ];
        let _ = shell::program("gdb", &words).status();
    }
}

/// A process and all that it started, directly or not; parents come first.
fn descendants(process: u32) -> Vec<u32> {
    let mut children: HashMap<u32, Vec<u32>> = HashMap::new();
    for (child, parent) in parents() {
        children.entry(parent).or_default().push(child);
    }
    let mut found = vec![process];
    let mut at = 0;
    while let Some(parent) = found.get(at) {
        found.extend(children.get(parent).into_iter().flatten());
        at += 1;
    }
    found
}

/// The processes that another one started itself.
pub(crate) fn children(process: u32) -> impl Iterator<Item = u32> {
    parents().filter_map(move |(child, parent)| (parent == process).then_some(child))
}

/// All processes with their parents.
fn parents() -> impl Iterator<Item = (u32, u32)> {
    let processes = fs::read_dir("/proc").into_iter().flatten();
    processes.filter_map(|entry| {
        let entry = entry.ok()?;
        let process = entry.file_name().to_string_lossy().parse().ok()?;
        let parent = stat_fields(&entry.path())?.get(1)?.parse().ok()?;
        Some((process, parent))
    })
}

/// The fields of a process's `stat` after its name; `folder` is its folder in `/proc`.
pub(crate) fn stat_fields(folder: &Path) -> Option<Vec<String>> {
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    // The name of the program, in parentheses, can contain spaces.
    let (_, fields) = stat.rsplit_once(") ")?;
    Some(fields.split(' ').map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::{Duration, Instant};

    #[test]
    #[cfg(target_os = "linux")]
    fn a_process_is_ended_with_those_that_it_started() {
        let mut shell = Command::new("sh")
            .args(["-c", "sleep 600 & wait"])
            .spawn()
            .unwrap();
        let sleep = loop {
            if let Some(&child) = descendants(shell.id()).get(1) {
                break child;
            }
        };
        end(&mut shell);
        shell.wait().unwrap();
        // The system ends a process some time after the signal.
        let status = || fs::read_to_string(format!("/proc/{sleep}/status")).unwrap_or_default();
        let is_running = |status: &str| !status.is_empty() && !status.contains("State:\tZ");
        let start = Instant::now();
        while is_running(&status()) {
            assert!(start.elapsed() < Duration::from_secs(60), "{}", status());
            std::thread::yield_now();
        }
    }
}
