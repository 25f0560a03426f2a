-- Which findings has each version of the firmware?
--
-- Columns
--   severity: severity of the findings
--   category: category of the findings
--   firmware: version of the firmware
--   devices: number of devices with the finding
--   all_devices: number of devices with this version
--   percent: `devices` as a share of them
--   recordings: number of recordings with the finding
--
-- Parameters
--   category=%: pattern of the categories, such as `unbounded-inversion`
--
-- Tags
--   device: the device
--   firmware: version of the firmware
SELECT
  f.severity,
  f.category,
  f.firmware,
  f.devices,
  d.devices AS all_devices,
  round(100.0 * f.devices / d.devices, 3) AS percent,
  f.recordings
FROM (
  SELECT
    severity,
    category,
    firmware,
    count(DISTINCT device) AS devices,
    count(DISTINCT recording_id) AS recordings
  FROM findings
  WHERE category LIKE $category
  GROUP BY severity, category, firmware
) AS f
JOIN (
  SELECT firmware, count(DISTINCT device) AS devices
  FROM recordings
  GROUP BY firmware
) AS d ON d.firmware = f.firmware
ORDER BY
  CASE f.severity WHEN 'critical' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END,
  f.category,
  f.firmware
