//! Events on their way to active objects, as arrows in a window.

use crate::answer;
use crate::query::Window;
use crate::session::{AskError, Session};
use rtoscope_analysis::active::{Active, Post};
use rtoscope_trace::Party;

/// Posts that can be asked for at once.
const MOST_POSTS: u32 = 10_000;
/// How many numbers of a floor have one on the floor above.
const SIDE: usize = 16;

/// Where the arrows of posts end, so that those that reach into a window are
/// found without looking at the others.
#[derive(Debug)]
pub(crate) struct Arrows {
    /// The events at which posts end, in the order of these; the latest of each
    /// [`SIDE`] that follow each other, of each [`SIDE`] of these, and so on.
    floors: Vec<Vec<u32>>,
    /// The events at which posts end, rising.
    rising: Vec<u32>,
}

impl Arrows {
    fn new(ends: Vec<u32>) -> Self {
        let mut rising = ends.clone();
        rising.sort_unstable();
        let mut floors = vec![ends];
        while let Some(below) = floors.last().filter(|below| below.len() > 1) {
            let parts = below.chunks(SIDE);
            let latest = parts.map(|part| part.iter().copied().max().unwrap_or_default());
            let floor = latest.collect();
            floors.push(floor);
        }
        Self { floors, rising }
    }

    /// How many end before an event.
    fn ended(&self, event: u32) -> usize {
        self.rising.partition_point(|end| *end < event)
    }

    /// The posts before a place that end at an event or behind it.
    fn reaching(&self, until: usize, event: u32) -> impl Iterator<Item = usize> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < until {
                // As many as begin here and all end before.
                let (mut ended, mut side) = (0, 1);
                for floor in &self.floors {
                    let reaches = floor.get(at / side).is_none_or(|latest| *latest >= event);
                    if at % side > 0 || reaches {
                        break;
                    }
                    ended = side;
                    side *= SIDE;
                }
                at += ended.max(1);
                if ended == 0 {
                    return Some(at - 1);
                }
            }
            None
        })
    }
}

/// The event at which a post is taken; its own if that is not known.
fn end(active: &Active, post: &Post) -> u32 {
    let step = post.step.and_then(|step| active.steps.get(step.0 as usize));
    step.map_or(post.event, |step| step.first.max(post.event)).0
}

impl Session {
    /// The posts whose arrows touch a window; if there are more than `most`,
    /// only their number.
    pub(crate) fn posts(&self, window: &Window, most: u32) -> Result<answer::Posts, AskError> {
        if most > MOST_POSTS {
            return Err(AskError::OutOfRange {
                what: "most",
                value: most.to_string(),
                expected: format!("at most {MOST_POSTS}"),
            });
        }
        let active = &self.analysis.active;
        let arrows = self.caches.arrows.get_or_init(|| {
            let ends = active.posts.iter().map(|post| end(active, post));
            Arrows::new(ends.collect())
        });
        let events = self.events_within(window);
        let until = active
            .posts
            .partition_point(|post| post.event.0 < events.end);
        let total = until.saturating_sub(arrows.ended(events.start));
        let reaching = (total <= most as usize).then(|| arrows.reaching(until, events.start));
        let posts = reaching.into_iter().flatten();
        let posts = posts.filter_map(|at| active.posts.get(at));
        Ok(answer::Posts {
            total: u32::try_from(total).unwrap_or(u32::MAX),
            posts: posts.map(|post| self.post(post)).collect(),
        })
    }

    fn post(&self, post: &Post) -> answer::Post {
        let steps = &self.analysis.active.steps;
        let step = post.step.and_then(|step| steps.get(step.0 as usize));
        answer::Post {
            event: post.event.0,
            time: post.time.0,
            from: match post.from {
                Party::Object(context) => Some(context.0),
                Party::Other(_) | Party::Unknown => None,
            },
            sender: self.party_name(post.from),
            to: post.to.0,
            signal: post.signal.0,
            name: self.signal_name(post.signal),
            front: post.front,
            recalled: post.recalled,
            take: step.map(|step| step.first.0),
            taken: step.map(|step| step.start.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_that_reach_are_found(
            lengths in prop::collection::vec(prop_oneof![9 => 0..3_u32, 1 => 0..9000_u32], 0..6000),
            until in 0..7000_usize,
            event in 0..7000_u32,
        ) {
            let ends: Vec<u32> = (0..).zip(&lengths).map(|(start, length)| start + length).collect();
            let arrows = Arrows::new(ends.clone());
            let until = until.min(ends.len());
            let reaching = |at: &usize| ends[*at] >= event;
            let expected: Vec<_> = (0..until).filter(reaching).collect();
            let found: Vec<_> = arrows.reaching(until, event).collect();
            prop_assert_eq!(found, expected);
            let ended = ends.iter().filter(|end| **end < event).count();
            prop_assert_eq!(arrows.ended(event), ended);
        }
    }
}
