-- Which run-to-completion steps took longest?
--
-- Only steps whose end was recorded.
--
-- Columns
--   file: the recording
--   object: the active object
--   context_id: number of the active object
--   signal: the signal it handled
--   state_before: state before the step
--   state_after: state after the step
--   start: start of the step, in ticks
--   duration: duration of the step, in ticks
--   duration_ns: the same in nanoseconds
--   ending: how the step ended
--   first_event: first event of the step
--   last_event: last event of the step
--
-- Parameters
--   n=10: number of rows
SELECT
  file,
  object,
  context_id,
  signal,
  state_before,
  state_after,
  start,
  duration,
  duration_ns,
  ending,
  first_event,
  last_event
FROM steps
WHERE ending NOT IN ('lost', 'unrecorded', 'open')
ORDER BY duration DESC, file, recording_id, first_event
LIMIT $n
