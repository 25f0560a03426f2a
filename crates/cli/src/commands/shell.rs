//! `rtoscope completions` and `rtoscope man`.

use clap::{Args, Command};
use clap_complete::Shell;
use rtoscope_command::output;
use std::io::Write;

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

pub(crate) fn completions(arguments: &CompletionsArgs, mut program: Command) -> anyhow::Result<()> {
    // The generator panics if it cannot write.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut program, "rtoscope", &mut script);
    let mut output = output::stdout();
    output.write_all(&script)?;
    Ok(output.flush()?)
}

/// Writes one manual page with a section per subcommand.
pub(crate) fn man(mut program: Command) -> anyhow::Result<()> {
    program.build();
    let mut output = output::stdout();
    clap_mangen::Man::new(program.clone()).render(&mut output)?;
    for subcommand in program
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
