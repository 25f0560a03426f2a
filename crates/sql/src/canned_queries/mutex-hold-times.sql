-- How long do threads hold mutexes?
--
-- Only what was recorded from beginning to end. A percentile is a duration that occurred.
--
-- Columns
--   file: the recording
--   object: the mutex
--   object_address: where it lies: mutexes can share a name
--   owner_id: the thread's number
--   owner: its name
--   holds: how often it held it
--   contended: for how many of these it had to wait
--   mean: how long on an average, in ticks
--   p90: what 90 % do not exceed
--   max: the longest, in ticks
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
    row_number() OVER (PARTITION BY recording_id, object, object_address, owner_id ORDER BY duration) AS place,
    count(*) OVER (PARTITION BY recording_id, object, object_address, owner_id) AS holds
  FROM holds
  WHERE started AND ending = 'released'
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
  min(CASE WHEN place * 100 >= holds * 90 THEN duration END) AS p90,
  max(duration) AS max,
  max(duration_ns) AS max_ns
FROM ranked
GROUP BY file, recording_id, object, object_address, owner_id, owner
ORDER BY max DESC, file, object, object_address, owner_id
