-- What is the high-water mark of each queue?
--
-- Columns
--   file: the recording
--   object: the queue
--   object_address: address of the queue; queues can share a name
--   high_water: high-water mark in messages
--   capacity: capacity in messages, if recorded
--   percent: high-water mark as a share of the capacity
--   first_at: time at which the mark was first reached, in ticks
--   event: event that recorded it
--   mean: time-weighted mean level over the time in which the level is known
WITH ranked AS (
  SELECT
    file,
    recording_id,
    object,
    object_address,
    level,
    capacity,
    start,
    duration,
    event,
    row_number() OVER (PARTITION BY recording_id, object, object_address ORDER BY level DESC, event) AS rank
  FROM levels
  WHERE class = 'queue' AND level IS NOT NULL
)
SELECT
  file,
  object,
  object_address,
  max(level) AS high_water,
  max(capacity) AS capacity,
  round(100.0 * max(level) / nullif(max(capacity), 0), 1) AS percent,
  max(CASE WHEN rank = 1 THEN start END) AS first_at,
  max(CASE WHEN rank = 1 THEN event END) AS event,
  round(sum(CAST(level AS DOUBLE) * duration) / nullif(sum(duration), 0), 3) AS mean
FROM ranked
GROUP BY file, recording_id, object, object_address
ORDER BY percent DESC NULLS LAST, high_water DESC, file, recording_id, object, object_address
