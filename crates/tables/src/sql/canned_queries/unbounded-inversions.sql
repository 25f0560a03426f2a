-- Which priority inversions were unbounded?
--
-- A priority inversion is unbounded if a thread that does not take part in it prolonged it.
--
-- Columns
--   file: the recording
--   object: the mutex
--   object_address: address of the mutex; mutexes can share a name
--   blocked_id: number of the thread that waited for the mutex
--   blocked: name of that thread
--   blocked_priority: priority of that thread; 0 is the highest
--   owner_id: number of the thread that owned the mutex
--   owner: name of the owner
--   owner_priority: priority of the owner
--   culprits: threads that prolonged the inversion
--   start: start of the wait, in ticks
--   duration: duration as far as it is known, in ticks
--   duration_ns: the same in nanoseconds
--   ending: how the inversion ended
--   first_event: event that started it
--   last_event: event that ended it
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
ORDER BY duration DESC, file, recording_id, start, first_event, blocked_id
