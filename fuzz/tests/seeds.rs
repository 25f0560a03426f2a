//! All fuzz targets on their seeds.

use cap::Cap;
use rtoscope_fuzz::TARGETS;
use std::alloc::System;
use std::fs;
use std::path::{Path, PathBuf};

/// Inputs of kilobytes do not justify more memory.
const MAX_MEMORY: usize = 2 << 30;

#[global_allocator]
static ALLOCATOR: Cap<System> = Cap::new(System, MAX_MEMORY);

fn entries(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut paths: Vec<_> = entries
        .map(|entry| entry.expect("the entry can be read").path())
        .collect();
    paths.sort();
    paths
}

fn seeds() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("seeds")
}

#[test]
fn targets_pass_their_seeds() {
    for target in TARGETS {
        let seeds = entries(&seeds().join(target.name));
        assert!(!seeds.is_empty(), "{} has no seeds", target.name);
        (target.run)(&[]);
        for seed in seeds {
            eprintln!("{}", seed.display());
            (target.run)(&fs::read(seed).expect("the seed can be read"));
        }
    }
}

#[test]
fn all_seeds_belong_to_targets() {
    let folders = entries(&seeds());
    let folders = folders.iter().filter_map(|folder| folder.file_name());
    assert!(folders.eq(TARGETS.iter().map(|target| target.name)));
}
