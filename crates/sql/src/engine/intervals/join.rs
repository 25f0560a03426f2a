//! The join: rows of the right side search an index of the left side.

use super::condition::OverlapCondition;
use super::index::{IntervalIndex, Pending};
use arrow::array::{
    Array as _, ArrayRef, AsArray as _, BooleanArray, PrimitiveArray, RecordBatch,
    RecordBatchOptions, UInt32Array,
};
use arrow::compute::{cast, concat_batches, filter, take};
use arrow::datatypes::{DataType, Int64Type, Schema, SchemaRef, UInt32Type};
use arrow::row::{RowConverter, Rows, SortField};
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::common::{JoinSide, Result, exec_err, internal_err};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::joins::utils::JoinFilter;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::{
    DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties, ReplaceChildrenOptions, collect,
};
use futures::{StreamExt as _, TryStreamExt as _};
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;
use tokio::sync::OnceCell;

/// Rows per batch.
const BATCH_ROWS: usize = 8192;

/// Batches in the channel to the consumer.
const CHANNEL_CAPACITY: usize = 2;

/// The inputs of the join.
#[derive(Debug, Clone)]
pub(super) struct JoinInputs {
    pub(super) left: Arc<dyn ExecutionPlan>,
    pub(super) right: Arc<dyn ExecutionPlan>,
    /// Expressions that must be equal.
    pub(super) on: Vec<(Arc<dyn PhysicalExpr>, Arc<dyn PhysicalExpr>)>,
    /// Whether one partition of the left side serves all partitions of the
    /// right side.
    pub(super) is_left_shared: bool,
    /// The columns of the result; all columns if `None`.
    pub(super) projection: Option<Vec<usize>>,
}

/// An inner join that keeps the order of the right side's rows.
#[derive(Debug)]
pub(super) struct IntervalJoin {
    inputs: JoinInputs,
    condition: OverlapCondition,
    properties: Arc<PlanProperties>,
    /// The index of a shared left side.
    shared: Arc<OnceCell<Arc<BuildSide>>>,
}

impl IntervalJoin {
    pub(super) fn new(
        inputs: JoinInputs,
        condition: OverlapCondition,
        properties: Arc<PlanProperties>,
    ) -> Self {
        Self {
            inputs,
            condition,
            properties,
            shared: Arc::default(),
        }
    }

    /// The same join with other inputs.
    fn with_inputs(&self, inputs: Vec<Arc<dyn ExecutionPlan>>) -> Result<Arc<dyn ExecutionPlan>> {
        let Ok([left, right]) = <[_; 2]>::try_from(inputs) else {
            return internal_err!("a join has two inputs");
        };
        let inputs = JoinInputs {
            left,
            right,
            ..self.inputs.clone()
        };
        let (condition, properties) = (self.condition.clone(), Arc::clone(&self.properties));
        Ok(Arc::new(Self::new(inputs, condition, properties)))
    }
}

impl DisplayAs for IntervalJoin {
    fn fmt_as(&self, _: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let on = self.inputs.on.iter();
        let on: Vec<_> = on
            .map(|(left, right)| format!("{left} = {right}"))
            .collect();
        let (below, above) = (&self.condition.below, &self.condition.above);
        write!(f, "IntervalJoin: on=[{}], {below}, {above}", on.join(", "))?;
        match &self.condition.rest {
            Some(rest) => write!(f, ", filter={rest}"),
            None => Ok(()),
        }
    }
}

impl ExecutionPlan for IntervalJoin {
    fn name(&self) -> &str {
        "IntervalJoin"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        &self.properties
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        vec![&self.inputs.left, &self.inputs.right]
    }

    fn maintains_input_order(&self) -> Vec<bool> {
        vec![false, true]
    }

