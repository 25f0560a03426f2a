//! Runs the command in a folder of test data, so that output contains no path of
//! this machine.

pub(crate) mod live;

use assert_cmd::Command;
use rtoscope_generate::cswitch::CswitchOptions;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Writes a context-switch log of a simulated kernel.
pub(crate) fn write_generated_log(path: &Path) {
    let options = CswitchOptions {
        entries: 2000,
        ..CswitchOptions::default()
    };
    let mut file = File::create(path).unwrap();
    rtoscope_generate::cswitch::write(&options, &mut file, &mut |_| ()).unwrap();
}

/// A folder of test data.
#[derive(Clone, Copy)]
pub(crate) struct TestFolder(pub(crate) &'static str);

impl TestFolder {
    pub(crate) fn folder(self) -> PathBuf {
        rtoscope_fixtures::testdata(self.0)
    }

    pub(crate) fn command(self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("rtoscope").unwrap();
        command.args(arguments).current_dir(self.folder());
        command
    }

    pub(crate) fn run(self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs the command, checks its exit code and returns its standard output.
    pub(crate) fn run_with_exit_code(self, arguments: &[&str], code: i32) -> String {
        let output = self.run(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the command successfully and returns its standard output.
    pub(crate) fn stdout(self, arguments: &[&str]) -> String {
        self.run_with_exit_code(arguments, 0)
    }

    /// Runs the command, which must fail, and returns its standard error.
    pub(crate) fn usage_error(self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        let error = String::from_utf8(output.stderr).unwrap();
        assert!(!error.contains("panicked"), "{error}");
        error
    }
}
