-- When did threads wait longest for a core?
--
-- Columns
--   file: the recording
--   context_id: number of the thread
--   context: name of the thread
--   start: time at which the thread became ready, in ticks
--   duration: time it was ready, in ticks
--   duration_ns: the same in nanoseconds
--   start_known: whether the start was recorded
--   event: event that made the thread ready
--
-- Parameters
--   n=10: number of rows
SELECT file, context_id, context, start, duration, duration_ns, start_known, event
FROM thread_states
WHERE state = 'ready'
ORDER BY duration DESC, file, recording_id, start, event, context_id
LIMIT $n
