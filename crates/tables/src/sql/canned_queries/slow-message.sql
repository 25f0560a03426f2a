-- Which messages waited longest to be taken?
--
-- Columns
--   file: the recording
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
--
-- Parameters
--   n=10: number of rows
SELECT
  file,
  object,
  sender_id,
  sender,
  receiver_id,
  receiver,
  start,
  latency,
  latency_ns,
  put_event,
  take_event
FROM message_latencies
ORDER BY latency DESC, file, recording_id, put_event, take_event
LIMIT $n
