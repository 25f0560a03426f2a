//! What the user asked for.

use clap::Parser;
use rtoscope_trace::printable::multiline;

/// The arguments of this program. Ends it where they cannot be understood.
pub fn parse<T: Parser>() -> T {
    T::try_parse().unwrap_or_else(|error| {
        let text = error.render().to_string();
        let printable = multiline(&text);
        // A shell puts names of files there, and they may hold anything.
        if error.use_stderr() && printable != text {
            anstream::eprint!("{printable}");
            std::process::exit(error.exit_code());
        }
        error.exit()
    })
}