    fn apply_expressions(
        &self,
        visit: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        let on = self
            .inputs
            .on
            .iter()
            .flat_map(|(left, right)| [left, right]);
        let bounds = [&self.condition.below, &self.condition.above];
        let bounds = bounds.into_iter().flat_map(|it| [&it.left, &it.right]);
        let rest = self.condition.rest.as_ref().map(JoinFilter::expression);
        for value in on.chain(bounds).chain(rest) {
            if visit(value)? == TreeNodeRecursion::Stop {
                return Ok(TreeNodeRecursion::Stop);
            }
        }
        Ok(TreeNodeRecursion::Continue)
    }

    fn replace_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
        _: ReplaceChildrenOptions,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.with_inputs(children)
    }

    fn with_new_children(
        self: Arc<Self>,
        children: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        self.with_inputs(children)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let mut builder = RecordBatchReceiverStreamBuilder::new(self.schema(), CHANNEL_CAPACITY);
        let output = builder.tx();
        let right = self.inputs.right.execute(partition, Arc::clone(&context))?;
        let (inputs, condition) = (self.inputs.clone(), self.condition.clone());
        let (shared, schema) = (Arc::clone(&self.shared), self.schema());
        builder.spawn(async move {
            let read = || BuildSide::read(&inputs, &condition, partition, context);
            let left = match inputs.is_left_shared {
                true => Arc::clone(shared.get_or_try_init(read).await?),
                false => read().await?,
            };
            let mut probe = Probe::new(&inputs, &condition, left, schema)?;
            let mut right = right;
            while let Some(batch) = right.next().await {
                let batch = batch?;
                let mut start = 0;
                while start < batch.num_rows() {
                    start = probe.find(&batch, start)?;
                    for joined in probe.take_joined(&batch)? {
                        if output.send(Ok(joined)).await.is_err() {
                            return Ok(());
                        }
                    }
                }
                probe.batch = None;
            }
            Ok(())
        });
        Ok(builder.build())
    }
}

/// The rows of the left side, indexed.
#[derive(Debug)]
struct BuildSide {
    rows: RecordBatch,
    /// The index number of each key.
    keys: HashMap<Box<[u8]>, usize>,
    indexes: Vec<IntervalIndex>,
}

impl BuildSide {
    async fn read(
        inputs: &JoinInputs,
        condition: &OverlapCondition,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<Arc<Self>> {
        let rows: Vec<RecordBatch> = if inputs.is_left_shared {
            collect(Arc::clone(&inputs.left), context).await?
        } else {
            inputs
                .left
                .execute(partition, context)?
                .try_collect()
                .await?
        };
        let rows = concat_batches(&inputs.left.schema(), &rows)?;
        if u32::try_from(rows.num_rows()).is_err() {
            return exec_err!("a side of the join has more than 2³² rows");
        }
        let on: Vec<_> = inputs.on.iter().map(|(left, _)| Arc::clone(left)).collect();
        let firsts = int64_values(&condition.below.left, &rows)?;
        let seconds = int64_values(&condition.above.left, &rows)?;
        let mut converter = converter(&on, &inputs.left.schema())?;
        let keys = JoinKeys::new(&mut converter, &on, &rows)?;
        let mut numbers: HashMap<Box<[u8]>, usize> = HashMap::new();
        let mut groups: Vec<Vec<(i64, i64, u32)>> = Vec::new();
        let mut previous: Option<(&[u8], usize)> = None;
        for row in 0..rows.num_rows() {
            if firsts.is_null(row) || seconds.is_null(row) {
                continue;
            }
            let Some(key) = keys.key(row) else { continue };
            let number = match previous {
                Some((key_of_previous, number)) if key_of_previous == key => number,
                _ => match numbers.get(key) {
                    Some(number) => *number,
                    None => {
                        numbers.insert(key.into(), groups.len());
                        groups.push(Vec::new());
                        groups.len() - 1
                    }
                },
            };
            previous = Some((key, number));
            groups[number].push((firsts.value(row), seconds.value(row), row as u32));
        }
        Ok(Arc::new(Self {
            indexes: groups.into_iter().map(IntervalIndex::new).collect(),
            keys: numbers,
            rows,
        }))
    }
}

/// Searches the left side for rows of the right side.
struct Probe<'a> {
    inputs: &'a JoinInputs,
    condition: &'a OverlapCondition,
    left: Arc<BuildSide>,
    schema: SchemaRef,
    on: Vec<Arc<dyn PhysicalExpr>>,
    converter: RowConverter,
    /// The evaluated expressions of the current batch.
    batch: Option<ProbeBatch>,
    /// Pairs found so far.
    pairs: [Vec<u32>; 2],
    pending: Pending,
}

