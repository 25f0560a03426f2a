//! What threads share, and which calls they make.

use super::chart::{level, share, spread};
use super::table::{figures, table, words};
use super::text::{count, escaped, event, flag, maybe, mean, text, time};
use rtoscope_analysis::View;
use rtoscope_analysis::report::components::Component;
use rtoscope_analysis::report::{Document, inversions, locks, objects, services};

/// Queues, semaphores and pools, and how full they were.
pub(super) fn objects(view: &View<'_>, document: &Document) -> String {
    use objects::Row;
    let Some(rows) = document.objects.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let figure = |key: &'static str, get: fn(&objects::Level) -> u32| {
        move |row: &Row| maybe(row.level.as_ref(), |level| count(key, get(level)))
    };
    let columns = [
        words("Object", |row: &Row| text("name", &row.name)),
        words("What", |row: &Row| text("class", row.class)),
        figures("Calls", |row: &Row| count("calls", row.calls)),
        words("Level over time", |row: &Row| {
            maybe(row.level.as_ref(), |found| level(view, found, row.capacity))
        }),
        figures("Least", figure("level.min", |level| level.min)),
        figures("Most", figure("level.max", |level| level.max)),
        figures("Mean", |row: &Row| {
            let found = row.level.as_ref().and_then(|level| level.mean);
            maybe(found, |found| mean("level.mean", found))
        }),
        figures("Capacity", |row: &Row| {
            maybe(row.capacity, |it| count("capacity", it))
        }),
        words("Fullest", |row: &Row| {
            share("high_water_percent", row.high_water_percent)
        }),
        figures("Waited", |row: &Row| count("blocked", row.blocked)),
        figures("Refused", |row: &Row| count("refused", row.refused)),
        words("Put to take", |row: &Row| {
            spread(view, "transfer", row.transfer.as_ref())
        }),
    ];
    table(
        "objects",
        "How they were used; waited and refused: calls that the level did not allow",
        rows,
        &columns,
        |row| row.calls,
    )
}

/// Mutexes: how long they were held and waited for.
pub(super) fn mutexes(view: &View<'_>, document: &Document) -> String {
    use locks::Row;
    let Some(rows) = document.locks.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Mutex", |row: &Row| text("name", &row.name)),
        figures("Got", |row: &Row| count("acquisitions", row.acquisitions)),
        figures("After a wait", |row: &Row| {
            count("contended", row.contended)
        }),
        words("Of all", |row: &Row| {
            share("contended_percent", row.contended_percent)
        }),
        figures("Given up", |row: &Row| count("given_up", row.given_up)),
        words("Held for", |row: &Row| {
            spread(view, "hold", row.hold.as_ref())
        }),
        words("Waited for", |row: &Row| {
            spread(view, "wait", row.wait.as_ref())
        }),
        words("Longest held by", |row: &Row| {
            maybe(row.longest_hold.as_ref(), |it| {
                text("longest_hold.thread", &it.thread)
            })
        }),
        figures("Most waiting", |row: &Row| {
            count("most_waiting", row.most_waiting)
        }),
        figures("Inversions", |row: &Row| {
            count("inversions.total", row.inversions.total)
        }),
        words("Owner at the end", |row: &Row| {
            maybe(row.owner_at_end.as_ref(), |owner| {
                text("owner_at_end", owner)
            })
        }),
    ];
    table(
        "locks",
        "Who had to wait for mutexes",
        rows,
        &columns,
        |row| row.acquisitions,
    )
}

/// Priority inversions, the longest first.
pub(super) fn inversions(view: &View<'_>, document: &Document) -> String {
    use inversions::Row;
    let Some(rows) = document
        .inversions
        .as_deref()
        .filter(|rows| !rows.is_empty())
    else {
        return String::new();
    };
    let columns = [
        words("Blocked", |row: &Row| {
            let priority = count("blocked_priority", row.blocked_priority);
            format!(
                "{} <span class=\"soft\">({priority})</span>",
                text("blocked", &row.blocked)
            )
        }),
        words("By", |row: &Row| {
            let priority = count("owner_priority", row.owner_priority);
            let owner = maybe(row.owner.as_ref(), |owner| text("owner", owner));
            format!("{owner} <span class=\"soft\">({priority})</span>")
        }),
        words("Mutex", |row: &Row| text("object", &row.object)),
        figures("From", |row: &Row| {
            time(view, "start_ticks", row.start_ticks)
        }),
        figures("For", |row: &Row| time(view, "ticks", row.ticks)),
        words("Unbounded", |row: &Row| {
            maybe(row.unbounded, |it| flag("unbounded", it))
        }),
        words("Prolonged by", |row: &Row| {
            let names = row.culprits.iter().map(|one| escaped(&one.thread));
            names.collect::<Vec<_>>().join(", ")
        }),
        figures("Event", |row: &Row| {
            maybe(row.start_event, |at| event("start_event", at))
        }),
        words("Ended", |row: &Row| text("ending", row.ending)),
    ];
    table(
        "inversions",
        "Threads that waited for a mutex of a thread of lower priority; priorities in parentheses, 0 is the highest",
        rows,
        &columns,
        |row| row.ticks,
    )
}

/// Which calls and events there were.
pub(super) fn services(document: &Document) -> String {
    use services::Row;
    let Some(rows) = document.services.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        words("Event", |row: &Row| text("name", &row.name)),
        words("Component", |row: &Row| text("component", &row.component)),
        figures("Count", |row: &Row| count("count", row.count)),
        words("Of all events", |row: &Row| {
            share("percent", Some(row.percent))
        }),
        figures("Contexts", |row: &Row| count("contexts", row.contexts)),
    ];
    let caption = "How often each kind of event was recorded, and in how many contexts";
    table("services", caption, rows, &columns, |row| row.count)
}

/// What the file system, the network stack and the USB stack did, if the trace
/// has anything of them.
pub(super) fn components(document: &Document) -> String {
    let all = [&document.filex, &document.netx, &document.usbx];
    let used = all.into_iter().flatten().filter(|component| component.used);
    used.map(component).collect()
}

fn component(component: &Component) -> String {
    let name = escaped(&component.name);
    let rows = component.figures.iter().filter(|figure| figure.value > 0);
    let rows = rows.map(|figure| {
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"figure\">{}</td></tr>\n",
            escaped(&figure.what),
            count(&escaped(&figure.name), figure.value)
        )
    });
    format!(
        "<div class=\"wide\"><table data-report=\"{name}\"><caption>{name}: what is not 0</caption>\
         <thead><tr><th scope=\"col\">What</th><th scope=\"col\" class=\"figure\">Value</th></tr></thead>\
         <tbody>{}</tbody></table></div>",
        rows.collect::<String>()
    )
}
