-- Which recordings have a priority inversion that others prolonged?
--
-- For many recordings, say one of each device of a fleet.
--
-- Columns
--   file: the recording
--   inversions: how many such inversions it has
--   mutexes: on how many mutexes
--   longest: the longest, in ticks
--   longest_ns: the same in nanoseconds
SELECT
  file,
  count(*) AS inversions,
  count(DISTINCT object_address) AS mutexes,
  max(duration) AS longest,
  max(duration_ns) AS longest_ns
FROM inversions
WHERE unbounded
GROUP BY file, recording_id
ORDER BY inversions DESC, file
