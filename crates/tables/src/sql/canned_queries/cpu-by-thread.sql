-- How much CPU time did each context use?
--
-- The CPU time of a thread excludes the interrupts that interrupted it.
--
-- Columns
--   file: the recording
--   kind: kind of context: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: number of the context
--   context: name of the context
--   isr: the interrupt service routine
--   duration: CPU time, in ticks
--   duration_ns: the same in nanoseconds
--   percent: share of the time of all cores; null if the clock does not count time
SELECT file, kind, context_id, context, isr, duration, duration_ns, round(percent, 3) AS percent
FROM cpu_time
ORDER BY file, recording_id, duration DESC, kind, context_id, isr
