-- how long threads waited, and for what
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   context_id: the thread's number
--   context: its name
--   wait: why: the class of an object, `sleep`, `suspended` …
--   object: what it waited for, where that is recorded
--   object_address: where that lies
--   start: since when, in ticks
--   duration: how long, as far as is known, in ticks
--   duration_ns: the same in nanoseconds
--   whole: whether beginning and end were recorded
--   event: the event that began it
SELECT
  file,
  recording_id,
  context_id,
  context,
  wait,
  object,
  object_address,
  start,
  duration,
  duration_ns,
  seen AND coalesce(next_state <> 'unknown' AND next_seen, false) AS whole,
  event
FROM (
  SELECT
    *,
    lead(state) OVER next AS next_state,
    lead(seen) OVER next AS next_seen
  FROM thread_states
  WINDOW next AS (PARTITION BY recording_id, context_id ORDER BY start, "end", event)
)
WHERE state = 'waiting'
