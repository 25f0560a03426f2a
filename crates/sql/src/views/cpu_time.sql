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
  s.duration / r.frequency_hz * 1000000000 + s.duration % r.frequency_hz * 1000000000 / r.frequency_hz AS duration_ns,
  CASE WHEN r.clock_quality IN ('good', 'unknown') THEN
    100.0 * s.duration / nullif(sum(s.duration) OVER (PARTITION BY s.recording_id), 0)
  END AS percent
FROM (
  SELECT file, recording_id, kind, context_id, context, isr, sum(duration) AS duration
  FROM slices
  GROUP BY file, recording_id, kind, context_id, context, isr
) AS s
JOIN (
  SELECT recording_id, clock_quality, CASE WHEN span_ns IS NOT NULL THEN CAST(frequency_hz AS BIGINT) END AS frequency_hz
  FROM recordings
) AS r ON r.recording_id = s.recording_id
