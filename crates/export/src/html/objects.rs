//! Shared objects and the calls of threads.

use super::cells::{count, escaped, event, flag, mean, or_dash, text, time};
use super::chart::{distribution, level, share};
use super::table::{number_column, table, text_column};
use rtoscope_analysis::View;
use rtoscope_analysis::report::components::Component;
use rtoscope_analysis::report::{ReportDocument, inversions, locks, objects, services};

/// Queues, semaphores and pools with their levels.
pub(super) fn objects(view: &View<'_>, document: &ReportDocument) -> String {
    use objects::ObjectRow;
    let Some(rows) = document.objects.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let figure = |key: &'static str, get: fn(&objects::LevelRow) -> u32| {
        move |row: &ObjectRow| or_dash(row.level.as_ref(), |level| count(key, get(level)))
    };
    let columns = [
        text_column("Object", |row: &ObjectRow| text("name", &row.name)),
        text_column("What", |row: &ObjectRow| text("class", row.class)),
        number_column("Calls", |row: &ObjectRow| count("calls", row.calls)),
        text_column("Level over time", |row: &ObjectRow| {
            or_dash(row.level.as_ref(), |found| level(view, found, row.capacity))
        }),
        number_column("Least", figure("level.min", |level| level.min)),
        number_column("Most", figure("level.max", |level| level.max)),
        number_column("Mean", |row: &ObjectRow| {
            let found = row.level.as_ref().and_then(|level| level.mean);
            or_dash(found, |found| mean("level.mean", found))
        }),
        number_column("Capacity", |row: &ObjectRow| {
            or_dash(row.capacity, |it| count("capacity", it))
        }),
        text_column("Fullest", |row: &ObjectRow| {
            share("high_water_percent", row.high_water_percent)
        }),
        number_column("Waited", |row: &ObjectRow| count("blocked", row.blocked)),
        number_column("Refused", |row: &ObjectRow| count("refused", row.refused)),
        text_column("Put to take", |row: &ObjectRow| {
            distribution(view, "transfer", row.transfer.as_ref())
        }),
    ];
    table(
        "objects",
        "Usage; waited and refused: calls that the level did not allow",
        rows,
        &columns,
        |row| row.calls,
    )
}

/// Mutexes with their hold and wait times.
pub(super) fn mutexes(view: &View<'_>, document: &ReportDocument) -> String {
    use locks::LockRow;
    let Some(rows) = document.locks.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Mutex", |row: &LockRow| text("name", &row.name)),
        number_column("Got", |row: &LockRow| {
            count("acquisitions", row.acquisitions)
        }),
        number_column("After a wait", |row: &LockRow| {
            count("contended", row.contended)
        }),
        text_column("Of all", |row: &LockRow| {
            share("contended_percent", row.contended_percent)
        }),
        number_column("Given up", |row: &LockRow| count("given_up", row.given_up)),
        text_column("Held for", |row: &LockRow| {
            distribution(view, "hold", row.hold.as_ref())
        }),
        text_column("Waited for", |row: &LockRow| {
            distribution(view, "wait", row.wait.as_ref())
        }),
        text_column("Longest held by", |row: &LockRow| {
            or_dash(row.max_hold.as_ref(), |it| {
                text("max_hold.thread", &it.thread)
            })
        }),
        number_column("Max waiting", |row: &LockRow| {
            count("max_waiting", row.max_waiting)
        }),
        number_column("Inversions", |row: &LockRow| {
            count("inversions.total", row.inversions.total)
        }),
        text_column("Owner at the end", |row: &LockRow| {
            or_dash(row.owner_at_end.as_ref(), |owner| {
                text("owner_at_end", owner)
            })
        }),
    ];
    table(
        "locks",
        "Mutex hold and wait times",
        rows,
        &columns,
        |row| row.acquisitions,
    )
}

/// Priority inversions, the longest first.
pub(super) fn inversions(view: &View<'_>, document: &ReportDocument) -> String {
    use inversions::InversionRow;
    let Some(rows) = document
        .inversions
        .as_deref()
        .filter(|rows| !rows.is_empty())
    else {
        return String::new();
    };
    let columns = [
        text_column("Blocked", |row: &InversionRow| {
            let priority = count("blocked_priority", row.blocked_priority);
            format!(
                "{} <span class=\"soft\">({priority})</span>",
                text("blocked", &row.blocked)
            )
        }),
        text_column("By", |row: &InversionRow| {
            let priority = count("owner_priority", row.owner_priority);
            let owner = or_dash(row.owner.as_ref(), |owner| text("owner", owner));
            format!("{owner} <span class=\"soft\">({priority})</span>")
        }),
        text_column("Mutex", |row: &InversionRow| text("object", &row.object)),
        number_column("From", |row: &InversionRow| {
            time(view, "start_ticks", row.start_ticks)
        }),
        number_column("For", |row: &InversionRow| time(view, "ticks", row.ticks)),
        text_column("Unbounded", |row: &InversionRow| {
            or_dash(row.unbounded, |it| flag("unbounded", it))
        }),
        text_column("Prolonged by", |row: &InversionRow| {
            let names = row.culprits.iter().map(|one| escaped(&one.thread));
            names.collect::<Vec<_>>().join(", ")
        }),
        number_column("Event", |row: &InversionRow| {
            or_dash(row.start_event, |at| event("start_event", at))
        }),
        text_column("Ended", |row: &InversionRow| text("ending", row.ending)),
    ];
    table(
        "inversions",
        "Threads blocked on a mutex of a lower-priority thread; priorities in parentheses, 0 is the highest",
        rows,
        &columns,
        |row| row.ticks,
    )
}

/// Counts of calls and events.
pub(super) fn services(document: &ReportDocument) -> String {
    use services::ServiceRow;
    let Some(rows) = document.services.as_deref().filter(|rows| !rows.is_empty()) else {
        return String::new();
    };
    let columns = [
        text_column("Event", |row: &ServiceRow| text("name", &row.name)),
        text_column("Component", |row: &ServiceRow| {
            text("component", &row.component)
        }),
        number_column("Count", |row: &ServiceRow| count("count", row.count)),
        text_column("Of all events", |row: &ServiceRow| {
            share("percent", Some(row.percent))
        }),
        number_column("Contexts", |row: &ServiceRow| {
            count("contexts", row.contexts)
        }),
    ];
    let caption = "Counts of event kinds, and of the contexts that logged them";
    table("services", caption, rows, &columns, |row| row.count)
}

/// The reports of the file system, the network stack and the USB stack, if the
/// trace has their events.
pub(super) fn components(document: &ReportDocument) -> String {
    let all = [&document.filex, &document.netx, &document.usbx];
    let used = all
        .into_iter()
        .flatten()
        .filter(|component| component.has_events);
    used.map(component).collect()
}

fn component(component: &Component) -> String {
    let name = escaped(&component.name);
    let rows = component.figures.iter().filter(|figure| figure.value > 0);
    let rows = rows.map(|figure| {
        format!(
            "<tr><th scope=\"row\">{}</th><td class=\"figure\">{}</td></tr>\n",
            escaped(&figure.description),
            count(&escaped(&figure.name), figure.value)
        )
    });
    format!(
        "<div class=\"wide\"><table data-report=\"{name}\"><caption>{name}: values other than 0</caption>\
         <thead><tr><th scope=\"col\">What</th><th scope=\"col\" class=\"figure\">Value</th></tr></thead>\
         <tbody>{}</tbody></table></div>",
        rows.collect::<String>()
    )
}
