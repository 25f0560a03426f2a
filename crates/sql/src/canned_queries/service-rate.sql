-- How often a second is each service called?
--
-- Of recordings whose clock tells time.
--
-- Columns
--   file: the recording
--   kind: the kind of event
--   count: how often
--   per_second: the same in each second on an average
SELECT
  s.file,
  s.kind,
  sum(s.count) AS count,
  round(1e9 * sum(s.count) / max(t.span_ns), 3) AS per_second
FROM service_counts AS s
JOIN trace AS t ON t.recording_id = s.recording_id
WHERE t.span_ns > 0
GROUP BY s.file, s.recording_id, s.kind, s.number
ORDER BY s.file, count DESC, s.number
