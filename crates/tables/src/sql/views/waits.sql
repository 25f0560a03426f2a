-- Intervals in which threads were waiting
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   context_id: number of the thread
--   context: name of the thread
--   wait_reason: the class of an object, `sleep`, `suspended` …
--   object: the object that the thread was blocked on, if recorded
--   object_address: address of that object
--   start: start of the wait, in ticks
--   duration: duration as far as it is known, in ticks
--   duration_ns: the same in nanoseconds
--   complete: whether start and end were recorded
--   event: event that started the wait
--   ended_by: context that ended the wait: the partner of a rendezvous, the sender of a message, an interrupt
SELECT
  file,
  recording_id,
  context_id,
  context,
  wait_reason,
  object,
  object_address,
  start,
  duration,
  duration_ns,
  start_known AND coalesce(next_state <> 'unknown' AND next_start_known, false) AS complete,
  event,
  CASE WHEN next_start_known THEN next_by END AS ended_by
FROM (
  SELECT
    *,
    lead(state) OVER next AS next_state,
    lead(start_known) OVER next AS next_start_known,
    lead(by_context) OVER next AS next_by
  FROM thread_states
  WINDOW next AS (PARTITION BY recording_id, context_id ORDER BY start, "end", event)
)
WHERE state = 'waiting'
