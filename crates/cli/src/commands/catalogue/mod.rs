//! `rtoscope catalogue`: lists or explains event kinds.

mod objects;

pub(crate) use objects::RegistryDocument;

use anyhow::bail;
use clap::{Args, ValueEnum};
use rtoscope_command::input::{FormatSettings, InputFormat, parse_number};
use rtoscope_command::output;
use rtoscope_decode::Format;
use rtoscope_trace::catalogue::{ArgumentDef, Meaning};
use rtoscope_trace::{Catalogue, EventKind};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::iter;

#[derive(Args)]
pub(crate) struct CatalogueCommandArgs {
    /// Events to explain, by number, name, kernel symbol, or part of a name or
    /// symbol; default: list all
    #[arg(value_name = "EVENT")]
    events: Vec<String>,

    /// Format whose events or types of objects are listed
    #[arg(long, value_name = "FORMAT", default_value_t)]
    of: InputFormat,

    /// Only events of this component, such as `netxduo`
    #[arg(long, value_name = "COMPONENT")]
    component: Option<String>,

    /// List the types of objects in the format's registry, and where the kernel's
    /// source differs from its manual, instead of events
    #[arg(long, conflicts_with_all = ["events", "component"])]
    objects: bool,

    #[command(flatten)]
    settings: FormatSettings,

    /// Output format
    #[arg(short, long, default_value = "text")]
    format: CatalogueFormat,
}

#[derive(Clone, Copy, ValueEnum)]
enum CatalogueFormat {
    Text,
    Json,
    Csv,
}

#[derive(Serialize, JsonSchema)]
pub(crate) struct CatalogueDocument<'a> {
    schema: &'static str,
    events: Vec<EventKindDocument<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct EventKindDocument<'a> {
    id: u32,
    name: &'a str,
    symbol: &'a str,
    component: &'a str,
    internal: bool,
    icon: &'a str,
    colour: String,
    second_colour: String,
    arguments: Vec<ArgumentDocument<'a>>,
}

#[derive(Serialize, JsonSchema)]
struct ArgumentDocument<'a> {
    /// The number of the information field, from 1.
    position: usize,
    name: &'a str,
    meaning: &'static str,
    /// The named values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    values: Vec<(u64, &'static str)>,
}

pub(crate) fn run(arguments: &CatalogueCommandArgs) -> anyhow::Result<()> {
    let format = Format::from(arguments.of);
    if arguments.objects {
        let Some(types) = format.registry_types() else {
            bail!(
                "{} have no registry of objects",
                format.description().plural
            );
        };
        return objects::write(types, arguments.format);
    }
    let options = arguments.settings.catalogue_options()?;
    let catalogue = format.catalogue(&options);
    if catalogue.is_empty() {
        bail!(
            "{} describe their events themselves: `rtoscope events` lists those of a trace",
            format.description().plural
        );
    }
    let kinds = select(&catalogue, arguments)?;
    let text = match arguments.format {
        CatalogueFormat::Json => {
            return output::write_json(&CatalogueDocument {
                schema: "rtoscope/catalogue/1",
                events: kinds.into_iter().map(kind_document).collect(),
            });
        }
        CatalogueFormat::Csv => {
            let arguments = max_arguments(&kinds);
            let names = (1..=arguments).map(|position| format!("argument{position}"));
            let names: Vec<_> = names.collect();
            let mut header = vec!["id", "name", "symbol", "component"];
            header.extend(names.iter().map(String::as_str));
            let rows = kinds.into_iter();
            return output::write_csv(&header, rows.map(|kind| csv_row(kind, arguments)));
        }
        CatalogueFormat::Text if arguments.events.is_empty() || kinds.len() > 5 => {
            render_list(&kinds)
        }
        CatalogueFormat::Text => kinds
            .into_iter()
            .map(render_details)
            .collect::<Vec<_>>()
            .join("\n"),
    };
    output::write_text(&text)
}

fn select<'a>(
    catalogue: &'a Catalogue,
    arguments: &CatalogueCommandArgs,
) -> anyhow::Result<Vec<&'a EventKind>> {
    let component = arguments.component.as_deref();
    let of_component = |kind: &&EventKind| {
        component.is_none_or(|wanted| kind.component.eq_ignore_ascii_case(wanted))
    };
    let mut kinds: Vec<&EventKind> = Vec::new();
    for wanted in &arguments.events {
        let found = find(catalogue, wanted);
        if found.is_empty() {
            bail!("no event matches \"{wanted}\"; `rtoscope catalogue` lists all events");
        }
        kinds.extend(found);
    }
    let mut seen = BTreeSet::new();
    kinds.retain(|kind| seen.insert(kind.id));
    if arguments.events.is_empty() {
        kinds.extend(catalogue);
    }
    kinds.retain(of_component);
    if kinds.is_empty() {
        let mut components: Vec<_> = catalogue.iter().map(|kind| &*kind.component).collect();
        components.sort_unstable();
        components.dedup();
        bail!(
            "component \"{}\" has no matching event; there are {}",
            component.unwrap_or_default(),
            components.join(", ")
        );
    }
    Ok(kinds)
}

