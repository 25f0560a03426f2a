//! Posts to active objects, as arrows in a window.

use crate::query::Window;
use crate::response;
use crate::session::{QueryError, Session};
use rtoscope_analysis::active::{ActiveObjects, Post};
use rtoscope_trace::Endpoint;

/// Maximum number of posts in a response.
const MAX_POSTS: u32 = 10_000;
/// Number of entries per entry of the tier above.
const FAN_OUT: usize = 16;

/// The end events of posts, indexed to find the posts that overlap a window without
/// visiting all of them.
#[derive(Debug)]
pub(crate) struct PostIndex {
    /// The event at which each post ends, in the order of posts; in the next tier the
    /// latest of each [`FAN_OUT`] entries, and so on.
    tiers: Vec<Vec<u32>>,
    /// The end events in ascending order.
    sorted_ends: Vec<u32>,
}

impl PostIndex {
    fn new(ends: Vec<u32>) -> Self {
        let mut rising = ends.clone();
        rising.sort_unstable();
        let mut tiers = vec![ends];
        while let Some(below) = tiers.last().filter(|below| below.len() > 1) {
            let parts = below.chunks(FAN_OUT);
            let latest = parts.map(|part| part.iter().copied().max().unwrap_or_default());
            let tier = latest.collect();
            tiers.push(tier);
        }
        Self {
            tiers,
            sorted_ends: rising,
        }
    }

    /// The number of posts that end before an event.
    fn count_ended_before(&self, event: u32) -> usize {
        self.sorted_ends.partition_point(|end| *end < event)
    }

    /// The posts before index `until` that end at or after an event.
    fn reaching_event(&self, until: usize, event: u32) -> impl Iterator<Item = usize> {
        let mut at = 0;
        std::iter::from_fn(move || {
            while at < until {
                // Skip the largest aligned block that starts here and ends before the
                // event.
                let (mut ended, mut side) = (0, 1);
                for tier in &self.tiers {
                    let reaches = tier.get(at / side).is_none_or(|latest| *latest >= event);
                    if at % side > 0 || reaches {
                        break;
                    }
                    ended = side;
                    side *= FAN_OUT;
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

/// The event at which a post is handled; the post's own if unknown.
fn end_event(active: &ActiveObjects, post: &Post) -> u32 {
    let step = post.step.and_then(|step| active.steps.get(step.0 as usize));
    step.map_or(post.event, |step| step.first.max(post.event)).0
}

impl Session {
    /// The posts whose arrows overlap a window; only their number if there are more
    /// than `limit`.
    pub(crate) fn posts(&self, window: &Window, limit: u32) -> Result<response::Posts, QueryError> {
        if limit > MAX_POSTS {
            return Err(QueryError::OutOfRange {
                parameter: "limit",
                value: limit.to_string(),
                expected: format!("at most {MAX_POSTS}"),
            });
        }
        let active = &self.recording.active;
        let index = self.caches.post_index.get_or_init(|| {
            let ends = active.posts.iter().map(|post| end_event(active, post));
            PostIndex::new(ends.collect())
        });
        let events = self.events_within(window);
        let until = active
            .posts
            .partition_point(|post| post.event.0 < events.end);
        let total = until.saturating_sub(index.count_ended_before(events.start));
        let reaching = (total <= limit as usize).then(|| index.reaching_event(until, events.start));
        let posts = reaching.into_iter().flatten();
        let posts = posts.filter_map(|at| active.posts.get(at));
        Ok(response::Posts {
            total: u32::try_from(total).unwrap_or(u32::MAX),
            posts: posts.map(|post| self.post(post)).collect(),
        })
    }

    fn post(&self, post: &Post) -> response::Post {
        let steps = &self.recording.active.steps;
        let step = post.step.and_then(|step| steps.get(step.0 as usize));
        response::Post {
            event: post.event.0,
            time: post.time.0,
            sender_context: match post.from {
                Endpoint::Object(context) => Some(context.0),
                Endpoint::Other(_) | Endpoint::Unknown => None,
            },
            sender_name: self.endpoint_name(post.from),
            receiver: post.to.0,
            signal: post.signal.0,
            signal_name: self.signal_name(post.signal),
            front: post.front,
            recalled: post.recalled,
            step_event: step.map(|step| step.first.0),
            step_time: step.map(|step| step.start.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn reaching_posts_match_a_linear_search(
            lengths in prop::collection::vec(prop_oneof![9 => 0..3_u32, 1 => 0..9000_u32], 0..6000),
            until in 0..7000_usize,
            event in 0..7000_u32,
        ) {
            let ends: Vec<u32> = (0..).zip(&lengths).map(|(start, length)| start + length).collect();
            let index = PostIndex::new(ends.clone());
            let until = until.min(ends.len());
            let reaching = |at: &usize| ends[*at] >= event;
            let expected: Vec<_> = (0..until).filter(reaching).collect();
            let found: Vec<_> = index.reaching_event(until, event).collect();
            prop_assert_eq!(found, expected);
            let ended = ends.iter().filter(|end| **end < event).count();
            prop_assert_eq!(index.count_ended_before(event), ended);
        }
    }
}
