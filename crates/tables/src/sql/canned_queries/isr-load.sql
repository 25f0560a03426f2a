-- How much CPU time do interrupt service routines use?
--
-- If neither entries nor exits of a routine are recorded, its CPU time is unknown.
--
-- Columns
--   file: the recording
--   isr: the routine
--   activations: number of activations
--   self_duration: CPU time without the routines that interrupted it, in ticks
--   self_duration_ns: the same in nanoseconds
--   percent: share of the time of all cores; null if the clock does not count time
--   max_duration: duration of the longest activation, in ticks
--   max_duration_ns: the same in nanoseconds
SELECT file, isr, activations, self_duration, self_duration_ns, round(percent, 3) AS percent, max_duration, max_duration_ns
FROM isr_load
ORDER BY file, recording_id, self_duration DESC NULLS LAST, isr, number
