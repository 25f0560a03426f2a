//! `rtoscope schema`: the JSON schema of a document.

use super::catalogue::{CatalogueDocument, RegistryDocument};
use super::critical_path::CriticalPathDocument;
use super::doctor::DoctorDocument;
use super::info::InfoDocument;
use clap::{Args, ValueEnum};
use rtoscope_analysis::alignment::MergeDocument;
use rtoscope_analysis::check::CheckDocument;
use rtoscope_analysis::compare::{Baseline, ComparisonDocument};
use rtoscope_analysis::report::ReportDocument;
use rtoscope_command::output::{self, json_schema};
use serde_json::Value;

#[derive(Args)]
pub(crate) struct SchemaArgs {
    /// The command whose document is described
    #[arg(value_name = "DOCUMENT")]
    document: DocumentKind,
}

/// A document that a command writes with `--format json`.
#[derive(Clone, Copy, ValueEnum)]
enum DocumentKind {
    Info,
    Report,
    CriticalPath,
    Check,
    Compare,
    /// Of `compare --save-baseline`
    Baseline,
    Merge,
    Doctor,
    Catalogue,
    /// Of `catalogue --objects`
    RegistryTypes,
}

pub(crate) fn run(arguments: &SchemaArgs) -> anyhow::Result<()> {
    output::write_json(&schema(arguments.document))
}

fn schema(document: DocumentKind) -> Value {
    match document {
        DocumentKind::Info => json_schema::<InfoDocument>(),
        DocumentKind::Report => json_schema::<ReportDocument>(),
        DocumentKind::CriticalPath => json_schema::<CriticalPathDocument<'_>>(),
        DocumentKind::Check => json_schema::<CheckDocument>(),
        DocumentKind::Compare => json_schema::<ComparisonDocument>(),
        DocumentKind::Baseline => json_schema::<Baseline>(),
        DocumentKind::Merge => json_schema::<MergeDocument>(),
        DocumentKind::Doctor => json_schema::<DoctorDocument<'_>>(),
        DocumentKind::Catalogue => json_schema::<CatalogueDocument<'_>>(),
        DocumentKind::RegistryTypes => json_schema::<RegistryDocument>(),
    }
}
