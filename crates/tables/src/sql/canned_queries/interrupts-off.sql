-- Where were interrupts disabled longest?
--
-- If `complete` is false, the duration is a lower bound.
--
-- Columns
--   file: the recording
--   core: the core
--   context: context that disabled them
--   isr: interrupt service routine that disabled them, if any
--   start: start of the section, in ticks
--   duration: duration of the section, in ticks
--   duration_ns: the same in nanoseconds
--   complete: whether both ends were recorded
--   ending: how the section ended
--   first_event: event that disabled interrupts
--
-- Parameters
--   n=10: number of rows
SELECT file, core, context, isr, start, duration, duration_ns, complete, ending, first_event
FROM interrupts_off
ORDER BY duration DESC, file, recording_id, first_event
LIMIT $n
