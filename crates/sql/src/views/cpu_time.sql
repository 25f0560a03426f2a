-- how long each thread, routine and the rest executed
--
-- The time of a thread is without that of interrupts that came meanwhile; all rows of a
-- recording together are the time that its cores were recorded.
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   what: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: the context's number
--   context: its name
--   isr: the routine
--   duration: how long it executed, on all cores, in ticks
--   duration_ns: the same in nanoseconds, where the clock tells time
--   percent: the same of the time of all cores; none where the clock does not measure time
SELECT
  s.file,
  s.recording_id,
  s.what,
  s.context_id,
  s.context,
  s.isr,
  s.duration,
  s.duration / t.clock_hz * 1000000000 + s.duration % t.clock_hz * 1000000000 / t.clock_hz AS duration_ns,
  CASE WHEN t.clock_quality IN ('good', 'unknown') THEN
    100.0 * s.duration / nullif(sum(s.duration) OVER (PARTITION BY s.recording_id), 0)
  END AS percent
FROM (
  SELECT file, recording_id, what, context_id, context, isr, sum(duration) AS duration
  FROM slices
  GROUP BY file, recording_id, what, context_id, context, isr
) AS s
JOIN (
  SELECT recording_id, clock_quality, CASE WHEN span_ns IS NOT NULL THEN CAST(clock_hz AS BIGINT) END AS clock_hz
  FROM trace
) AS t ON t.recording_id = s.recording_id
