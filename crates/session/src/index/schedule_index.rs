//! Lookup of schedule and active object data by event.

use rtoscope_analysis::Schedule;
use rtoscope_analysis::active::{ActiveObjects, Deferral, PostId, RtcStep, TimerRun};
use rtoscope_analysis::packed_vec::{Pack, PackedVec};
use rtoscope_analysis::schedule::{
    Dispatch, InterruptsOffSection, Inversion, IsrActivation, MutexHold, Transfer,
};
use rtoscope_trace::EventIndex;
use std::borrow::Borrow;
use std::sync::OnceLock;

/// Sort orders of the schedule's and the active objects' lists by event, built on first
/// use.
#[derive(Debug, Default)]
pub(crate) struct ScheduleIndex {
    dispatches: LazyOrder,
    puts: LazyOrder,
    takes: LazyOrder,
    isr_entries: LazyOrder,
    isr_exits: LazyOrder,
    interrupts_off_starts: LazyOrder,
    interrupts_off_ends: LazyOrder,
    mutex_acquires: LazyOrder,
    mutex_releases: LazyOrder,
    inversion_requests: LazyOrder,
    inversion_starts: LazyOrder,
    inversion_ends: LazyOrder,
    step_ends: LazyOrder,
    recalls: LazyOrder,
    timer_posts: LazyOrder,
    timer_ends: LazyOrder,
}

/// Indices of a list's items, sorted by event; `None` if the list itself is sorted.
type LazyOrder = OnceLock<Option<Vec<u32>>>;

/// A list whose items are returned by reference or by value.
pub(crate) trait List: Copy {
    type Row;
    type Item: Borrow<Self::Row>;

    fn len(self) -> usize;
    fn item(self, at: usize) -> Option<Self::Item>;
}

impl<'s, T> List for &'s Vec<T> {
    type Row = T;
    type Item = &'s T;

    fn len(self) -> usize {
        self.as_slice().len()
    }

    fn item(self, at: usize) -> Option<&'s T> {
        self.get(at)
    }
}

impl<T: Pack> List for &PackedVec<T> {
    type Row = T;
    type Item = T;

    fn len(self) -> usize {
        PackedVec::len(self)
    }

    fn item(self, at: usize) -> Option<T> {
        self.get(at)
    }
}

/// A list and its sort order by one of its events, or by another key.
pub(crate) struct EventLookup<'s, L: List, K = EventIndex> {
    list: L,
    order: Option<&'s [u32]>,
    /// The sort key; items without the event sort last.
    event: fn(&L::Row) -> K,
}

impl<'s, L: List, K: Ord + Copy> EventLookup<'s, L, K> {
    fn new(list: L, order: &'s LazyOrder, event: fn(&L::Row) -> K) -> Self {
        let order = order.get_or_init(|| {
            let key = |at: &u32| Some(event(list.item(*at as usize)?.borrow()));
            let all = (0..).take(list.len());
            let is_sorted = all.clone().is_sorted_by_key(|at| key(&at));
            (!is_sorted).then(|| {
                let mut order: Vec<_> = all.collect();
                order.sort_by_cached_key(key);
                order
            })
        });
        Self {
            list,
            order: order.as_deref(),
            event,
        }
    }

    /// The items with a key.
    pub(crate) fn find(&self, event: K) -> impl Iterator<Item = L::Item> + use<'s, L, K> {
        let (list, order, key) = (self.list, self.order, self.event);
        let item = move |at: usize| match order {
            None => list.item(at),
            Some(order) => list.item(*order.get(at)? as usize),
        };
        let (mut first, mut end) = (0, list.len());
        while first < end {
            let middle = first.midpoint(end);
            match item(middle).is_some_and(|one| key(one.borrow()) < event) {
                true => first = middle + 1,
                false => end = middle,
            }
        }
        (first..list.len())
            .map_while(item)
            .take_while(move |one| key(one.borrow()) == event)
    }
}

/// Sort key of items without the event.
const NO_EVENT: EventIndex = EventIndex(u32::MAX);
/// Sort key of items without the post.
const NO_POST: PostId = PostId(u32::MAX);

impl ScheduleIndex {
    /// Dispatches by the event that caused them.
    pub(crate) fn dispatches<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<Dispatch>> {
        EventLookup::new(&schedule.dispatches, &self.dispatches, |one| one.event)
    }

    /// Transfers by the call that added the item.
    pub(crate) fn puts<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<Transfer>> {
        EventLookup::new(&schedule.transfers, &self.puts, |one| one.put)
    }

