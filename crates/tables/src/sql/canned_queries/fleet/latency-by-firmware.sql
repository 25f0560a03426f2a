-- How is the wake-up latency distributed in each version of the firmware?
--
-- A percentile is a latency that occurred: the smallest that this percentage does not exceed.
--
-- Columns
--   context: name of the thread
--   firmware: version of the firmware
--   wake_ups: number of wake-ups that were recorded from start to end, and whose clock is known
--   p50_ns: median, in nanoseconds
--   p90_ns: 90th percentile, in nanoseconds
--   p99_ns: 99th percentile, in nanoseconds
--   p999_ns: 99.9th percentile, in nanoseconds
--   max_ns: maximum, in nanoseconds
--
-- Parameters
--   thread=%: pattern of the threads' names
--
-- Tags
--   firmware: version of the firmware
WITH
  counted AS (
    SELECT l.context, r.firmware, l.latency_ns, count(*) AS wake_ups
    FROM wake_up_latencies AS l
    JOIN recordings AS r ON r.recording_id = l.recording_id
    WHERE l.complete AND l.latency_ns IS NOT NULL AND l.context LIKE $thread
    GROUP BY l.context, r.firmware, l.latency_ns
  ),
  ranked AS (
    SELECT
      context,
      firmware,
      latency_ns,
      sum(wake_ups) OVER (PARTITION BY context, firmware ORDER BY latency_ns) AS up_to,
      sum(wake_ups) OVER (PARTITION BY context, firmware) AS wake_ups
    FROM counted
  )
SELECT
  context,
  firmware,
  max(wake_ups) AS wake_ups,
  min(CASE WHEN up_to * 100 >= wake_ups * 50 THEN latency_ns END) AS p50_ns,
  min(CASE WHEN up_to * 100 >= wake_ups * 90 THEN latency_ns END) AS p90_ns,
  min(CASE WHEN up_to * 100 >= wake_ups * 99 THEN latency_ns END) AS p99_ns,
  min(CASE WHEN up_to * 1000 >= wake_ups * 999 THEN latency_ns END) AS p999_ns,
  max(latency_ns) AS max_ns
FROM ranked
GROUP BY context, firmware
ORDER BY context, firmware
