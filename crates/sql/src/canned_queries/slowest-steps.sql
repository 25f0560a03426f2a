-- Which run-to-completion steps took longest?
--
-- Steps whose end was recorded.
--
-- Columns
--   file: the recording
--   object: the active object
--   context_id: its number
--   signal: what it handled
--   before: its state before
--   after: its state after
--   start: when the step began, in ticks
--   duration: how long it took, in ticks
--   duration_ns: the same in nanoseconds
--   ending: how it ended
--   first_event: its first event
--   last_event: its last event
--
-- Parameters
--   n=10: how many
SELECT
  file,
  object,
  context_id,
  signal,
  before,
  after,
  start,
  duration,
  duration_ns,
  ending,
  first_event,
  last_event
FROM steps
WHERE ending NOT IN ('lost', 'untold', 'open')
ORDER BY duration DESC, file, first_event
LIMIT $n
