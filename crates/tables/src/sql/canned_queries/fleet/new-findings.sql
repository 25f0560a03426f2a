-- Which categories of findings are new?
--
-- Those that no recording had before the last days with recordings.
--
-- Columns
--   severity: severity of the findings
--   category: category of the findings
--   first_day: the first day with a finding of this category and severity
--   devices: number of devices with one
--   recordings: number of recordings with one
--   first_firmware: the first version of the firmware with one, in the order of their names
--   last_firmware: the last one
--
-- Parameters
--   days=7: number of last days; days without recordings do not count
--
-- Tags
--   device: the device
--   firmware: version of the firmware
--   day: day of the recording, as `YYYY-MM-DD`
WITH
  days AS (
    SELECT day, row_number() OVER (ORDER BY day DESC) AS number
    FROM (SELECT DISTINCT day FROM recordings) AS d
  ),
  kinds AS (
    SELECT
      severity,
      category,
      min(day) AS earliest,
      count(DISTINCT device) AS devices,
      count(DISTINCT recording_id) AS recordings,
      min(firmware) AS first_firmware,
      max(firmware) AS last_firmware
    FROM findings
    GROUP BY severity, category
  )
SELECT
  k.severity,
  k.category,
  CAST(k.earliest AS VARCHAR) AS first_day,
  k.devices,
  k.recordings,
  k.first_firmware,
  k.last_firmware
FROM kinds AS k
JOIN days AS d ON d.day = k.earliest
WHERE d.number <= $days
ORDER BY
  CASE k.severity WHEN 'critical' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END,
  k.earliest,
  k.category
