-- When did a thread want a core and get none for longest?
--
-- Columns
--   file: the recording
--   context_id: the thread's number
--   context: its name
--   start: since when it was ready, in ticks
--   duration: how long, in ticks
--   duration_ns: the same in nanoseconds
--   seen: whether the beginning was recorded
--   event: the event that made it ready
--
-- Parameters
--   n=10: how many
SELECT file, context_id, context, start, duration, duration_ns, seen, event
FROM thread_states
WHERE state = 'ready'
ORDER BY duration DESC, file, start, event, context_id
LIMIT $n
