-- how long threads that were woken waited for a core
--
-- Columns
--   file: the recording
--   context: the thread
--   woken_by: who resumed it
--   object: what it had waited for
--   start: when it was resumed, in ticks
--   latency: from then until it executed, in ticks
--   latency_ns: the same in nanoseconds
--   whole: whether both moments were recorded
--   resume_event: the event that resumed it
--   execute_event: the last event before it executed
SELECT
  file,
  to_context AS context,
  from_context AS woken_by,
  object,
  from_time AS start,
  latency,
  latency_ns,
  whole,
  from_event AS resume_event,
  to_event AS execute_event
FROM flows
WHERE kind = 'wake'
