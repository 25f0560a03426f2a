-- how long threads that were woken waited for a core
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   context_id: the thread's number
--   context: its name
--   woken_by_id: the number of the context that resumed it
--   woken_by: its name
--   object: what it had waited for
--   start: when it was resumed, in ticks
--   latency: from then until it executed, in ticks
--   latency_ns: the same in nanoseconds
--   whole: whether both moments were recorded
--   resume_event: the event that resumed it
--   execute_event: the last event before it executed
SELECT
  file,
  recording_id,
  to_context_id AS context_id,
  to_context AS context,
  from_context_id AS woken_by_id,
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
