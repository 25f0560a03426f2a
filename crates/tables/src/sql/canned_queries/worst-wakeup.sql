-- Which wake-ups had the longest latency?
--
-- Only wake-ups recorded from start to end.
--
-- Columns
--   file: the recording
--   context_id: number of the thread
--   context: name of the thread
--   woken_by_id: number of the context that resumed it
--   woken_by: name of that context
--   object: the object that the thread had been blocked on
--   start: time at which the thread was resumed, in ticks
--   latency: from then until the thread ran, in ticks
--   latency_ns: the same in nanoseconds
--   resume_event: event that resumed the thread
--   run_event: last event before the thread ran
--
-- Parameters
--   n=10: number of rows
SELECT
  file,
  context_id,
  context,
  woken_by_id,
  woken_by,
  object,
  start,
  latency,
  latency_ns,
  resume_event,
  run_event
FROM wake_up_latencies
WHERE complete
ORDER BY latency DESC, file, recording_id, resume_event, context_id
LIMIT $n
