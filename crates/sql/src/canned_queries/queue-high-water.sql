-- How full did queues become?
--
-- Columns
--   file: the recording
--   object: the queue
--   object_address: where it lies: queues can share a name
--   high_water: the most messages that it held
--   capacity: how many it can hold, where that is recorded
--   percent: the one of the other
--   first_at: when it first held so many, in ticks
--   event: the event that told
--   mean: how many it held on an average over the time that is known
SELECT
  file,
  object,
  object_address,
  max(level) AS high_water,
  max(capacity) AS capacity,
  round(100.0 * max(level) / nullif(max(capacity), 0), 1) AS percent,
  first_value(start ORDER BY level DESC, event) AS first_at,
  first_value(event ORDER BY level DESC, event) AS event,
  round(sum(CAST(level AS DOUBLE) * duration) / nullif(sum(duration), 0), 3) AS mean
FROM levels
WHERE class = 'queue' AND level IS NOT NULL
GROUP BY file, recording_id, object, object_address
ORDER BY percent DESC NULLS LAST, high_water DESC, file, object, object_address
