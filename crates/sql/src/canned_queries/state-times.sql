-- How long were state machines in which state?
--
-- Columns
--   file: the recording
--   object: whose machine
--   context_id: its number
--   state: the state
--   stays: how often it was in it
--   duration: how long altogether, as far as is known, in ticks
--   duration_ns: the same in nanoseconds
--   percent: its share of the whole time of the recording, as in the report `states`; none where
--     the clock does not measure time
--   longest: the longest stay whose end is known, in ticks
SELECT
  file,
  object,
  context_id,
  state,
  stays,
  duration,
  duration_ns,
  round(percent, 3) AS percent,
  longest
FROM state_times
ORDER BY file, object, context_id, duration DESC, state
