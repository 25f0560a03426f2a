-- CPU time of each context
--
-- The CPU time of a thread excludes the interrupts that interrupted it. The rows of a recording add
-- up to the recorded time of all its cores.
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   kind: kind of context: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: number of the context
--   context: name of the context
--   isr: the interrupt service routine
--   duration: CPU time on all cores, in ticks
--   duration_ns: the same in nanoseconds; null if the clock frequency is unknown or the clock does
--     not count time
--   percent: share of the time of all cores; null if the clock does not count time
SELECT
  s.file,
  s.recording_id,
  s.kind,
  s.context_id,
  s.context,
  s.isr,
  s.duration,
  CASE WHEN r.span_ns IS NOT NULL THEN ticks_to_ns(s.duration, r.frequency_hz) END AS duration_ns,
  CASE WHEN measures_time(r.clock_quality) THEN
    100.0 * s.duration / nullif(sum(s.duration) OVER (PARTITION BY s.recording_id), 0)
  END AS percent
FROM (
  SELECT file, recording_id, kind, context_id, context, isr, sum(duration) AS duration
  FROM slices
  GROUP BY file, recording_id, kind, context_id, context, isr
) AS s
JOIN recordings AS r ON r.recording_id = s.recording_id
