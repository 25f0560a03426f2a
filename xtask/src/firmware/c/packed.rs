//! Compares compact streams with what their programs recorded: from a file and live, of one core
//! and of several.

use crate::firmware::command::Command;
use crate::firmware::figures::{items, word};
use anyhow::{Context as _, anyhow, bail, ensure};
use rtoscope_wire::cswitch::EntryKind;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::net::TcpListener;
use std::path::Path;

/// The streams: of a program that loses entries and filters them, of a flight recorder, of two
/// cores.
const STREAMS: [&str; 3] = ["packed", "flight", "cores"];

/// Compares the stream of a source file in a folder with what the program recorded, which lost
/// some events.
pub(super) fn check(command: &Command, folder: &Path, source: &str) -> anyhow::Result<()> {
    let name = Path::new(source).file_stem().unwrap_or_default();
    let name = &*name.to_string_lossy();
    let missing = compare(command, folder, name).context(source.to_owned())?;
    ensure!(missing > 0, "{name}: the program lost no event");
    let info = command.json("info", &folder.join(name).with_extension("cswl"), &[])?;
    let filter = "the target's filter suppressed entries: readiness";
    ensure!(
        name != "packed" || info.to_string().contains(filter),
        "no filter: {info}"
    );
    Ok(())
}

/// Compares each event of the stream `name`.cswl with what the program recorded, in `name`.txt:
/// its time, kind, values and core. Returns the number of lost entries, which both agree on, for
/// each core.
pub(super) fn compare(command: &Command, folder: &Path, name: &str) -> anyhow::Result<u64> {
    let file = folder.join(name).with_extension("cswl");
    let truth = folder.join(name).with_extension("txt");
    let truth = fs::read_to_string(&truth).with_context(|| truth.display().to_string())?;
    let (recorded, lost) = truth
        .trim_end()
        .rsplit_once("\nlost ")
        .context("no losses")?;
    let all = command.lines("events", &file, &[])?;
    let mut events = all.iter().filter(|event| is_recorded(event));
    let mut start = None;
    for line in recorded.lines() {
        let numbers = numbers(line)?;
        let [time, event_numbers @ ..] = numbers.as_slice() else {
            bail!("not an event: {line}");
        };
        let start = *start.get_or_insert(*time);
        let event = events.next().with_context(|| format!("missing: {line}"))?;
        ensure!(
            event.get("time").and_then(Value::as_u64) == Some(time - start)
                && is_event(event, event_numbers, name == "cores"),
            "recorded {line}, found {event}"
        );
    }
    ensure!(events.next().is_none(), "more events than recorded");
    let info = command.json("info", &file, &[])?;
    let mut missing: BTreeMap<u64, u64> = BTreeMap::new();
    for gap in items(&info["gaps"]) {
        let count = gap["missing"].as_u64().context("an unknown gap")?;
        // The first event after the gap is of the same core.
        let event = gap["before_event"].as_u64().and_then(|event| {
            let event = all.get(usize::try_from(event).ok()?)?;
            event.get("core")?.as_u64()
        });
        *missing
            .entry(event.context("a gap before no event")?)
            .or_default() += count;
    }
    for (core, lost) in (0..).zip(numbers(lost)?) {
        let missing = missing.get(&core).copied().unwrap_or_default();
        ensure!(
            missing == lost,
            "core {core}: {lost} entries were lost, {missing} are missing"
        );
    }
    Ok(missing.values().sum())
}

fn numbers(line: &str) -> anyhow::Result<Vec<u64>> {
    let numbers = line.split(' ').map(str::parse).collect::<Result<_, _>>();
    numbers.with_context(|| line.to_owned())
}

/// Whether the program recorded an event of that kind: entries of the recorder itself show how
/// time passes and what is suppressed.
fn is_recorded(event: &Value) -> bool {
    let name = event.get("kind");
    name.is_some_and(|it| it != "time" && it != "filter")
}

/// Whether an event has the recorded kind, operand and value, and core or further values.
fn is_event(event: &Value, recorded: &[u64], has_core: bool) -> bool {
    let &[kind, operand, value, ref more @ ..] = recorded else {
        return false;
    };
    if event.get("number").and_then(Value::as_u64) != Some(kind) {
        return false;
    }
    let word = |name: &str| word(event, name);
    // A code address is the first field of a resumed thread, and the second of a wait.
    let is_resume = kind == EntryKind::SyncResume as u64;
    let is_handler = kind == EntryKind::IsrEnter as u64 || kind == EntryKind::IsrExit as u64;
    if kind == EntryKind::Formatted as u64 {
        return is_formatted(event, &recorded[1..]);
    }
    kind == EntryKind::Sleep as u64
        || word(if is_resume { "info2" } else { "info1" }) == Some(operand)
            && (is_handler || word(if is_resume { "info1" } else { "info2" }) == Some(value))
            && (!has_core || event.get("core").and_then(Value::as_u64) == more.first().copied())
}

/// Whether a formatted event without its text has the recorded address and values. The flight
/// recorder's program writes the first value only.
fn is_formatted(event: &Value, recorded: &[u64]) -> bool {
    let item = |number: usize| {
        let name = match number {
            0 => "x32".to_owned(),
            _ => format!("u32{}", "'".repeat(number - 1)),
        };
        let values = event.get("arguments")?;
        word(values, &name).or_else(|| values.get(&name)?.as_str()?.parse().ok())
    };
    let items = (0..).map_while(item).zip(recorded);
    items.clone().count() == recorded.len() && items.into_iter().all(|(item, word)| item == *word)
}

/// Checks that the events arrive through a server of SWO and through sockets as from a file.
pub(super) fn check_live(command: &Command, folder: &Path) -> anyhow::Result<()> {
    compare_live(command, folder, "packed", "packed.itm", "swo://?stimulus=1")?;
    for name in STREAMS {
        compare_live(command, folder, name, &format!("{name}.cswl"), "tcp://?")?;
    }
    Ok(())
}

/// Compares the events of `name`.cswl with those that arrive when a server sends the file `sent`;
/// the question mark of `address` stands for where the server is.
fn compare_live(
    command: &Command,
    folder: &Path,
    name: &str,
    sent: &str,
    address: &str,
) -> anyhow::Result<()> {
    let expected = command.lines("events", &folder.join(name).with_extension("cswl"), &[])?;
    let bytes = fs::read(folder.join(sent)).with_context(|| sent.to_owned())?;
    let server = TcpListener::bind("127.0.0.1:0")?;
    let (scheme, options) = address.split_once('?').context("no question mark")?;
    let options = match options {
        "" => String::new(),
        options => format!("?{options}"),
    };
    let address = format!("{scheme}{}{options}", server.local_addr()?);
    let limit = format!("--limit={}", expected.len());
    let serve = std::thread::spawn(move || {
        let (mut stream, _) = server.accept()?;
        bytes
            .chunks(777)
            .try_for_each(|chunk| stream.write_all(chunk))
    });
    let received = command.lines("live", Path::new(&address), &[&limit])?;
    let served = serve.join().map_err(|_| anyhow!("the server failed"))?;
    served.with_context(|| address.clone())?;
    let columns = ["time", "number", "core", "info1", "info2", "arguments"];
    let is_same =
        |(one, other): (&Value, &Value)| columns.iter().all(|it| one.get(it) == other.get(it));
    let differ = expected
        .iter()
        .zip(&received)
        .position(|pair| !is_same(pair));
    ensure!(
        expected.len() == received.len() && differ.is_none(),
        "{address}: {} events were sent, {} arrived; the first that differs: {differ:?}",
        expected.len(),
        received.len()
    );
    Ok(())
}
