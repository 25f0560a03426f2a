-- Which recordings have an unbounded priority inversion?
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   inversions: number of unbounded inversions
--   mutexes: number of mutexes concerned
--   max_duration: duration of the longest, in ticks
--   max_duration_ns: the same in nanoseconds
SELECT
  file,
  recording_id,
  count(*) AS inversions,
  count(DISTINCT object_address) AS mutexes,
  max(duration) AS max_duration,
  max(duration_ns) AS max_duration_ns
FROM inversions
WHERE unbounded
GROUP BY file, recording_id
ORDER BY inversions DESC, file, recording_id
