//! SQL functions for traces.

use crate::ticks::ticks_to_ns;
use arrow::array::{
    Array as _, ArrayRef, AsArray as _, BooleanArray, Int64Array, StringArray, StructArray,
};
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Fields, Float64Type, Int64Type};
use datafusion::common::utils::SingleRowListArrayBuilder;
use datafusion::common::{Result, ScalarValue, exec_err};
use datafusion::logical_expr::{Accumulator, ColumnarValue, Volatility, create_udaf, create_udf};
use datafusion::prelude::SessionContext;
use rtoscope_analysis::report::bins;
use rtoscope_trace::clock::ClockQuality;
use rtoscope_trace::{Frequency, Nanoseconds};
use std::sync::Arc;

/// Registers the functions.
pub(crate) fn register(context: &SessionContext) {
    let int64 = || DataType::Int64;
    context.register_udf(create_udf(
        "format_time",
        vec![int64()],
        DataType::Utf8,
        Volatility::Immutable,
        Arc::new(|arguments: &[ColumnarValue]| {
            let [times] = int64_arguments(arguments)?;
            let times = times.iter().map(|time| time.map(format_time));
            Ok(columnar_value(
                Arc::new(times.collect::<StringArray>()),
                arguments,
            ))
        }),
    ));
    context.register_udf(create_udf(
        "ticks_to_ns",
        vec![int64(), DataType::Float64],
        int64(),
        Volatility::Immutable,
        Arc::new(|arguments: &[ColumnarValue]| {
            let [ticks, hertz] = columns(arguments)?;
            let ticks = cast(&ticks, &DataType::Int64)?;
            let hertz = cast(&hertz, &DataType::Float64)?;
            let ticks = ticks.as_primitive::<Int64Type>().iter();
            let times = ticks.zip(hertz.as_primitive::<Float64Type>());
            let times = times
                .map(|(ticks, hertz)| ticks_to_ns(ticks?, Frequency::from_hertz(hertz? as u64)?));
            Ok(columnar_value(
                Arc::new(times.collect::<Int64Array>()),
                arguments,
            ))
        }),
    ));
    context.register_udf(create_udf(
        "measures_time",
        vec![DataType::Utf8],
        DataType::Boolean,
        Volatility::Immutable,
        Arc::new(|arguments: &[ColumnarValue]| {
            let [qualities] = columns(arguments)?;
            let qualities = cast(&qualities, &DataType::Utf8)?;
            let qualities = qualities.as_string::<i32>().iter();
            let measures =
                qualities.map(|name| Some(ClockQuality::from_name(name?)?.measures_shares()));
            Ok(columnar_value(
                Arc::new(measures.collect::<BooleanArray>()),
                arguments,
            ))
        }),
    ));
    context.register_udf(create_udf(
        "overlap",
        vec![int64(), int64(), int64(), int64()],
        int64(),
        Volatility::Immutable,
        Arc::new(|arguments: &[ColumnarValue]| {
            let columns: [Int64Array; 4] = int64_arguments(arguments)?;
            let rows = 0..columns[0].len();
            let overlap = rows.map(|row| {
                let known = columns.iter().all(|column| column.is_valid(row));
                let [start, end, other, stop] = columns.each_ref().map(|column| column.value(row));
                known.then(|| end.min(stop).saturating_sub(start.max(other)).max(0))
            });
            Ok(columnar_value(
                Arc::new(overlap.collect::<Int64Array>()),
                arguments,
            ))
        }),
    ));
    context.register_udaf(create_udaf(
        "histogram",
        vec![int64()],
        Arc::new(histogram_type()),
        Volatility::Immutable,
        Arc::new(|_| Ok(Box::<HistogramAccumulator>::default())),
        Arc::new(vec![DataType::List(Arc::new(Field::new_list_field(
            int64(),
            true,
        )))]),
    ));
}

/// A formatted time, with a sign if it is negative.
fn format_time(time: i64) -> String {
    let sign = if time < 0 { "-" } else { "" };
    format!("{sign}{}", Nanoseconds(time.unsigned_abs()))
}

/// Arguments as columns of 64-bit integers.
fn int64_arguments<const N: usize>(arguments: &[ColumnarValue]) -> Result<[Int64Array; N]> {
    let mut integers = Vec::with_capacity(N);
    for column in columns::<N>(arguments)? {
        let column = cast(&column, &DataType::Int64)?;
        integers.push(column.as_primitive::<Int64Type>().clone());
    }
    match integers.try_into() {
        Ok(integers) => Ok(integers),
        Err(_) => exec_err!("the function takes {N} arguments"),
    }
}

/// Arguments as columns.
fn columns<const N: usize>(arguments: &[ColumnarValue]) -> Result<[ArrayRef; N]> {
    match ColumnarValue::values_to_arrays(arguments)?.try_into() {
        Ok(columns) => Ok(columns),
        Err(_) => exec_err!("the function takes {N} arguments"),
    }
}

/// A column, or a scalar if all arguments are scalars.
fn columnar_value(column: ArrayRef, arguments: &[ColumnarValue]) -> ColumnarValue {
    let is_single = |argument: &ColumnarValue| matches!(argument, ColumnarValue::Scalar(_));
    match ScalarValue::try_from_array(&column, 0) {
        Ok(only) if arguments.iter().all(is_single) => ColumnarValue::Scalar(only),
        _ => ColumnarValue::Array(column),
    }
}

/// The fields of a histogram bin.
fn histogram_fields() -> Fields {
    let names = ["min", "max", "count"];
    names
        .map(|name| Field::new(name, DataType::Int64, false))
        .to_vec()
        .into()
}

fn histogram_type() -> DataType {
    DataType::List(Arc::new(Field::new_list_field(
        DataType::Struct(histogram_fields()),
        true,
    )))
}

/// Collects durations for a histogram.
#[derive(Debug, Default)]
struct HistogramAccumulator(Vec<u64>);

impl HistogramAccumulator {
    fn add(&mut self, values: &Int64Array) {
        // Durations are not negative.
        let values = values.iter().flatten();
        self.0
            .extend(values.filter_map(|value| u64::try_from(value).ok()));
    }
}

impl Accumulator for HistogramAccumulator {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let [values] = values else {
            return exec_err!("histogram takes one argument");
        };
        let values = cast(values, &DataType::Int64)?;
        self.add(values.as_primitive());
        Ok(())
    }

    fn merge_batch(&mut self, states: &[ArrayRef]) -> Result<()> {
        for state in states {
            for values in state.as_list::<i32>().iter().flatten() {
                self.add(values.as_primitive());
            }
        }
        Ok(())
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        let values = self.0.iter().map(|value| *value as i64);
        let values: Int64Array = values.map(Some).collect();
        let list = SingleRowListArrayBuilder::new(Arc::new(values));
        Ok(vec![list.build_list_scalar()])
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let bins = bins(std::mem::take(&mut self.0));
        let column = |number: fn(&rtoscope_analysis::report::HistogramBin) -> u64| -> ArrayRef {
            let numbers = bins.iter().map(|bin| Some(number(bin) as i64));
            Arc::new(numbers.collect::<Int64Array>())
        };
        let columns = vec![
            column(|it| it.min),
            column(|it| it.max),
            column(|it| it.count),
        ];
        let bins = StructArray::try_new(histogram_fields(), columns, None)?;
        Ok(SingleRowListArrayBuilder::new(Arc::new(bins)).build_list_scalar())
    }

    fn size(&self) -> usize {
        size_of_val(self) + self.0.capacity() * size_of::<u64>()
    }
}
