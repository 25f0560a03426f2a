-- Which activations of interrupt service routines took longest?
--
-- Only activations recorded from entry to exit.
--
-- Columns
--   file: the recording
--   isr: the routine
--   core: the core
--   interrupted: the interrupted context
--   start: start of the activation, in ticks
--   duration: duration including the routines that interrupted it, in ticks
--   duration_ns: the same in nanoseconds
--   self_duration: duration without these routines, in ticks
--   first_event: event of the entry
--   last_event: event of the exit
--
-- Parameters
--   n=10: number of rows
SELECT file, isr, core, interrupted, start, duration, duration_ns, self_duration, first_event, last_event
FROM isrs
WHERE entered AND exited
ORDER BY duration DESC, file, recording_id, first_event
LIMIT $n
