-- Events per context and kind
--
-- Columns
--   file: the recording
--   recording_id: identifies the recording
--   context_id: number of the context
--   context: name of the context
--   kind: the kind of event
--   number: number of the kind in the format
--   component: component that the kind belongs to
--   count: number of events
SELECT file, recording_id, context_id, context, kind, number, component, count(*) AS count
FROM events
GROUP BY file, recording_id, context_id, context, kind, number, component
