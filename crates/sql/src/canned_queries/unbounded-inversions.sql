-- Which priority inversions did threads prolong that had nothing to do with them?
--
-- Columns
--   file: the recording
--   object: the mutex
--   object_address: where it lies: mutexes can share a name
--   blocked_id: the number of the thread that waited for it
--   blocked: its name
--   blocked_priority: its priority; 0 is the highest
--   owner_id: the number of the thread that owned it
--   owner: its name
--   owner_priority: that thread's priority
--   culprits: the threads that prolonged it
--   start: since when, in ticks
--   duration: how long, as far as is known, in ticks
--   duration_ns: the same in nanoseconds
--   ending: how it ended
--   first_event: where it began
--   last_event: where it ended
SELECT
  file,
  object,
  object_address,
  blocked_id,
  blocked,
  blocked_priority,
  owner_id,
  owner,
  owner_priority,
  culprits,
  start,
  duration,
  duration_ns,
  ending,
  first_event,
  last_event
FROM inversions
WHERE unbounded
ORDER BY duration DESC, file, start
