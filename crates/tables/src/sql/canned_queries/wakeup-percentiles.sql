-- What is the distribution of each thread's wake-up latency?
--
-- A percentile is a latency that occurred: the smallest that this percentage does not exceed.
--
-- Columns
--   file: the recording
--   context_id: number of the thread
--   context: name of the thread
--   wake_ups: number of wake-ups
--   min: minimum latency, in ticks
--   mean: mean latency, in ticks
--   p50: median, in ticks
--   p90: 90th percentile, in ticks
--   p99: 99th percentile, in ticks
--   max: maximum, in ticks
--   max_ns: the same in nanoseconds
WITH ranked AS (
  SELECT
    file,
    recording_id,
    context_id,
    context,
    latency,
    latency_ns,
    row_number() OVER (PARTITION BY recording_id, context_id ORDER BY latency) AS rank,
    count(*) OVER (PARTITION BY recording_id, context_id) AS wake_ups
  FROM wake_up_latencies
  WHERE complete
)
SELECT
  file,
  context_id,
  context,
  count(*) AS wake_ups,
  min(latency) AS min,
  round(avg(latency), 3) AS mean,
  min(CASE WHEN rank * 100 >= wake_ups * 50 THEN latency END) AS p50,
  min(CASE WHEN rank * 100 >= wake_ups * 90 THEN latency END) AS p90,
  min(CASE WHEN rank * 100 >= wake_ups * 99 THEN latency END) AS p99,
  max(latency) AS max,
  max(latency_ns) AS max_ns
FROM ranked
GROUP BY file, recording_id, context_id, context
ORDER BY max DESC, file, recording_id, context_id
