//! What exports draw arrows of between calls.

use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::Transfer;

/// What went through queues and other objects. Queues of active objects are left
/// out: their events have arrows from post to step.
pub(crate) fn queue_messages(schedule: &Schedule) -> impl Iterator<Item = &Transfer> + Clone {
    schedule.transfers.iter().filter(|transfer| {
        let resource = schedule.resources.get(transfer.resource.index());
        resource.is_none_or(|resource| resource.owner.is_none())
    })
}