fn find<'a>(catalogue: &'a Catalogue, wanted: &str) -> Vec<&'a EventKind> {
    if let Ok(number) = parse_number(wanted) {
        return catalogue
            .iter()
            .filter(|kind| u64::from(kind.id.0) == number)
            .collect();
    }
    let wanted = wanted.to_lowercase();
    if wanted.is_empty() {
        return Vec::new();
    }
    let named = |kind: &&EventKind, test: &dyn Fn(&str) -> bool| {
        test(&kind.name.to_lowercase()) || test(&kind.symbol.to_lowercase())
    };
    let exactly: Vec<_> = catalogue
        .iter()
        .filter(|kind| named(kind, &|name| name == wanted))
        .collect();
    if !exactly.is_empty() {
        return exactly;
    }
    catalogue
        .iter()
        .filter(|kind| named(kind, &|name| name.contains(&wanted)))
        .collect()
}

/// The arguments with their positions, from 1.
fn arguments_with_position(kind: &EventKind) -> impl Iterator<Item = (usize, &ArgumentDef)> {
    let positions = (1..).zip(kind.all_arguments());
    positions.filter_map(|(position, argument)| Some((position, argument?)))
}

/// The number of argument columns that these kinds need.
fn max_arguments(kinds: &[&EventKind]) -> usize {
    let positions = kinds.iter().map(|kind| kind.all_arguments().count());
    positions.max().unwrap_or_default()
}

fn kind_document(kind: &EventKind) -> EventKindDocument<'_> {
    let arguments = arguments_with_position(kind).map(|(position, argument)| ArgumentDocument {
        position,
        name: &argument.name,
        meaning: argument.meaning.name(),
        values: match argument.meaning {
            Meaning::Named(names) => names.values.to_vec(),
            _ => Vec::new(),
        },
    });
    EventKindDocument {
        id: kind.id.0,
        name: &kind.name,
        symbol: &kind.symbol,
        component: &kind.component,
        internal: kind.internal,
        icon: &kind.icon.letters,
        colour: kind.icon.colour.to_string(),
        second_colour: kind.icon.second_colour.to_string(),
        arguments: arguments.collect(),
    }
}

fn csv_row(kind: &EventKind, columns: usize) -> Vec<String> {
    let facts = [&kind.name, &kind.symbol, &kind.component].map(ToString::to_string);
    let arguments = kind
        .all_arguments()
        .map(|argument| argument.map_or(String::new(), |it| format!("{}:{}", it.name, it.meaning)));
    let arguments = arguments.chain(iter::repeat(String::new())).take(columns);
    iter::once(kind.id.to_string())
        .chain(facts)
        .chain(arguments)
        .collect()
}

fn argument_names(kind: &EventKind) -> String {
    let names: Vec<&str> = arguments_with_position(kind)
        .map(|(_, it)| it.name.as_ref())
        .collect();
    names.join(", ")
}

fn render_list(kinds: &[&EventKind]) -> String {
    let rows = kinds.iter().map(|kind| {
        vec![
            kind.id.to_string(),
            kind.icon.letters.to_string(),
            kind.name.to_string(),
            kind.component.to_string(),
            argument_names(kind),
        ]
    });
    let header = ["id", "icon", "event", "component", "arguments"];
    output::format_table(&header, &["id"], rows)
}

fn render_details(kind: &EventKind) -> String {
    let mut text = format!("{} {}\n", kind.id, kind.name);
    // Writing to a `String` cannot fail.
    let origin = if kind.internal {
        "logged by the kernel itself"
    } else {
        "logged on a call or occurrence"
    };
    let _ = writeln!(text, "  component  {}, {origin}", kind.component);
    if !kind.symbol.is_empty() {
        let _ = writeln!(text, "  symbol     {}", kind.symbol);
    }
    let _ = writeln!(
        text,
        "  icon       {} on {} and {}",
        kind.icon.letters, kind.icon.colour, kind.icon.second_colour
    );
    for (position, argument) in arguments_with_position(kind) {
        let _ = writeln!(
            text,
            "  info{position}      {} ({})",
            argument.name, argument.meaning
        );
        if let Meaning::Named(names) = argument.meaning {
            let values = names.values.iter();
            let values: Vec<String> = values
                .map(|(value, name)| format!("{value:#x} {name}"))
                .collect();
            let _ = writeln!(text, "               {}", values.join(", "));
        }
    }
    text
}
