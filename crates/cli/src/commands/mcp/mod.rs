//! `rtoscope mcp`: answers the questions of assistants by the Model Context Protocol.

mod answer;
mod parameters;
mod recordings;
mod server;
mod tools;

use super::check::RuleArgs;
use anyhow::Context as _;
use clap::Args;
use recordings::Recordings;
use rmcp::ServiceExt as _;
use rmcp::service::ServerInitializeError;
use rmcp::transport::stdio;
use rtoscope_command::input::{DecodeArgs, FilesArgs, GivenDecodeOptions, TimingArgs};
use server::McpServer;

#[derive(Args)]
pub(crate) struct McpArgs {
    // Before the options that it inspects.
    #[command(flatten)]
    given: GivenDecodeOptions,

    #[command(flatten)]
    files: FilesArgs,

    #[command(flatten)]
    rules: RuleArgs,

    #[command(flatten)]
    decode: DecodeArgs,

    #[command(flatten)]
    timing: TimingArgs,
}

pub(crate) fn run(arguments: McpArgs) -> anyhow::Result<()> {
    let rules = arguments.rules.read(&arguments.decode)?;
    let server = McpServer::new(Recordings::new(arguments)?, rules);
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(2).enable_all().build()?;
    let ended = runtime.block_on(async {
        match server.serve(stdio()).await {
            // The client has ended before it began.
            Err(ServerInitializeError::ConnectionClosed(_)) => {}
            running => drop(running?.waiting().await?),
        }
        anyhow::Ok(())
    });
    // Reports that are still computed have no reader any more.
    runtime.shutdown_background();
    ended.context("the client")
}
