-- Time from resuming a thread until it runs
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   context_id: number of the thread
--   context: name of the thread
--   woken_by_id: number of the context that resumed it
--   woken_by: name of that context
--   object: the object that the thread had been blocked on
--   start: time at which the thread was resumed, in ticks
--   latency: from then until the thread ran, in ticks
--   latency_ns: the same in nanoseconds
--   complete: whether both times were recorded
--   resume_event: event that resumed the thread
--   run_event: last event before the thread ran
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
  complete,
  from_event AS resume_event,
  to_event AS run_event
FROM flows
WHERE kind = 'wake'
