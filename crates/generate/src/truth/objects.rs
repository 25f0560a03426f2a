//! Objects after the newest event.

use super::Address;
use serde::Serialize;
use std::collections::BTreeMap;

/// A queue, a semaphore or a mutex after the newest event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelObjectTruth {
    /// Address of the control block.
    pub address: Address,
    /// The name before truncation to the registry's size.
    pub name: String,
    /// Messages in a queue, count of a semaphore, or ownership count of a
    /// mutex.
    pub level: u64,
    /// The thread that owns the mutex.
    pub owner: Option<Address>,
}

/// The objects used so far: level and owner, numbered across all cores.
#[derive(Debug, Default)]
pub(super) struct ObjectTracker {
    objects: BTreeMap<u64, (u64, Option<u16>)>,
}

impl ObjectTracker {
    pub(super) fn change(&mut self, address: u64, level: u64, owner: Option<u16>) {
        self.objects.insert(address, (level, owner));
    }

    /// The objects by address; `name` returns the name of an object, `thread`
    /// the address of a thread.
    pub(super) fn finish(
        self,
        name: impl Fn(Address) -> String,
        thread: impl Fn(u16) -> Option<Address>,
    ) -> Vec<KernelObjectTruth> {
        let objects = self.objects.into_iter();
        objects
            .map(|(address, (level, owner))| KernelObjectTruth {
                address: Address(address),
                name: name(Address(address)),
                level,
                owner: owner.and_then(&thread),
            })
            .collect()
    }
}
