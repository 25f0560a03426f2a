-- CPU time of each context in each second
--
-- Seconds count from the first event of a recording. A recording has no rows if its clock frequency
-- is unknown, if its clock does not count time, or if it is longer than a million seconds.
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   second: the second, from 0
--   kind: kind of context: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: number of the context
--   context: name of the context
--   isr: the interrupt service routine
--   duration_ns: CPU time in that second, on all cores, in nanoseconds
SELECT
  file,
  recording_id,
  second,
  kind,
  context_id,
  context,
  isr,
  sum(least(end_ns, (second + 1) * 1000000000) - greatest(start_ns, second * 1000000000)) AS duration_ns
FROM (
  SELECT p.*, unnest(generate_series(p.start_ns / 1000000000, (p.end_ns - 1) / 1000000000)) AS second
  FROM (
    SELECT s.file, s.recording_id, s.kind, s.context_id, s.context, s.isr, s.start_ns, s.end_ns
    FROM slices AS s
    JOIN recordings AS r ON r.recording_id = s.recording_id
    WHERE s.end_ns > s.start_ns AND r.span_ns <= 1000000000000000
  ) AS p
)
GROUP BY file, recording_id, second, kind, context_id, context, isr
