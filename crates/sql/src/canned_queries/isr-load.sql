-- What do interrupt service routines cost?
--
-- Of a routine of which neither entries nor exits are recorded it is not known how long it
-- executed.
--
-- Columns
--   file: the recording
--   isr: the routine
--   activations: how often it began
--   own: how long it executed itself, in ticks
--   own_ns: the same in nanoseconds
--   percent: the same of the time of all cores; none where the clock does not measure time
--   longest: its longest activation, in ticks
--   longest_ns: the same in nanoseconds
SELECT file, isr, activations, own, own_ns, round(percent, 3) AS percent, longest, longest_ns
FROM isr_load
ORDER BY file, own DESC NULLS LAST, isr, number
