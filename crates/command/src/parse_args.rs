//! Parsing of command lines.

use clap::Parser;
use rtoscope_trace::printable::multiline;

/// Parses the arguments of this program. Prints an error and exits if they are
/// invalid.
pub fn parse<T: Parser>() -> T {
    T::try_parse().unwrap_or_else(|error| {
        let text = error.render().to_string();
        let printable = multiline(&text);
        // Arguments may be file names expanded by a shell, with any characters in
        // them.
        if error.use_stderr() && printable != text {
            anstream::eprint!("{printable}");
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}
