/// Errors that leave no symbols.
#[derive(Debug, thiserror::Error)]
pub enum SymbolError {
    /// The headers of an ELF file are unusable.
    #[error("the ELF file is damaged: {problem}")]
    ElfDamaged {
        /// The problem.
        problem: String,
    },
    /// The addresses of an ELF file are not those of the target.
    #[error(
        "this is an object file that is not linked, expected the ELF file that runs on the target"
    )]
    NotLinked,
    /// The file is of no known format.
    #[error("this is neither an ELF file nor the output of nm, expected one of them")]
    UnknownFormat,
}
