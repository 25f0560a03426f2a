-- Which devices have the most findings of each category?
--
-- A recording has at most eight findings of one category and severity, and one that counts the
-- others: devices are therefore ranked by the number of recordings first.
--
-- Columns
--   severity: severity of the findings
--   category: category of the findings
--   rank: place of the device among those with this finding, from 1
--   device: the device
--   recordings: number of its recordings with the finding
--   findings: number of findings
--   devices: number of devices with this finding
--
-- Parameters
--   n=10: number of devices for each category
--   category=%: pattern of the categories, such as `unbounded-inversion`
--
-- Tags
--   device: the device
WITH
  counted AS (
    SELECT severity, category, device, count(DISTINCT recording_id) AS recordings, count(*) AS findings
    FROM findings
    WHERE category LIKE $category
    GROUP BY severity, category, device
  ),
  ranked AS (
    SELECT
      severity,
      category,
      row_number() OVER (
        PARTITION BY severity, category
        ORDER BY recordings DESC, findings DESC, device
      ) AS rank,
      device,
      recordings,
      findings,
      count(*) OVER (PARTITION BY severity, category) AS devices
    FROM counted
  )
SELECT severity, category, rank, device, recordings, findings, devices
FROM ranked
WHERE rank <= $n
ORDER BY
  CASE severity WHEN 'critical' THEN 1 WHEN 'warning' THEN 2 ELSE 3 END,
  category,
  rank
