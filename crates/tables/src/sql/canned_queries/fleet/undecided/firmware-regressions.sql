-- Which versions have too few devices for a regression to be seen?
--
-- If all `n` devices of a version are slower than the `m` other ones, `z` is the square root of
-- 3 * n * m / (n + m + 1).
  counted AS (
    SELECT
      v.version,
      d.metric,
      d.kind,
      d.subject,
      sum(CASE WHEN d.firmware = v.version THEN d.devices ELSE 0 END) AS own,
      sum(CASE WHEN d.firmware <> v.version THEN d.devices ELSE 0 END) AS other
    FROM versions AS v
    LEFT JOIN (SELECT * FROM device_values WHERE value IS NOT NULL) AS d
      ON d.firmware = v.version OR d.firmware LIKE $baseline
    GROUP BY v.version, d.metric, d.kind, d.subject
  ),
  strongest AS (
    SELECT
      version,
      max(own) AS devices,
      max(other) AS other_devices,
      max(3.0 * own * other / (own + other + 1)) AS z_squared
    FROM counted
    GROUP BY version
  )
SELECT
  'version ' || version || ': too few devices for a z of ' || CAST($z AS VARCHAR) || ': '
    || CAST(devices AS VARCHAR) || ', and ' || CAST(other_devices AS VARCHAR)
    || ' of other versions' AS reason
FROM strongest
WHERE z_squared < $z * $z
UNION ALL
SELECT 'versions like ' || $firmware || ': there are none' AS reason
WHERE NOT EXISTS (SELECT version FROM versions)
