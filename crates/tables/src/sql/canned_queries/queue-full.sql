-- When were queues full?
--
-- Only queues whose capacity is recorded.
--
-- Columns
--   file: the recording
--   object: the queue
--   object_address: address of the queue; queues can share a name
--   capacity: capacity in messages
--   start: time at which the queue became full, in ticks
--   duration: time it stayed full, in ticks
--   duration_ns: the same in nanoseconds
--   event: event that filled the queue
SELECT file, object, object_address, capacity, start, duration, duration_ns, event
FROM levels
WHERE class = 'queue' AND level >= capacity
ORDER BY duration DESC, file, recording_id, event, object_address
