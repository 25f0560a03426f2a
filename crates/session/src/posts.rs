//! Posts to active objects, as arrows in a window.

use crate::error::QueryError;
use crate::index::post_index::PostIndex;
use crate::query::Window;
use crate::response;
use crate::session::Session;
use rtoscope_analysis::active::Post;
use rtoscope_trace::Endpoint;

/// Maximum number of posts in a response.
const MAX_POSTS: u32 = 10_000;
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
        let index = self.caches.post_index.get_or_init(|| PostIndex::of(active));
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
            event: self.event_number(post.event.0),
            time: self.recording_ticks(post.time.0),
            sender_context: match post.from {
                Endpoint::Object(context) => Some(self.context_id(context)),
                Endpoint::Other(_) | Endpoint::Unknown => None,
            },
            sender_name: self.endpoint_name(post.from),
            receiver: self.context_id(post.to),
            signal: post.signal.0,
            signal_name: self.signal_name(post.signal),
            front: post.front,
            recalled: post.recalled,
            step_event: step.map(|step| self.event_number(step.first.0)),
            step_time: step.map(|step| self.recording_ticks(step.start.0)),
        }
    }
}
