//! Limits of what a statement can use.

use datafusion::common::Result;
use datafusion::execution::disk_manager::{DiskManagerBuilder, DiskManagerMode};
use datafusion::execution::memory_pool::{FairSpillPool, GreedyMemoryPool};
use datafusion::execution::runtime_env::{RuntimeEnv, RuntimeEnvBuilder};
use std::fs;
use std::sync::Arc;

/// Memory for a query of a [read-only](super::Engine::read_only) engine, beside the recording.
const MAX_READ_ONLY_BYTES: usize = 1 << 30;

/// The memory of a machine that does not say how much it has.
const ASSUMED_BYTES: usize = 8 << 30;

/// Half of the machine's memory for sorts, joins and groups. Those that need more continue in
/// temporary files, as far as the engine can do so; the others fail.
pub(super) fn spilling() -> Result<Arc<RuntimeEnv>> {
    let bytes = kibibytes("/proc/meminfo", "MemTotal:").unwrap_or(ASSUMED_BYTES);
    let pool = FairSpillPool::new(bytes / 2);
    RuntimeEnvBuilder::new()
        .with_memory_pool(Arc::new(pool))
        .build_arc()
}

/// A fixed amount of memory, and no files.
pub(super) fn without_files() -> Result<Arc<RuntimeEnv>> {
    let disk = DiskManagerBuilder::default().with_mode(DiskManagerMode::Disabled);
    let pool = GreedyMemoryPool::new(MAX_READ_ONLY_BYTES);
    RuntimeEnvBuilder::new()
        .with_disk_manager_builder(disk)
        .with_memory_pool(Arc::new(pool))
        .build_arc()
}

/// Limits the address space of this process: functions such as `repeat` allocate what no pool
/// counts. A process that needs more is aborted. It may take twice what it has now, as analyses
/// of the recording follow, and 4 GiB, mostly stacks and arenas without content.
#[cfg(target_os = "linux")]
pub(crate) fn limit_address_space() -> anyhow::Result<()> {
    use anyhow::Context as _;
    use nix::sys::resource::{Resource, getrlimit, setrlimit};
    const MARGIN: u64 = 4 << 30;
    let used = kibibytes("/proc/self/status", "VmSize:").context("the size of this process")?;
    let limit = (used as u64).saturating_mul(2).saturating_add(MARGIN);
    let (soft, hard) = getrlimit(Resource::RLIMIT_AS)?;
    Ok(setrlimit(Resource::RLIMIT_AS, soft.min(limit), hard)?)
}

/// Other systems do not say how much a process uses.
#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_address_space() -> anyhow::Result<()> {
    Ok(())
}

/// A number of KiB in a file of the kernel, in bytes.
fn kibibytes(file: &str, name: &str) -> Option<usize> {
    let text = fs::read_to_string(file).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    let number: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    number.checked_mul(1 << 10)
}
