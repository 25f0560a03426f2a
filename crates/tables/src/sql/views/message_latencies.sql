-- Time from putting a message into an object to taking it
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   object: the queue or other object
--   sender_id: number of the context that put the message
--   sender: name of that context
--   receiver_id: number of the context that took the message
--   receiver: name of that context
--   start: time of the put, in ticks
--   latency: from the put to the take, in ticks
--   latency_ns: the same in nanoseconds
--   put_event: event of the put
--   take_event: event of the take
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
