//! The configuration file of RKH's own host tool, `trazer.cfg`: one setting
//! `KEY = number` per line, with comments after `#`. Settings that the tool
//! does not support can follow `#!`, which it treats as a comment.
//!
//! References: `config.cpp` of Trazer 3.2 and 1.3, and RKH's documentation.

use super::{ConfigurationError, ConfigurationProblem, ParsedConfiguration};
use rtoscope_wire::rkh::StreamConfiguration;
use rtoscope_wire::rkh::config::CONFIGURATION_KEYS;
use std::collections::HashMap;

/// The effect of a setting on the record layout.
enum SettingEffect {
    /// It sets this key.
    Key(&'static str),
    /// It selects records or configures the host, and does not affect the
    /// layout.
    None,
}

/// All settings that the tool supports, those that it names but rejects, and
/// those in its documentation.
const TRAZER_SETTINGS: &[(&str, SettingEffect)] = &[
    ("TRAZER_EN_SENDER", SettingEffect::Key("sender")),
    ("TRAZER_EN_NSEQ", SettingEffect::Key("nseq")),
    ("TRAZER_EN_CHK", SettingEffect::Key("chk")),
    ("TRAZER_EN_TSTAMP", SettingEffect::Key("tstamp")),
    ("TRAZER_SIZEOF_TSTAMP", SettingEffect::Key("tssize")),
    ("TRAZER_SIZEOF_SIG", SettingEffect::Key("sig")),
    ("TRAZER_SIZEOF_POINTER", SettingEffect::Key("ptr")),
    ("TRAZER_SIZEOF_NTIMER", SettingEffect::Key("ntimer")),
    ("TRAZER_SIZEOF_NBLOCK", SettingEffect::Key("nblock")),
    ("TRAZER_SIZEOF_NELEM", SettingEffect::Key("nelem")),
    ("TRAZER_SIZEOF_ESIZE", SettingEffect::Key("esize")),
    ("TRAZER_SIZEOF_BSIZE", SettingEffect::Key("bsize")),
    ("TRAZER_RQ_EN_GET_LWMARK", SettingEffect::Key("quelwm")),
    ("TRAZER_QUE_EN_GET_LWMARK", SettingEffect::Key("quelwm")),
    ("TRAZER_MP_EN_GET_LWM", SettingEffect::Key("mplwm")),
    ("TRAZER_SIZEOF_FUN_POINTER", SettingEffect::Key("fun")),
    ("X_SIZEOF_FUN_POINTER", SettingEffect::Key("fun")),
    ("TRAZER_SIZEOF_TE_ID", SettingEffect::Key("id")),
    ("TRAZER_CHK_TSTAMP", SettingEffect::Key("chkts")),
    ("TRAZER_RUNTIME_FILTER", SettingEffect::None),
    ("TRAZER_EN_USER_TRACE", SettingEffect::None),
    ("TRAZER_ALL", SettingEffect::None),
    ("TRAZER_EN_MP", SettingEffect::None),
    ("TRAZER_EN_RQ", SettingEffect::None),
    ("TRAZER_EN_QUE", SettingEffect::None),
    ("TRAZER_EN_SMA", SettingEffect::None),
    ("TRAZER_EN_TIM", SettingEffect::None),
    ("TRAZER_EN_TMR", SettingEffect::None),
    ("TRAZER_EN_SM", SettingEffect::None),
    ("TRAZER_EN_FWK", SettingEffect::None),
    ("TRAZER_EN_RKH", SettingEffect::None),
    ("TRAZER_EN_ASSERT", SettingEffect::None),
    ("TRAZER_MAX_EPOOL", SettingEffect::None),
];

pub(super) fn parse(text: &str) -> Result<ParsedConfiguration, ConfigurationError> {
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
            return Err(fail(ConfigurationProblem::NotASetting(setting.to_owned())));
        };
        let (key, value) = (key.trim(), value.trim());
        any |= !is_ours;
        let value = match (
            TRAZER_SETTINGS.iter().find(|(name, _)| *name == key),
            value.parse(),
        ) {
            (None, _) if is_ours => continue,
            (None, _) => return Err(fail(ConfigurationProblem::UnknownKey(key.to_owned()))),
            (Some(_), Err(_)) => {
                let (key, value) = (key.to_owned(), value.to_owned());
                return Err(fail(ConfigurationProblem::NotANumber { key, value }));
            }
            (Some((_, SettingEffect::None)), Ok(_)) => continue,
            (Some((_, SettingEffect::Key(key))), Ok(value)) => (*key, value),
        };
        settings.insert(value.0, (value.1, number));
    }
    if !any {
        return Err(ConfigurationError::new(None, ConfigurationProblem::Empty));
    }
    let mut configuration = StreamConfiguration::default();
    // In the order of `CONFIGURATION_KEYS`: whether there are timestamps must be known before
    // their size.
    for key in CONFIGURATION_KEYS {
        if let Some((value, line)) = settings.get(key.name) {
            let set = configuration.set(key.name, *value);
            set.map_err(|error| ConfigurationError::new(Some(*line), error.into()))?;
        }
    }
    Ok(ParsedConfiguration {
        configuration,
        function_width: settings.get("fun").map(|_| configuration.function),
        checksum_covers_timestamp: settings
            .get("chkts")
            .map(|_| configuration.checksum_covers_timestamp),
        given: CONFIGURATION_KEYS
            .iter()
            .map(|key| key.name)
            .filter(|name| settings.contains_key(name))
            .collect(),
    })
}
