-- How long does each thread take from being woken to executing?
--
-- A percentile is a latency that occurred: the smallest that so many percent do not exceed.
--
-- Columns
--   file: the recording
--   context_id: the thread's number
--   context: its name
--   wakes: how often it was woken
--   min: the shortest latency, in ticks
--   mean: their mean
--   p50: the median
--   p90: what 90 % do not exceed
--   p99: what 99 % do not exceed
--   max: the longest
--   max_ns: the same in nanoseconds
WITH ranked AS (
  SELECT
    file,
    recording_id,
    context_id,
    context,
    latency,
    latency_ns,
    row_number() OVER (PARTITION BY recording_id, context_id ORDER BY latency) AS place,
    count(*) OVER (PARTITION BY recording_id, context_id) AS wakes
  FROM wake_latencies
  WHERE whole
)
SELECT
  file,
  context_id,
  context,
  count(*) AS wakes,
  min(latency) AS min,
  round(avg(latency), 3) AS mean,
  min(CASE WHEN place * 100 >= wakes * 50 THEN latency END) AS p50,
  min(CASE WHEN place * 100 >= wakes * 90 THEN latency END) AS p90,
  min(CASE WHEN place * 100 >= wakes * 99 THEN latency END) AS p99,
  max(latency) AS max,
  max(latency_ns) AS max_ns
FROM ranked
GROUP BY file, recording_id, context_id, context
ORDER BY max DESC, file, context_id
