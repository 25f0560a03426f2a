-- Which threads took longest from being woken to executing?
--
-- Only what was recorded from beginning to end. The events tell where to look.
--
-- Columns
--   file: the recording
--   context: the thread
--   woken_by: who resumed it
--   object: what it had waited for
--   start: when it was resumed, in ticks
--   latency: from then until it executed, in ticks
--   latency_ns: the same in nanoseconds
--   resume_event: the event that resumed it
--   execute_event: the last event before it executed
--
-- Parameters
--   n=10: how many
SELECT file, context, woken_by, object, start, latency, latency_ns, resume_event, execute_event
FROM wake_latencies
WHERE whole
ORDER BY latency DESC, file, resume_event
LIMIT $n