    /// Transfers by the call that took the item.
    pub(crate) fn takes<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<Transfer>> {
        EventLookup::new(&schedule.transfers, &self.takes, |one| one.take)
    }

    /// Activations of interrupt service routines by their first event.
    pub(crate) fn isr_entries<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<IsrActivation>> {
        EventLookup::new(&schedule.activations, &self.isr_entries, |one| one.first)
    }

    /// Activations of interrupt service routines by their last event.
    pub(crate) fn isr_exits<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<IsrActivation>> {
        EventLookup::new(&schedule.activations, &self.isr_exits, |one| one.last)
    }

    /// Interrupts-off sections by their first event.
    pub(crate) fn interrupts_off_starts<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<InterruptsOffSection>> {
        EventLookup::new(
            &schedule.interrupts_off,
            &self.interrupts_off_starts,
            |one| one.first,
        )
    }

    /// Interrupts-off sections by their last event.
    pub(crate) fn interrupts_off_ends<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<InterruptsOffSection>> {
        EventLookup::new(&schedule.interrupts_off, &self.interrupts_off_ends, |one| {
            one.last
        })
    }

    /// Mutex holds by the acquiring event.
    pub(crate) fn mutex_acquires<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<MutexHold>> {
        EventLookup::new(&schedule.mutex_holds, &self.mutex_acquires, |one| one.first)
    }

    /// Mutex holds by the releasing event.
    pub(crate) fn mutex_releases<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s PackedVec<MutexHold>> {
        EventLookup::new(&schedule.mutex_holds, &self.mutex_releases, |one| one.last)
    }

    /// Inversions by the call for the mutex.
    pub(crate) fn inversion_requests<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s Vec<Inversion>> {
        EventLookup::new(&schedule.inversions, &self.inversion_requests, |one| {
            one.get.unwrap_or(NO_EVENT)
        })
    }

    /// Inversions by the suspension.
    pub(crate) fn inversion_starts<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s Vec<Inversion>> {
        EventLookup::new(&schedule.inversions, &self.inversion_starts, |one| {
            one.first.unwrap_or(NO_EVENT)
        })
    }

    /// Inversions by the resumption.
    pub(crate) fn inversion_ends<'s>(
        &'s self,
        schedule: &'s Schedule,
    ) -> EventLookup<'s, &'s Vec<Inversion>> {
        EventLookup::new(&schedule.inversions, &self.inversion_ends, |one| {
            one.last.unwrap_or(NO_EVENT)
        })
    }

    /// Steps by their last event.
    pub(crate) fn step_ends<'s>(
        &'s self,
        active: &'s ActiveObjects,
    ) -> EventLookup<'s, &'s Vec<RtcStep>> {
        EventLookup::new(&active.steps, &self.step_ends, |one| one.last)
    }

    /// Deferred events by the post that recalled them.
    pub(crate) fn recalls<'s>(
        &'s self,
        active: &'s ActiveObjects,
    ) -> EventLookup<'s, &'s Vec<Deferral>, PostId> {
        EventLookup::new(&active.deferrals, &self.recalls, |one| {
            one.recalled.unwrap_or(NO_POST)
        })
    }

    /// Timer runs by the post of their event.
    pub(crate) fn timer_posts<'s>(
        &'s self,
        active: &'s ActiveObjects,
    ) -> EventLookup<'s, &'s Vec<TimerRun>, PostId> {
        EventLookup::new(&active.timer_runs, &self.timer_posts, |one| {
            one.post.unwrap_or(NO_POST)
        })
    }

    /// Timer runs by the event that ended them.
    pub(crate) fn timer_ends<'s>(
        &'s self,
        active: &'s ActiveObjects,
    ) -> EventLookup<'s, &'s Vec<TimerRun>> {
        EventLookup::new(&active.timer_runs, &self.timer_ends, |one| {
            one.last.unwrap_or(NO_EVENT)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_found_by_event_in_any_order() {
        for events in [vec![], vec![3, 3, 5], vec![5, 3, 9, 3, 0]] {
            let list: Vec<_> = events.into_iter().map(EventIndex).collect();
            let order = LazyOrder::new();
            let by_event = EventLookup::new(&list, &order, |event| *event);
            for event in (0..10).map(EventIndex) {
                let expected = list.iter().filter(|one| **one == event).count();
                assert_eq!(by_event.find(event).count(), expected);
                assert!(by_event.find(event).all(|found| *found == event));
            }
        }
    }
}
