-- How long do threads hold mutexes?
--
-- Only holds recorded from start to end. A percentile is a duration that occurred.
--
-- Columns
--   file: the recording
--   object: the mutex
--   object_address: address of the mutex; mutexes can share a name
--   owner_id: number of the thread
--   owner: name of the thread
--   holds: number of holds
--   contended: number of holds for which the thread had to wait
--   mean: mean duration, in ticks
--   p90: 90th percentile, in ticks
--   max: maximum, in ticks
--   max_ns: the same in nanoseconds
WITH ranked AS (
  SELECT
    file,
    recording_id,
    object,
    object_address,
    owner_id,
    owner,
    contended,
    duration,
    duration_ns,
    row_number() OVER (PARTITION BY recording_id, object, object_address, owner_id ORDER BY duration) AS rank,
    count(*) OVER (PARTITION BY recording_id, object, object_address, owner_id) AS holds
  FROM mutex_holds
  WHERE start_known AND ending = 'released'
)
SELECT
  file,
  object,
  object_address,
  owner_id,
  owner,
  count(*) AS holds,
  sum(CASE WHEN contended THEN 1 ELSE 0 END) AS contended,
  round(avg(duration), 3) AS mean,
  min(CASE WHEN rank * 100 >= holds * 90 THEN duration END) AS p90,
  max(duration) AS max,
  max(duration_ns) AS max_ns
FROM ranked
GROUP BY file, recording_id, object, object_address, owner_id, owner
ORDER BY max DESC, file, recording_id, object, object_address, owner_id
