-- Where are events missing, and how many?
--
-- Columns
--   file: the recording
--   before_event: the first event behind the gap
--   missing: how many are missing; empty where that is not known
--   start: the last event before the gap, in ticks
--   duration: from there to the first behind it, in ticks
--   duration_ns: the same in nanoseconds
SELECT file, before_event, missing, start, duration, duration_ns
FROM gaps
ORDER BY file, before_event