/// The evaluated expressions of a batch of the right side.
struct ProbeBatch {
    keys: JoinKeys,
    upper_bounds: PrimitiveArray<Int64Type>,
    lower_bounds: PrimitiveArray<Int64Type>,
}

impl<'a> Probe<'a> {
    fn new(
        inputs: &'a JoinInputs,
        condition: &'a OverlapCondition,
        left: Arc<BuildSide>,
        schema: SchemaRef,
    ) -> Result<Self> {
        let on: Vec<_> = inputs
            .on
            .iter()
            .map(|(_, right)| Arc::clone(right))
            .collect();
        Ok(Self {
            inputs,
            condition,
            left,
            schema,
            converter: converter(&on, &inputs.right.schema())?,
            on,
            batch: None,
            pairs: [Vec::new(), Vec::new()],
            pending: Pending::new(),
        })
    }

    /// Finds pairs for the rows of a batch from `start` on until there are
    /// enough; returns the first row that is left.
    fn find(&mut self, rows: &RecordBatch, start: usize) -> Result<usize> {
        if self.batch.is_none() {
            self.batch = Some(ProbeBatch {
                keys: JoinKeys::new(&mut self.converter, &self.on, rows)?,
                upper_bounds: int64_values(&self.condition.below.right, rows)?,
                lower_bounds: int64_values(&self.condition.above.right, rows)?,
            });
        }
        let Some(batch) = &self.batch else {
            return internal_err!("the batch is set");
        };
        let [lefts, rights] = &mut self.pairs;
        let mut previous: Option<(&[u8], Option<&IntervalIndex>)> = None;
        for row in start..rows.num_rows() {
            if lefts.len() >= BATCH_ROWS {
                return Ok(row);
            }
            let Some(key) = batch.keys.key(row) else {
                continue;
            };
            let index = match previous {
                Some((key_of_previous, index)) if key_of_previous == key => index,
                _ => {
                    let number = self.left.keys.get(key);
                    number.and_then(|number| self.left.indexes.get(*number))
                }
            };
            previous = Some((key, index));
            if batch.upper_bounds.is_null(row) || batch.lower_bounds.is_null(row) {
                continue;
            }
            let max_first = self.condition.below.limit(batch.upper_bounds.value(row));
            let min_second = self.condition.above.limit(batch.lower_bounds.value(row));
            if let (Some(index), Some(max_first), Some(min_second)) = (index, max_first, min_second)
            {
                index.find(max_first, min_second, &mut self.pending, |left| {
                    lefts.push(left);
                    rights.push(row as u32);
                });
            }
        }
        Ok(rows.num_rows())
    }

    /// The joined rows of the pairs found so far.
    fn take_joined(&mut self, right: &RecordBatch) -> Result<Vec<RecordBatch>> {
        let [lefts, rights] = std::mem::take(&mut self.pairs);
        let pairs = lefts.chunks(BATCH_ROWS).zip(rights.chunks(BATCH_ROWS));
        let joined = pairs.map(|(lefts, rights)| {
            let pairs = [lefts, rights].map(|rows| UInt32Array::from(rows.to_vec()));
            self.rows(right, &self.filter_pairs(right, pairs)?)
        });
        joined.collect()
    }

