//! Identifiers and texts in each dialect.

use datafusion::sql::sqlparser::keywords::ALL_KEYWORDS;
use rtoscope_command::query::SqlDialect;

/// An identifier, in quotes unless it is plain.
pub(super) fn identifier(name: &str, dialect: SqlDialect) -> String {
    let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase() || first == '_')
        && name
            .chars()
            .all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == '_');
    let is_keyword = ALL_KEYWORDS
        .binary_search(&&*name.to_ascii_uppercase())
        .is_ok();
    if is_plain && !is_keyword {
        return name.to_owned();
    }
    quoted(name, dialect)
}

/// An identifier in quotes.
pub(super) fn quoted(name: &str, dialect: SqlDialect) -> String {
    match dialect {
        SqlDialect::Spark => format!("`{}`", name.replace('`', "``")),
        _ => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

/// A text.
pub(super) fn text(value: &str, dialect: SqlDialect) -> String {
    let escaped = match dialect {
        // Spark's texts have backslash escapes; two texts side by side are one, so that a
        // doubled quote is not always a quote; and `${name}` is a variable even in a text.
        SqlDialect::Spark => value
            .replace('\\', r"\\")
            .replace('\'', r"\'")
            .replace('$', r"\u0024"),
        _ => value.replace('\'', "''"),
    };
    format!("'{escaped}'")
}

/// A pattern for `LIKE` as DataFusion reads it, with backslash escapes only where the SQL
/// standard allows them: DataFusion takes any character after a backslash as it is, and a
/// backslash at the end too.
pub(super) fn like_pattern(pattern: &str) -> String {
    let mut standard = String::with_capacity(pattern.len());
    let mut rest = pattern.chars();
    while let Some(next) = rest.next() {
        if next != '\\' {
            standard.push(next);
            continue;
        }
        let escaped = rest.next().unwrap_or('\\');
        if matches!(escaped, '%' | '_' | '\\') {
            standard.push('\\');
        }
        standard.push(escaped);
    }
    standard
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_escaped() {
        let hostile = r"it's \' ${x} ''";
        for dialect in [
            SqlDialect::Datafusion,
            SqlDialect::Duckdb,
            SqlDialect::Trino,
        ] {
            assert_eq!(text(hostile, dialect), r"'it''s \'' ${x} '''''");
        }
        let spark = text(hostile, SqlDialect::Spark);
        assert_eq!(spark, r"'it\'s \\\' \u0024{x} \'\''");
    }

    #[test]
    fn identifiers_are_quoted_if_necessary() {
        assert_eq!(identifier("slices", SqlDialect::Spark), "slices");
        assert_eq!(identifier("order", SqlDialect::Spark), "`order`");
        assert_eq!(identifier("a`b", SqlDialect::Spark), "`a``b`");
        assert_eq!(identifier("A\"b", SqlDialect::Trino), "\"A\"\"b\"");
        assert_eq!(identifier("1", SqlDialect::Duckdb), "\"1\"");
    }

    #[test]
    fn patterns_escape_only_wildcards() {
        for (pattern, standard) in [
            ("a%_", "a%_"),
            (r"a\%\_\\", r"a\%\_\\"),
            (r"\a\'", "a'"),
            (r"a\", r"a\\"),
            (r"\\\", r"\\\\"),
        ] {
            assert_eq!(like_pattern(pattern), standard);
        }
    }
}
