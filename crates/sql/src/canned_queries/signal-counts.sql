-- Which signals were posted to which active object, and how long did they wait?
--
-- Columns
--   file: the recording
--   object: whose queue
--   context_id: its number
--   signal: the signal
--   posts: how often it was posted
--   handled: how many of these are known to have been taken
--   mean_wait: from post to step on an average, in ticks
--   longest_wait: the longest, in ticks
SELECT
  p.file,
  p.object,
  p.context_id,
  p.signal,
  count(*) AS posts,
  count(f.latency) AS handled,
  round(avg(f.latency), 3) AS mean_wait,
  max(f.latency) AS longest_wait
FROM posts AS p
LEFT JOIN flows AS f ON f.kind = 'post' AND f.recording_id = p.recording_id AND f.from_event = p.event
GROUP BY p.file, p.recording_id, p.object, p.context_id, p.signal, p.number
ORDER BY p.file, posts DESC, p.object, p.context_id, p.number
