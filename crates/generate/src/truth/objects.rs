//! Objects as the newest event leaves them.

use super::Address;
use serde::Serialize;
use std::collections::BTreeMap;

/// A queue, a semaphore or a mutex after the newest event.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KernelObjectTruth {
    /// Address of the control block.
    pub address: Address,
    /// The name before it was cut to the registry's size.
    pub name: String,
    /// Messages in a queue, or the count of a semaphore; how often the owner of
    /// a mutex got it.
    pub level: u64,
    /// The thread that owns the mutex.
    pub owner: Option<Address>,
}

/// The objects that were used so far: level, and who owns it, counted over all
/// cores.
#[derive(Debug, Default)]
pub(super) struct ObjectTracker {
    objects: BTreeMap<u64, (u64, Option<u16>)>,
}

impl ObjectTracker {
    pub(super) fn change(&mut self, address: u64, level: u64, owner: Option<u16>) {
        self.objects.insert(address, (level, owner));
    }

    /// The objects by their addresses; `name` is that of an object, `thread`
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
