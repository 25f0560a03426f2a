-- Which version of the firmware is slower than the others?
--
-- Compares the metrics of `recording_metrics`. Each device counts once for each version that it ran:
-- its recordings are added up. The devices of a version are compared with those of the other
-- versions by the rank-sum test of Mann and Whitney, which makes no assumption about the
-- distribution and is not misled by single devices.
--
-- `z` is the number of standard deviations from the sum that is expected if the versions do not
-- differ, with the correction for equal values. Above 5, one of 3 million comparisons of equal
-- versions would be listed; a fleet with 100 threads and 100 versions has 30 000 comparisons. With
-- fewer than 18 devices on each side, or fewer than 9 on one, `z` cannot reach 5, even if they differ
-- entirely.
--
-- Columns
--   firmware: version of the firmware
--   metric: name of the metric
--   kind: `thread`, `isr`, `kernel`, `initialize`, `unknown`
--   subject: name of the thread, routine or active object
--   unit: unit of the medians: `ns`, or `1` for a share
--   devices: number of devices with this version
--   other_devices: number of devices with other versions
--   median: median of the devices with this version; a value that occurred
--   other_median: median of the devices with other versions
--   change_percent: by how much the first median exceeds the second, in percent of the second;
--     null if that is 0
--   greater_percent: probability that a device with this version has a greater value than one with
--     another version; 50 if the versions do not differ
--   z: number of standard deviations
--
-- Parameters
--   z=5: minimum of `z`
--   percent=5: minimum of `change_percent`
--   firmware=%: pattern of the versions to examine
--   baseline=%: pattern of the other versions
--
-- Tags
--   device: the device
--   firmware: version of the firmware
WITH
  device_values AS (
    SELECT metric, kind, subject, unit, firmware, value, count(*) AS devices
    FROM (
      SELECT
        r.device,
        r.firmware,
        m.metric,
        m.kind,
        m.subject,
        m.unit,
        CAST(sum(m.total) AS DOUBLE) / sum(m.divisor) AS value
      FROM recording_metrics AS m
      JOIN recordings AS r ON r.recording_id = m.recording_id
      WHERE m.kind <> 'idle'
      GROUP BY r.device, r.firmware, m.metric, m.kind, m.subject, m.unit
    ) AS d
    GROUP BY metric, kind, subject, unit, firmware, value
  ),
  versions AS (
    SELECT DISTINCT firmware AS version FROM recordings WHERE firmware LIKE $firmware
  ),
  -- The query for what cannot be decided has these tables, too.
  compared AS (
    SELECT
      v.version,
      d.metric,
      d.kind,
      d.subject,
      d.unit,
      d.value,
      sum(CASE WHEN d.firmware = v.version THEN d.devices ELSE 0 END) AS own,
      sum(CASE WHEN d.firmware <> v.version THEN d.devices ELSE 0 END) AS other
    FROM device_values AS d
    CROSS JOIN versions AS v
    WHERE d.firmware = v.version OR d.firmware LIKE $baseline
    GROUP BY v.version, d.metric, d.kind, d.subject, d.unit, d.value
  ),
  ranked AS (
    SELECT
      version,
      metric,
      kind,
      subject,
      unit,
      value,
      own,
      other,
      sum(own) OVER (PARTITION BY version, metric, kind, subject, unit ORDER BY value) AS own_up_to,
      sum(other) OVER (PARTITION BY version, metric, kind, subject, unit ORDER BY value) AS other_up_to,
      sum(own) OVER (PARTITION BY version, metric, kind, subject, unit) AS devices,
      sum(other) OVER (PARTITION BY version, metric, kind, subject, unit) AS other_devices
    FROM compared
  ),
  summed AS (
    SELECT
      version,
      metric,
      kind,
      subject,
      unit,
      CAST(devices AS DOUBLE) AS n,
      CAST(other_devices AS DOUBLE) AS m,
      devices,
      other_devices,
      min(CASE WHEN own_up_to * 2 >= devices THEN value END) AS median,
      min(CASE WHEN other_up_to * 2 >= other_devices THEN value END) AS other_median,
      -- Twice the statistic U: pairs with a greater value of this version, and half of equal ones.
      CAST(sum(own * (2 * other_up_to - other)) AS DOUBLE) AS twice_u,
      sum(
        CAST(own + other AS DOUBLE) * (own + other) * (own + other) - CAST(own + other AS DOUBLE)
      ) AS ties
    FROM ranked
    WHERE devices > 0 AND other_devices > 0
    GROUP BY version, metric, kind, subject, unit, devices, other_devices
  ),
  tested AS (
    SELECT
      version,
      metric,
      kind,
      subject,
      unit,
      devices,
      other_devices,
      median,
      other_median,
      100.0 * (median - other_median) / nullif(other_median, 0.0) AS change_percent,
      100.0 * twice_u / (2.0 * n * m) AS greater_percent,
      (twice_u - n * m)
        / nullif(2.0 * sqrt(n * m / 12.0 * (n + m + 1.0 - ties / ((n + m) * (n + m - 1.0)))), 0.0) AS z
    FROM summed
  )
SELECT
  version AS firmware,
  metric,
  kind,
  subject,
  unit,
  devices,
  other_devices,
  median,
  other_median,
  round(change_percent, 2) AS change_percent,
  round(greater_percent, 2) AS greater_percent,
  round(z, 2) AS z
FROM tested
WHERE z >= $z AND median > other_median AND 100.0 * (median - other_median) >= $percent * other_median
-- DataFusion 55 takes the version for a key and drops what follows it in an order.
ORDER BY metric, kind, subject, firmware
