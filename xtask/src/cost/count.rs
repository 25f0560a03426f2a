//! Counts instructions: QEMU runs a program in single steps and logs their
//! addresses.

use super::program::Program;
use crate::firmware::qemu;
use anyhow::{Context as _, bail, ensure};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

/// Instructions by the name of the case.
pub(crate) type Counts = BTreeMap<String, u32>;

/// Symbol prefix of cases.
const CASE: &str = "cost_";

/// Symbol prefix of cases that are only a jump to the measured function. The
/// jump is not counted.
const JUMP: &str = "cost_jump_";

/// Prefix of the name of a case that does a hundred times more than the case of the other name: the
/// figure is what one of the hundred takes.
const HUNDRED: &str = "hundred_";

/// Symbol prefixes of two labels with a case between them, within other code.
/// At the first label is an instruction without effect, which is not counted.
const FROM: &str = "cost_from_";
const TO: &str = "cost_to_";

/// A program has a few thousand instructions; one with this many hangs.
const MAX_INSTRUCTIONS: usize = 1_000_000;

/// One instruction per block, none chained to the next: each executed
/// instruction is a line of the log on standard error. The program ends QEMU by
/// semihosting. Without `-icount`, which executes instructions that read a
/// device twice.
const LOG: [&str; 6] = [
    "-serial",
    "null",
    "-singlestep",
    "-d",
    "exec,nochain",
    "-kernel",
];

/// Runs a program and counts the instructions of each of its cases: from the
/// first one of the function to its return, including those of the functions it
/// calls. Each case must be called once.
pub(crate) fn instructions(path: &Path) -> anyhow::Result<Counts> {
    let program = Program::read(path)?;
    let cases = cases(&program)?;
    ensure!(!cases.is_empty(), "{} has no cases", path.display());
    let addresses = executed_addresses(path).with_context(|| path.display().to_string())?;
    let mut counts = Counts::new();
    let mut at = 0;
    while let Some(&address) = addresses.get(at) {
        let Some(case) = cases.get(&address) else {
            at += 1;
            continue;
        };
        let name = case.name;
        let return_address = match case.end {
            Some(end) => end,
            None => {
                let call = at.checked_sub(1).and_then(|before| addresses.get(before));
                let return_address = call.and_then(|call| program.return_address(*call));
                return_address.with_context(|| format!("{name} is not called"))?
            }
        };
        let rest = addresses.iter().skip(at);
        let count = rest
            .take_while(|address| **address != return_address)
            .count();
        at += count;
        if at == addresses.len() {
            bail!("{name} does not return");
        }
        if counts
            .insert(name.to_owned(), u32::try_from(count - case.skipped)?)
            .is_some()
        {
            bail!("{name} is called more than once");
        }
    }
    if let Some(case) = cases.values().find(|case| !counts.contains_key(case.name)) {
        bail!("{} is never called", case.name);
    }
    let once = counts.clone();
    for (name, count) in &mut counts {
        if let Some(other) = name.strip_prefix(HUNDRED) {
            let fixed = once
                .get(other)
                .with_context(|| format!("no case {other}"))?;
            *count = (*count - fixed).div_ceil(100);
        }
    }
    Ok(counts)
}

/// A measured part of a program.
struct Case<'p> {
    name: &'p str,
    /// Instructions at its start that are not counted.
    skipped: usize,
    /// Its end, unless it ends at its return address.
    end: Option<u32>,
}

/// The cases of a program by the address of their first instruction.
fn cases(program: &Program) -> anyhow::Result<BTreeMap<u32, Case<'_>>> {
    let mut cases = BTreeMap::new();
    for (symbol, address) in &program.functions {
        let (name, skipped, end) = if let Some(name) = symbol.strip_prefix(FROM) {
            let end = format!("{TO}{name}");
            let mut ends = program.functions.iter();
            let end = ends.find_map(|(symbol, address)| (*symbol == end).then_some(*address));
            (
                name,
                1,
                Some(end.with_context(|| format!("{name} does not end"))?),
            )
        } else if let Some(name) = symbol.strip_prefix(JUMP) {
            (name, 1, None)
        } else if let Some(name) = symbol.strip_prefix(CASE)
            && !symbol.starts_with(TO)
        {
            (name, 0, None)
        } else {
            continue;
        };
        let case = Case { name, skipped, end };
        if let Some(same) = cases.insert(*address, case) {
            bail!("{} and {name} were merged into one function", same.name);
        }
    }
    Ok(cases)
}

/// The addresses of all executed instructions, in order.
fn executed_addresses(path: &Path) -> anyhow::Result<Vec<u32>> {
    let mut process = qemu::MPS2
        .command()?
        .args(qemu::SEMIHOSTING)
        .args(LOG)
        .arg(path)
        .stderr(Stdio::piped())
        .spawn()
        .context("QEMU")?;
    let log = process
        .stderr
        .take()
        .context("QEMU has no standard error")?;
    let mut addresses = Vec::new();
    for line in BufReader::new(log).lines() {
        addresses.extend(address(&line?));
        if addresses.len() > MAX_INSTRUCTIONS {
            process.kill()?;
            process.wait()?;
            bail!("more than {MAX_INSTRUCTIONS} instructions: it hangs");
        }
    }
    let status = process.wait()?;
    ensure!(
        status.success(),
        "the program rejects its own records ({status})"
    );
    Ok(addresses)
}

/// The address in a line `Trace 0: 0x7f… [00800400/0000026c/00000110/ff000201]`.
fn address(line: &str) -> Option<u32> {
    let (_, words) = line.strip_prefix("Trace ")?.split_once('[')?;
    u32::from_str_radix(words.split('/').nth(1)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn log_lines_contain_addresses() {
        let line = "Trace 0: 0x7fdf3c00de40 [18800400/0000005c/00000110/ff000201] reset";
        assert_eq!(address(line), Some(0x5c));
        assert_eq!(address("qemu-system-arm: warning: nic has no peer"), None);
    }
}
