-- Time that state machines spent in each state
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   object: the active object
--   context_id: number of the active object
--   state: the state
--   visits: number of visits
--   duration: total time in the state, as far as it is known, in ticks
--   duration_ns: the same in nanoseconds
--   max_duration: duration of the longest visit whose end is known, in ticks
--   percent: share of the recording's time span, as in the report `states`; null if the clock does
--     not count time
SELECT
  s.file,
  s.recording_id,
  s.object,
  s.context_id,
  s.state,
  s.visits,
  s.duration,
  s.duration_ns,
  s.max_duration,
  CASE WHEN measures_time(r.clock_quality) THEN
    100.0 * s.duration / nullif(CAST(r.span AS DOUBLE), 0)
  END AS percent
FROM (
  SELECT
    file,
    recording_id,
    object,
    context_id,
    state,
    count(*) AS visits,
    sum(duration) AS duration,
    sum(duration_ns) AS duration_ns,
    max(CASE WHEN complete THEN duration END) AS max_duration
  FROM state_intervals
  GROUP BY file, recording_id, object, context_id, state
) AS s
JOIN recordings AS r ON r.recording_id = s.recording_id
