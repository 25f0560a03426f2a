//! `rtoscope diagram sequence`.

use super::DiagramArgs;
use anyhow::bail;
use clap::{Args, ValueEnum};
use rtoscope_analysis::active::ActiveObjects;
use rtoscope_command::scope::WindowArgs;
use rtoscope_export::SequenceDiagram;
use rtoscope_export::sequence::{
    self, DiagramWindow, RowOptions, SequenceOptions, svg, text_formats,
};
use rtoscope_trace::filter::Glob;
use rtoscope_trace::{Endpoint, Ticks, Trace};

#[derive(Args)]
pub(crate) struct SequenceDiagramArgs {
    #[command(flatten)]
    diagram: DiagramArgs,

    #[command(flatten)]
    window: WindowArgs,

    /// Only rows in which these objects take part, by name or pattern (`wrk*`)
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

    /// Rows to show in addition to messages
    #[arg(
        long,
        value_name = "WHAT",
        value_delimiter = ',',
        default_value = "states,timers,calls"
    )]
    show: Vec<RowKindArg>,

    /// Draw at most N rows; the diagram notes how many more there are
    #[arg(long, value_name = "NUMBER", default_value_t = SequenceOptions::default().max_rows)]
    limit: usize,

    /// Output format
    #[arg(short, long, default_value = "svg")]
    format: SequenceDiagramFormat,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum RowKindArg {
    /// States that are entered
    States,
    /// Actions that run
    Actions,
    /// Timer starts and stops
    Timers,
    /// Function calls that the application traces
    Calls,
    /// Messages only
    Nothing,
}

#[derive(Clone, Copy, ValueEnum)]
enum SequenceDiagramFormat {
    /// Self-contained SVG image
    Svg,
    /// Mermaid text, for Markdown
    Mermaid,
    /// PlantUML text
    Plantuml,
    /// Msc-generator text, as Trazer writes it
    Msc,
}

pub(super) fn run(arguments: &SequenceDiagramArgs) -> anyhow::Result<()> {
    arguments.diagram.write_diagram(|trace, active| {
        let options = arguments.options(trace, active)?;
        let sequence = SequenceDiagram::new(trace, active, &options);
        if let Some(note) = sequence.skipped_rows_note() {
            rtoscope_command::message!("{note}; raise it with --limit");
        }
        Ok(match arguments.format {
            SequenceDiagramFormat::Svg => svg::render(&sequence),
            SequenceDiagramFormat::Mermaid => text_formats::mermaid(&sequence),
            SequenceDiagramFormat::Plantuml => text_formats::plantuml(&sequence),
            SequenceDiagramFormat::Msc => text_formats::msc_generator(&sequence),
        })
    })
}

impl SequenceDiagramArgs {
    fn options(&self, trace: &Trace, active: &ActiveObjects) -> anyhow::Result<SequenceOptions> {
        let [from, to] = self.window.ticks(trace)?;
        let end = to.map_or(u64::MAX, |to| to.0.saturating_add(1));
        let shows = |row_kind| self.show.contains(&row_kind);
        Ok(SequenceOptions {
            window: DiagramWindow::Time(from.unwrap_or_default()..Ticks(end)),
            objects: self.select_endpoints(trace, active)?,
            signals: self.signals.iter().map(|name| Glob::new(name)).collect(),
            show: RowOptions {
                states: shows(RowKindArg::States),
                actions: shows(RowKindArg::Actions),
                timers: shows(RowKindArg::Timers),
                calls: shows(RowKindArg::Calls),
            },
            max_rows: self.limit,
        })
    }

    fn select_endpoints(
        &self,
        trace: &Trace,
        active: &ActiveObjects,
    ) -> anyhow::Result<Vec<Endpoint>> {
        let known = sequence::endpoints(trace, active);
        let mut wanted = Vec::new();
        for pattern in &self.objects {
            let glob = Glob::new(pattern);
            let before = wanted.len();
            let fitting = known.iter().filter(|(_, name)| glob.matches(name));
            wanted.extend(fitting.map(|(endpoint, _)| *endpoint));
            if wanted.len() == before {
                let names: Vec<_> = known.iter().map(|(_, name)| name.as_str()).collect();
                bail!(
                    "no object matches {pattern:?}; available: {}",
                    names.join(", ")
                );
            }
        }
        Ok(wanted)
    }
}
