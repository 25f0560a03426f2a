-- When were interrupts disabled for longest?
--
-- Where `whole` is false, it is the least that it can have been.
--
-- Columns
--   file: the recording
--   core: the core
--   context: on whose behalf
--   isr: the routine that did it, if one did
--   start: since when, in ticks
--   duration: how long, in ticks
--   duration_ns: the same in nanoseconds
--   whole: whether both ends were recorded
--   ending: how it ended
--   first_event: the event that disabled them
--
-- Parameters
--   n=10: how many
SELECT file, core, context, isr, start, duration, duration_ns, whole, ending, first_event
FROM masked
ORDER BY duration DESC, file, first_event
LIMIT $n
