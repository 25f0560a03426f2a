-- Which devices have an unbounded priority inversion?
--
-- Columns
--   device: the device
--   recordings: number of its recordings with an unbounded inversion
--   inversions: number of unbounded inversions
--   max_duration_ns: duration of the longest, in nanoseconds
--   file: the recording with the longest
--   recording_id: identifies that recording
--
-- Tags
--   device: the device
WITH
  ranked AS (
    SELECT
      device,
      file,
      recording_id,
      duration_ns,
      row_number() OVER (
        PARTITION BY device
        ORDER BY duration_ns DESC NULLS LAST, recording_id, start, first_event
      ) AS rank
    FROM inversions
    WHERE unbounded
  )
SELECT
  device,
  count(DISTINCT recording_id) AS recordings,
  count(*) AS inversions,
  max(duration_ns) AS max_duration_ns,
  max(CASE WHEN rank = 1 THEN file END) AS file,
  max(CASE WHEN rank = 1 THEN recording_id END) AS recording_id
FROM ranked
GROUP BY device
ORDER BY recordings DESC, inversions DESC, device
