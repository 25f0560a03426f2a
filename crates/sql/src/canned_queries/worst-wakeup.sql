-- Which threads took longest from being woken to executing?
--
-- Only what was recorded from beginning to end. The events tell where to look.
--
-- Columns
--   file: the recording
--   context_id: the thread's number
--   context: its name
--   woken_by_id: the number of the context that resumed it
--   woken_by: its name
--   object: what it had waited for
--   start: when it was resumed, in ticks
--   latency: from then until it executed, in ticks
--   latency_ns: the same in nanoseconds
--   resume_event: the event that resumed it
--   execute_event: the last event before it executed
--
-- Parameters
--   n=10: how many
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
  execute_event
FROM wake_latencies
WHERE whole
ORDER BY latency DESC, file, resume_event
LIMIT $n
