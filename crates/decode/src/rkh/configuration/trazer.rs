//! The configuration file of RKH's own host tool, `trazer.cfg`: a line a
//! setting, `KEY = number`, with comments behind `#`. What the tool does not
//! know can be said behind `#!`, which is a comment to it.
//!
//! Facts: `config.cpp` of Trazer 3.2 and 1.3, and RKH's documentation.

use super::{ConfigurationError, Given, Problem};
use rtoscope_wire::rkh::Configuration;
use rtoscope_wire::rkh::config::KEYS;
use std::collections::HashMap;

/// What a setting says of the records' layout.
enum Effect {
    /// It is one of ours.
    Key(&'static str),
    /// Which records there are, or what the host does: nothing about their layout.
    None,
}

/// All that the tool knows, or rejects though it names them, or its
/// documentation names.
const SETTINGS: &[(&str, Effect)] = &[
    ("TRAZER_EN_SENDER", Effect::Key("sender")),
    ("TRAZER_EN_NSEQ", Effect::Key("nseq")),
    ("TRAZER_EN_CHK", Effect::Key("chk")),
    ("TRAZER_EN_TSTAMP", Effect::Key("tstamp")),
    ("TRAZER_SIZEOF_TSTAMP", Effect::Key("tssize")),
    ("TRAZER_SIZEOF_SIG", Effect::Key("sig")),
    ("TRAZER_SIZEOF_POINTER", Effect::Key("ptr")),
    ("TRAZER_SIZEOF_NTIMER", Effect::Key("ntimer")),
    ("TRAZER_SIZEOF_NBLOCK", Effect::Key("nblock")),
    ("TRAZER_SIZEOF_NELEM", Effect::Key("nelem")),
    ("TRAZER_SIZEOF_ESIZE", Effect::Key("esize")),
    ("TRAZER_SIZEOF_BSIZE", Effect::Key("bsize")),
    ("TRAZER_RQ_EN_GET_LWMARK", Effect::Key("quelwm")),
    ("TRAZER_QUE_EN_GET_LWMARK", Effect::Key("quelwm")),
    ("TRAZER_MP_EN_GET_LWM", Effect::Key("mplwm")),
    ("TRAZER_SIZEOF_FUN_POINTER", Effect::Key("fun")),
    ("X_SIZEOF_FUN_POINTER", Effect::Key("fun")),
    ("TRAZER_RUNTIME_FILTER", Effect::None),
    ("TRAZER_EN_USER_TRACE", Effect::None),
    ("TRAZER_ALL", Effect::None),
    ("TRAZER_EN_MP", Effect::None),
    ("TRAZER_EN_RQ", Effect::None),
    ("TRAZER_EN_QUE", Effect::None),
    ("TRAZER_EN_SMA", Effect::None),
    ("TRAZER_EN_TIM", Effect::None),
    ("TRAZER_EN_TMR", Effect::None),
    ("TRAZER_EN_SM", Effect::None),
    ("TRAZER_EN_FWK", Effect::None),
    ("TRAZER_EN_RKH", Effect::None),
    ("TRAZER_EN_ASSERT", Effect::None),
    ("TRAZER_MAX_EPOOL", Effect::None),
];

pub(super) fn parse(text: &str) -> Result<Given, ConfigurationError> {
    let mut settings = HashMap::new();
    let mut any = false;
    for (line, number) in text.lines().zip(1_u64..) {
        let line = line.trim();
        let (setting, is_ours) = match line.strip_prefix("#!") {
            Some(setting) => (setting, true),
            None => (line, false),
        };
        let setting = setting.split('#').next().unwrap_or_default().trim();
        if setting.is_empty() {
            continue;
        }
        let fail = |problem| ConfigurationError::new(Some(number), problem);
        let Some((key, value)) = setting.split_once('=') else {
            if is_ours {
                continue;
            }
            return Err(fail(Problem::NoSetting(setting.to_owned())));
        };
        let (key, value) = (key.trim(), value.trim());
        any |= !is_ours;
        let value = match (
            SETTINGS.iter().find(|(name, _)| *name == key),
            value.parse(),
        ) {
            (None, _) if is_ours => continue,
            (None, _) => return Err(fail(Problem::UnknownKey(key.to_owned()))),
            (Some(_), Err(_)) => {
                let (key, value) = (key.to_owned(), value.to_owned());
                return Err(fail(Problem::NoNumber { key, value }));
            }
            (Some((_, Effect::None)), Ok(_)) => continue,
            (Some((_, Effect::Key(key))), Ok(value)) => (*key, value),
        };
        settings.insert(value.0, (value.1, number));
    }
    if !any {
        return Err(ConfigurationError::new(None, Problem::Empty));
    }
    let mut configuration = Configuration::default();
    // In their own order: whether there are stamps comes before their size.
    for key in KEYS {
        if let Some((value, line)) = settings.get(key.name) {
            let set = configuration.set(key.name, *value);
            set.map_err(|error| ConfigurationError::new(Some(*line), error.into()))?;
        }
    }
    Ok(Given {
        configuration,
        function: settings.get("fun").map(|_| configuration.function),
    })
}
