//! `rtoscope diagram sequence`.

use super::Drawing;
use anyhow::bail;
use clap::{Args, ValueEnum};
use rtoscope_analysis::active::Active;
use rtoscope_command::scope::WindowArguments;
use rtoscope_export::Sequence;
use rtoscope_export::sequence::{self, Show, Window, Wish, mermaid, msc_generator, plantuml, svg};
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{Party, Ticks, Trace};

#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    drawing: Drawing,

    #[command(flatten)]
    window: WindowArguments,

    /// Only what these send, get or do, by name or pattern (`wrk*`)
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Scope"
    )]
    objects: Vec<String>,

    /// Only events of these signals, by name or pattern
    #[arg(
        long,
        value_name = "NAMES",
        value_delimiter = ',',
        help_heading = "Scope"
    )]
    signals: Vec<String>,

    /// What to show beside messages
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "states,timers,calls"
    )]
    show: Vec<Shown>,

    /// Draw so many rows at most; how many more there are is said
    #[arg(long, value_name = "NUMBER", default_value_t = Wish::default().most)]
    limit: usize,

    /// How to write it
    #[arg(short, long, default_value = "svg")]
    format: Format,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Shown {
    /// States that are reached
    States,
    /// Actions that are executed
    Actions,
    /// Timers that are started and stopped
    Timers,
    /// Functions that the application tells of
    Calls,
    /// Nothing but messages
    Nothing,
}

#[derive(Clone, Copy, ValueEnum)]
enum Format {
    /// A picture that needs nothing else
    Svg,
    /// Text for Mermaid, as in Markdown
    Mermaid,
    /// Text for PlantUML
    Plantuml,
    /// Text for Msc-generator, as Trazer writes it
    Msc,
}

pub(super) fn run(arguments: &Arguments) -> anyhow::Result<()> {
    arguments.drawing.draw(|trace, active| {
        let wish = arguments.wish(trace, active)?;
        let sequence = Sequence::of(trace, active, &wish);
        if let Some(note) = sequence.left_out_note() {
            rtoscope_command::message!("{note}; --limit draws more");
        }
        Ok(match arguments.format {
            Format::Svg => svg::render(&sequence),
            Format::Mermaid => mermaid::render(&sequence),
            Format::Plantuml => plantuml::render(&sequence),
            Format::Msc => msc_generator::render(&sequence),
        })
    })
}

impl Arguments {
    fn wish(&self, trace: &Trace, active: &Active) -> anyhow::Result<Wish> {
        let [from, to] = self.window.ticks(trace)?;
        let end = to.map_or(u64::MAX, |to| to.0.saturating_add(1));
        let shows = |what| self.show.contains(&what);
        Ok(Wish {
            window: Window::Time(from.unwrap_or_default()..Ticks(end)),
            objects: self.parties(trace, active)?,
            signals: self.signals.iter().map(|name| Glob::new(name)).collect(),
            show: Show {
                states: shows(Shown::States),
                actions: shows(Shown::Actions),
                timers: shows(Shown::Timers),
                calls: shows(Shown::Calls),
            },
            most: self.limit,
        })
    }

    fn parties(&self, trace: &Trace, active: &Active) -> anyhow::Result<Vec<Party>> {
        let known = sequence::parties(trace, active);
        let mut wanted = Vec::new();
        for pattern in &self.objects {
            let glob = Glob::new(pattern);
            let before = wanted.len();
            let fitting = known.iter().filter(|(_, name)| glob.matches(name));
            wanted.extend(fitting.map(|(party, _)| *party));
            if wanted.len() == before {
                let names: Vec<_> = known.iter().map(|(_, name)| name.as_str()).collect();
                bail!(
                    "nobody is called {pattern:?}; there is {}",
                    names.join(", ")
                );
            }
        }
        Ok(wanted)
    }
}
