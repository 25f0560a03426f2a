-- How many times per second is each service called?
--
-- Only recordings with a known clock frequency.
--
-- Columns
--   file: the recording
--   kind: the kind of event
--   count: number of events
--   per_second: mean number per second
SELECT
  s.file,
  s.kind,
  sum(s.count) AS count,
  round(1e9 * sum(s.count) / max(r.span_ns), 3) AS per_second
FROM service_counts AS s
JOIN recordings AS r ON r.recording_id = s.recording_id
WHERE r.span_ns > 0
GROUP BY s.file, s.recording_id, s.kind, s.number
ORDER BY s.file, s.recording_id, count DESC, s.number, s.kind
