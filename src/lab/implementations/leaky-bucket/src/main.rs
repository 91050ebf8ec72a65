mod lines;

use leaky_bucket::RateLimiter;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::time::Duration;
use tokio::runtime::{Builder, Runtime};

/// It reads tokio's clock, which stands still in a runtime that is paused.
struct LeakyBucket {
    runtime: Runtime,
    limits: Vec<(lines::Limit, HashMap<String, RateLimiter>)>,
}

impl lines::Library for LeakyBucket {
    const PACKAGE: &'static str = "leaky-bucket";

    fn move_by(&mut self, time: Duration) {
        self.runtime.block_on(tokio::time::advance(time));
    }

    fn configure(&mut self, limits: Vec<lines::Limit>) {
        self.limits = limits.into_iter().map(|limit| (limit, HashMap::new())).collect();
    }

    fn decide(&mut self, limit: usize, key: &str, cost: u32) -> Value {
        let (lines::Limit { limit, per }, buckets) = &mut self.limits[limit];
        let limit = *limit as usize;
        self.runtime.block_on(async {
            let bucket = buckets.entry(key.to_owned()).or_insert_with(|| {
                RateLimiter::builder().initial(limit).max(limit).refill(limit).interval(*per).build()
            });
            let admitted = bucket.try_acquire(cost as usize);
            json!({ "admitted": admitted, "limit": limit, "remaining": bucket.balance() })
        })
    }
}

fn main() {
    let runtime = Builder::new_current_thread().enable_time().start_paused(true).build();
    lines::run(LeakyBucket { runtime: runtime.expect("a runtime"), limits: Vec::new() });
}
