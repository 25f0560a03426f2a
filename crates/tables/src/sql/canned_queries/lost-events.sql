-- Where are events missing, and how many?
--
-- Columns
--   file: the recording
--   next_event: first event after the gap
--   missing: number of missing events; null if unknown
--   start: time of the last event before the gap, in ticks
--   duration: from there to the first event after it, in ticks
--   duration_ns: the same in nanoseconds
SELECT file, next_event, missing, start, duration, duration_ns
FROM gaps
ORDER BY file, recording_id, next_event
