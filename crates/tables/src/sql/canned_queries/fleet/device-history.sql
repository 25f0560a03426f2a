-- What happened on a device?
--
-- Columns
--   device: the device
--   recorded_at: time of the recording
--   firmware: version of the firmware
--   file: the recording
--   recording_id: identifies the recording
--   span_ns: recorded time, in nanoseconds; null if the clock frequency is unknown
--   events: number of events
--   missing: number of events missing in gaps; null if unknown
--   critical: number of critical findings
--   warnings: number of warnings
--   first_finding: a category of its most severe findings; null if it has none
--
-- Parameters
--   device=%: pattern of the device's name
--
-- Tags
--   device: the device
--   firmware: version of the firmware
--   recorded_at: date or time of the recording
SELECT
  r.device,
  r.recorded_at,
  r.firmware,
  r.file,
  r.recording_id,
  r.span_ns,
  r.events,
  r.missing,
  coalesce(f.critical, 0) AS critical,
  coalesce(f.warnings, 0) AS warnings,
  coalesce(f.first_critical, f.first_warning) AS first_finding
FROM recordings AS r
LEFT JOIN (
  SELECT
    recording_id,
    count(CASE WHEN severity = 'critical' THEN 1 END) AS critical,
    count(CASE WHEN severity = 'warning' THEN 1 END) AS warnings,
    min(CASE WHEN severity = 'critical' THEN category END) AS first_critical,
    min(CASE WHEN severity = 'warning' THEN category END) AS first_warning
  FROM findings
  WHERE device LIKE $device
  GROUP BY recording_id
) AS f ON f.recording_id = r.recording_id
WHERE r.device LIKE $device
ORDER BY r.device, r.recorded_at, r.file, r.recording_id
