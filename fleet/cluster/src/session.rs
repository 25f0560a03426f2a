//! A session whose queries a cluster runs.

use crate::cluster::Cluster;
use crate::join_order::CollectedSideRule;
use crate::planner::ClusterPlanner;
use crate::traces_table::TracesTable;
use crate::window_order::WindowOrderRule;
use anyhow::{Context as _, ensure};
use ballista_core::extension::{
    SessionConfigExt as _, ballista_aggregate_functions, ballista_scalar_functions,
    ballista_window_functions,
};
use ballista_core::optimizer::ballista_default_optimizer_rules;
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_optimizer::optimizer::PhysicalOptimizer;
use datafusion::prelude::{SessionConfig, SessionContext};
use rtoscope_fleet::{Snapshot, TRACES};
use std::sync::Arc;

/// The schemes of stores that the programs of Ballista's releases read.
const SCHEMES: [&str; 2] = ["file", "s3"];

/// Partitions of a query.
const MIN_PARTITIONS: usize = 16;
const MAX_PARTITIONS: usize = 1024;

/// Bytes of the tables for each partition.
const BYTES_PER_PARTITION: u64 = 256 << 20;

/// A session with the tables of a snapshot.
///
/// # Errors
///
/// If the scheduler cannot be reached, or executors cannot read the store.
pub(crate) async fn open(snapshot: &Snapshot, cluster: Cluster) -> anyhow::Result<SessionContext> {
    let scheme = snapshot.url.scheme();
    ensure!(
        SCHEMES.contains(&scheme),
        "{}: the executors of Ballista read {}, not {scheme}",
        snapshot.url,
        SCHEMES.map(|scheme| format!("{scheme}://")).join(" and ")
    );
    cluster.connect().await?;
    let context = session(snapshot, cluster);
    context.register_table(TRACES, Arc::new(TracesTable::new(snapshot)?))?;
    for create in snapshot.views() {
        let created = context.sql(create).await;
        created.with_context(|| create.clone())?;
    }
    Ok(context)
}

/// A session without tables.
fn session(snapshot: &Snapshot, cluster: Cluster) -> SessionContext {
    let bytes: u64 = snapshot.files.iter().map(|file| file.bytes).sum();
    let partitions = usize::try_from(bytes / BYTES_PER_PARTITION).unwrap_or(MAX_PARTITIONS);
    let mut config = SessionConfig::new_with_ballista()
        .with_information_schema(true)
        .with_target_partitions(partitions.clamp(MIN_PARTITIONS, MAX_PARTITIONS))
        // Sorts make a plan deeper, and a scheduler decodes about 45 levels.
        .set_bool("datafusion.optimizer.prefer_hash_join", true)
        // The other mode limits the time of a query.
        .set_bool(ballista_core::config::BALLISTA_CLIENT_PULL, true);
    // Lets errors include the position in the SQL.
    config.options_mut().sql_parser.collect_spans = true;
    let mut rules = PhysicalOptimizer::new().rules;
    let after = rules
        .iter()
        .position(|rule| rule.name() == "join_selection");
    rules.insert(
        after.map_or(0, |index| index + 1),
        Arc::new(CollectedSideRule),
    );
    rules.push(Arc::new(WindowOrderRule));
    let planner = ClusterPlanner {
        cluster: Arc::new(cluster),
    };
    let state = SessionStateBuilder::new()
        .with_default_features()
        .with_config(config)
        .with_optimizer_rules(ballista_default_optimizer_rules())
        .with_physical_optimizer_rules(rules)
        .with_query_planner(Arc::new(planner))
        .with_scalar_functions(ballista_scalar_functions())
        .with_aggregate_functions(ballista_aggregate_functions())
        .with_window_functions(ballista_window_functions());
    SessionContext::new_with_state(state.build())
}
