//! Functions in each dialect.

use super::translate::{is_float, parse_expr, substitute};
use anyhow::{Context as _, bail, ensure};
use datafusion::sql::sqlparser::ast::{
    DataType, ExactNumberInfo, Expr, Function, FunctionArg, FunctionArgExpr, FunctionArguments,
};
use rtoscope_command::query::SqlDialect;
use rtoscope_trace::clock::ClockQuality;
use std::fmt::Write as _;

/// Functions with the same meaning in all dialects. `least` and `greatest` have it for
/// values that are not null: Trino's result is null if any of them is, and sources do not
/// give them nulls.
const COMMON: [&str; 12] = [
    "avg",
    "coalesce",
    "count",
    "greatest",
    "lead",
    "least",
    "max",
    "min",
    "nullif",
    "row_number",
    "sqrt",
    "sum",
];

/// Functions of [ranges](super::series).
fn series(dialect: SqlDialect) -> &'static [&'static str] {
    match dialect {
        SqlDialect::Datafusion | SqlDialect::Duckdb => &["generate_series", "unnest"],
        SqlDialect::Spark => &["explode", "sequence"],
        SqlDialect::Trino => &["sequence"],
    }
}

/// The name of a function.
pub(super) fn name_of(function: &Function) -> String {
    function.name.to_string().to_ascii_lowercase()
}

/// The arguments of a function.
pub(super) fn arguments(function: &Function) -> anyhow::Result<Vec<Expr>> {
    let FunctionArguments::List(list) = &function.args else {
        bail!("{} has no list of arguments", function.name);
    };
    let arguments = list.args.iter().map(|argument| match argument {
        FunctionArg::Unnamed(FunctionArgExpr::Expr(expr)) => Ok(expr.clone()),
        _ => bail!("{function} has an argument that is not an expression"),
    });
    arguments.collect()
}

/// The arguments of a function that takes `N`.
pub(super) fn fixed<const N: usize>(function: &Function) -> anyhow::Result<[Expr; N]> {
    let arguments = arguments(function)?.try_into();
    arguments
        .ok()
        .with_context(|| format!("{} takes {N} arguments", function.name))
}

/// A function whose arguments are translated.
pub(super) fn translate(function: &Function, dialect: SqlDialect) -> anyhow::Result<Option<Expr>> {
    let has_clauses = match &function.args {
        FunctionArguments::List(list) => !list.clauses.is_empty(),
        _ => true,
    };
    let is_plain = !has_clauses
        && function.filter.is_none()
        && function.within_group.is_empty()
        && function.null_treatment.is_none();
    ensure!(is_plain, "{function} has clauses");
    let name = name_of(function);
    Ok(Some(match &*name {
        "measures_time" => measures_time(fixed(function)?)?,
        "ticks_to_ns" => ticks_to_ns(fixed(function)?, dialect)?,
        "round" => round(fixed(function)?)?,
        // DuckDB's sum of integers has 128 bits, and its quotients are fractions.
        "sum" if dialect == SqlDialect::Duckdb && !is_float(&Expr::Function(function.clone())) => {
            cast(function, &DataType::BigInt(None))?
        }
        // Spark's has 32 bits, and so would products of it.
        "row_number" if dialect == SqlDialect::Spark => cast(function, &DataType::BigInt(None))?,
        _ if COMMON.contains(&&*name) || series(dialect).contains(&&*name) => return Ok(None),
        _ => bail!("the function {name} has no translation"),
    }))
}

fn cast(function: &Function, data_type: &DataType) -> anyhow::Result<Expr> {
    let mut expr = parse_expr(&format!("CAST($value AS {data_type})"))?;
    substitute(&mut expr, &[("$value", Expr::Function(function.clone()))]);
    Ok(expr)
}

/// Whether a clock measures time, by its quality.
pub(super) fn measures_time([quality]: [Expr; 1]) -> anyhow::Result<Expr> {
    let mut cases = String::new();
    for quality in ClockQuality::ALL {
        let measures = quality.measures_shares();
        let _ = write!(cases, " WHEN '{}' THEN {measures}", quality.name());
    }
    let mut expr = parse_expr(&format!("CASE $quality{cases} END"))?;
    substitute(&mut expr, &[("$quality", quality)]);
    Ok(expr)
}

/// Nanoseconds, rounded down; null if the number of ticks is negative, or the frequency
/// below 1 Hz; the greatest 64-bit integer if they are more. Fractions of 1 Hz do not count.
/// In frequencies above 2⁵³ Hz, which no clock has, databases convert differently: they
/// give null.
pub(super) fn ticks_to_ns(
    [ticks, frequency]: [Expr; 2],
    dialect: SqlDialect,
) -> anyhow::Result<Expr> {
    let template = match dialect {
        SqlDialect::Duckdb => {
            "CASE WHEN $ticks >= 0 AND $hz >= 1 AND $hz <= 9007199254740992 THEN \
            CAST(least(CAST($ticks AS HUGEINT) * 1000000000 // CAST(floor($hz) AS HUGEINT), \
            9223372036854775807) AS BIGINT) END"
        }
        // The division of decimals rounds, unless the dividend is a multiple.
        _ => {
            "CASE WHEN $ticks >= 0 AND $hz >= 1 AND $hz <= 9007199254740992 THEN \
            CAST(least(\
            (CAST($ticks AS DECIMAL(19, 0)) * CAST(1000000000 AS DECIMAL(10, 0)) \
            - CAST($ticks AS DECIMAL(19, 0)) * CAST(1000000000 AS DECIMAL(10, 0)) \
            % CAST(floor($hz) AS DECIMAL(16, 0))) / CAST(floor($hz) AS DECIMAL(16, 0)), \
            CAST(9223372036854775807 AS DECIMAL(19, 0))) AS BIGINT) END"
        }
    };
    let mut expr = parse_expr(template)?;
    substitute(&mut expr, &[("$ticks", ticks), ("$hz", frequency)]);
    Ok(expr)
}

/// As DataFusion computes it: other engines round the decimal digits of a number instead.
fn round([value, places]: [Expr; 2]) -> anyhow::Result<Expr> {
    let places = places.to_string();
    let places: u8 = places
        .parse()
        .with_context(|| format!("round to {places} places"))?;
    let mut expr = parse_expr(&format!("(round($value * 1e{places}) / 1e{places})"))?;
    let value = match value {
        Expr::BinaryOp { .. } => Expr::Nested(Box::new(value)),
        value => value,
    };
    substitute(&mut expr, &[("$value", value)]);
    Ok(expr)
}

/// A type of a `CAST`.
pub(super) fn data_type(
    data_type: &DataType,
    dialect: SqlDialect,
) -> anyhow::Result<Option<DataType>> {
    Ok(match (data_type, dialect) {
        (DataType::BigInt(None) | DataType::Double(ExactNumberInfo::None), _) => None,
        (DataType::Varchar(None), SqlDialect::Spark) => Some(DataType::String(None)),
        (DataType::Varchar(None), _) => None,
        (DataType::IntUnsigned(None), SqlDialect::Datafusion) => None,
        (DataType::IntUnsigned(None), SqlDialect::Duckdb) => Some(DataType::UInt32),
        // They have no unsigned types.
        (DataType::IntUnsigned(None), _) => Some(DataType::BigInt(None)),
        _ => bail!("the type {data_type} has no translation"),
    })
}
