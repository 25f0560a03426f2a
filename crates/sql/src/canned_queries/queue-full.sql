-- When were queues full?
--
-- Only of queues whose capacity is recorded.
--
-- Columns
--   file: the recording
--   object: the queue
--   object_address: where it lies: queues can share a name
--   capacity: how many messages it can hold
--   start: since when, in ticks
--   duration: how long, in ticks
--   duration_ns: the same in nanoseconds
--   event: the event that filled it
SELECT file, object, object_address, capacity, start, duration, duration_ns, event
FROM levels
WHERE class = 'queue' AND level >= capacity
ORDER BY duration DESC, file, event
