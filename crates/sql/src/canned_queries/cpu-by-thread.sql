-- Who had the processor, and for how long?
--
-- Times of threads are without those of interrupts that came meanwhile.
--
-- Columns
--   file: the recording
--   what: `thread`, `isr`, `kernel`, `idle`, `initialize`, `unknown`
--   context_id: the number of the thread, or of what else executed
--   context: its name
--   isr: the routine
--   duration: how long it executed, in ticks
--   duration_ns: the same in nanoseconds
--   percent: the same of the time of all cores; none where the clock does not measure time
SELECT file, what, context_id, context, isr, duration, duration_ns, round(percent, 3) AS percent
FROM cpu_time
ORDER BY file, duration DESC, what, context_id, isr
