//! Messages that exports draw as arrows between calls.

use rtoscope_analysis::Schedule;
use rtoscope_analysis::schedule::Transfer;

/// The transfers through queues and other objects, without the queues of active
/// objects: their events have arrows from post to step.
pub(crate) fn queue_messages(schedule: &Schedule) -> impl Iterator<Item = &Transfer> + Clone {
    schedule.transfers.iter().filter(|transfer| {
        let resource = schedule.resources.get(transfer.resource.index());
        resource.is_none_or(|resource| resource.owner.is_none())
    })
}
