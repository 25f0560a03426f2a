-- Which activations of interrupt service routines took longest?
--
-- Only those that were recorded from entry to exit.
--
-- Columns
--   file: the recording
--   isr: the routine
--   core: the core
--   interrupted: whom it interrupted
--   start: when it began, in ticks
--   duration: how long it took, with routines that interrupted it, in ticks
--   duration_ns: the same in nanoseconds
--   own: how long it took without these, in ticks
--   first_event: its entry
--   last_event: its exit
--
-- Parameters
--   n=10: how many
SELECT file, isr, core, interrupted, start, duration, duration_ns, own, first_event, last_event
FROM isrs
WHERE entered AND exited
ORDER BY duration DESC, file, first_event
LIMIT $n
