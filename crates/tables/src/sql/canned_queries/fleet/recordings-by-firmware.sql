-- How much was recorded of each version of the firmware?
--
-- Columns
--   firmware: version of the firmware
--   devices: number of devices
--   recordings: number of recordings
--   events: number of events
--   missing: number of events missing in gaps, as far as it is known
--   recorded_ns: recorded time, in nanoseconds; without recordings of unknown clock frequency
--   timed: number of recordings whose clock frequency is known
--   critical: number of recordings with a critical finding
--
-- Tags
--   device: the device
--   firmware: version of the firmware
SELECT
  r.firmware,
  count(DISTINCT r.device) AS devices,
  count(*) AS recordings,
  sum(r.events) AS events,
  coalesce(sum(r.missing), 0) AS missing,
  sum(r.span_ns) AS recorded_ns,
  count(r.span_ns) AS timed,
  count(f.recording_id) AS critical
FROM recordings AS r
LEFT JOIN (
  SELECT DISTINCT recording_id FROM findings WHERE severity = 'critical'
) AS f ON f.recording_id = r.recording_id
GROUP BY r.firmware
ORDER BY r.firmware
