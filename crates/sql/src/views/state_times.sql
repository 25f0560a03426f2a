-- how long state machines stayed in which state
--
-- Columns
--   file: the recording
--   recording_id: identifies it
--   object: whose machine
--   context_id: its number
--   state: the state
--   stays: how often it was in it
--   duration: how long altogether, as far as is known, in ticks
--   duration_ns: the same in nanoseconds
--   longest: the longest stay whose end is known, in ticks
--   percent: of the time in which its state is known
SELECT
  file,
  recording_id,
  object,
  context_id,
  state,
  stays,
  duration,
  duration_ns,
  longest,
  100.0 * duration / nullif(sum(duration) OVER (PARTITION BY recording_id, context_id), 0) AS percent
FROM (
  SELECT
    file,
    recording_id,
    object,
    context_id,
    state,
    count(*) AS stays,
    sum(duration) AS duration,
    sum(duration_ns) AS duration_ns,
    max(CASE WHEN whole THEN duration END) AS longest
  FROM stays
  GROUP BY file, recording_id, object, context_id, state
)
