-- how long messages lay in objects until somebody took them
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   object: the queue or other object
--   sender_id: the number of the context that put it
--   sender: its name
--   receiver_id: the number of the context that took it
--   receiver: its name
--   start: when it was put, in ticks
--   latency: from then until it was taken, in ticks
--   latency_ns: the same in nanoseconds
--   put_event: the event that put it
--   take_event: the event that took it
SELECT
  file,
  recording_id,
  object,
  from_context_id AS sender_id,
  from_context AS sender,
  to_context_id AS receiver_id,
  to_context AS receiver,
  from_time AS start,
  latency,
  latency_ns,
  from_event AS put_event,
  to_event AS take_event
FROM flows
WHERE kind = 'message'
