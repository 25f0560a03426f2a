-- Which messages lay longest until somebody took them?
--
-- Columns
--   file: the recording
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
--
-- Parameters
--   n=10: how many
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
ORDER BY latency DESC, file, put_event, take_event
LIMIT $n