    /// The pairs for which the rest of the condition holds.
    fn filter_pairs(
        &self,
        right: &RecordBatch,
        pairs: [UInt32Array; 2],
    ) -> Result<[UInt32Array; 2]> {
        let Some(rest) = &self.condition.rest else {
            return Ok(pairs);
        };
        let columns = rest.column_indices().iter().map(|column| {
            let (rows, pairs) = match column.side {
                JoinSide::Left => (&self.left.rows, &pairs[0]),
                _ => (right, &pairs[1]),
            };
            Ok(take(rows.column(column.index), pairs, None)?)
        });
        let columns: Vec<ArrayRef> = columns.collect::<Result<_>>()?;
        let rows = batch(rest.schema(), columns, pairs[0].len())?;
        let matches = rest
            .expression()
            .evaluate(&rows)?
            .into_array(rows.num_rows())?;
        let matches = cast(&matches, &DataType::Boolean)?;
        let matches: &BooleanArray = matches.as_boolean();
        let [lefts, rights] = pairs.map(|rows| filter(&rows, matches));
        let [lefts, rights] = [lefts?, rights?];
        Ok([lefts, rights].map(|rows| rows.as_primitive::<UInt32Type>().clone()))
    }

    /// The columns of both inputs for pairs of rows.
    fn rows(&self, right: &RecordBatch, pairs: &[UInt32Array; 2]) -> Result<RecordBatch> {
        let [lefts, rights] = pairs;
        let left_columns = self.left.rows.num_columns();
        let column = |column: usize| {
            Ok(match column.checked_sub(left_columns) {
                None => take(self.left.rows.column(column), lefts, None)?,
                Some(column) => take(right.column(column), rights, None)?,
            })
        };
        let columns: Vec<ArrayRef> = match &self.inputs.projection {
            Some(columns) => columns.iter().copied().map(column).collect::<Result<_>>()?,
            None => {
                let all = 0..left_columns + right.num_columns();
                all.map(column).collect::<Result<_>>()?
            }
        };
        batch(&self.schema, columns, lefts.len())
    }
}

/// The values of the equality expressions in each row.
struct JoinKeys {
    /// `None` without equality expressions.
    keys: Option<Rows>,
    values: Vec<ArrayRef>,
}

impl JoinKeys {
    fn new(
        converter: &mut RowConverter,
        on: &[Arc<dyn PhysicalExpr>],
        rows: &RecordBatch,
    ) -> Result<Self> {
        let value =
            |value: &Arc<dyn PhysicalExpr>| value.evaluate(rows)?.into_array(rows.num_rows());
        let values: Vec<ArrayRef> = on.iter().map(value).collect::<Result<_>>()?;
        let keys = match values.is_empty() {
            true => None,
            false => Some(converter.convert_columns(&values)?),
        };
        Ok(Self { keys, values })
    }

    /// The key of a row; `None` if it has a null, which equals nothing.
    fn key(&self, row: usize) -> Option<&[u8]> {
        if self.values.iter().any(|values| values.is_null(row)) {
            return None;
        }
        Some(self.keys.as_ref().map_or(&[], |keys| keys.row(row).data()))
    }
}

fn converter(on: &[Arc<dyn PhysicalExpr>], schema: &Schema) -> Result<RowConverter> {
    let field = |value: &Arc<dyn PhysicalExpr>| Ok(SortField::new(value.data_type(schema)?));
    let fields = on.iter().map(field).collect::<Result<_>>()?;
    Ok(RowConverter::new(fields)?)
}

/// The values of an integer expression.
fn int64_values(
    value: &Arc<dyn PhysicalExpr>,
    rows: &RecordBatch,
) -> Result<PrimitiveArray<Int64Type>> {
    let values = value.evaluate(rows)?.into_array(rows.num_rows())?;
    let values = cast(&values, &DataType::Int64)?;
    Ok(values.as_primitive::<Int64Type>().clone())
}

/// A batch, which can have rows without any column.
fn batch(schema: &SchemaRef, columns: Vec<ArrayRef>, rows: usize) -> Result<RecordBatch> {
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    let schema = Arc::clone(schema);
    Ok(RecordBatch::try_new_with_options(
        schema, columns, &options,
    )?)
}
