//! `rtoscope completions` and `rtoscope man`.

use crate::args::Cli;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use rtoscope_command::output;
use std::io::Write;

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArgs) -> anyhow::Result<()> {
    // The generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(
        arguments.shell,
        &mut Cli::command(),
        "rtoscope",
        &mut script,
    );
    let mut output = output::stdout();
    output.write_all(&script)?;
    Ok(output.flush()?)
}

/// Writes one manual page with a section per subcommand.
pub(crate) fn man() -> anyhow::Result<()> {
    let mut command = Cli::command();
    command.build();
    let mut output = output::stdout();
    clap_mangen::Man::new(command.clone()).render(&mut output)?;
    for subcommand in command
        .get_subcommands()
        .filter(|it| it.get_name() != "help")
    {
        writeln!(
            output,
            ".SH \"RTOSCOPE {}\"",
            subcommand.get_name().to_uppercase()
        )?;
        let page = clap_mangen::Man::new(subcommand.clone());
        page.render_synopsis_section(&mut output)?;
        page.render_description_section(&mut output)?;
        page.render_options_section(&mut output)?;
    }
    output.flush()?;
    Ok(())
}
