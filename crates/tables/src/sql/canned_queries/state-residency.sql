-- How long were state machines in each state?
--
-- Columns
--   file: the recording
--   object: the active object
--   context_id: number of the active object
--   state: the state
--   visits: number of visits
--   duration: total time in the state, as far as it is known, in ticks
--   duration_ns: the same in nanoseconds
--   percent: share of the recording's time span, as in the report `states`; null if the clock does
--     not count time
--   max_duration: duration of the longest visit whose end is known, in ticks
SELECT
  file,
  object,
  context_id,
  state,
  visits,
  duration,
  duration_ns,
  round(percent, 3) AS percent,
  max_duration
FROM state_residency
ORDER BY file, recording_id, object, context_id, duration DESC, state
