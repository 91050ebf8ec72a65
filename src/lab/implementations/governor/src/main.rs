mod lines;

use governor::clock::{Clock, FakeRelativeClock};
use governor::middleware::StateInformationMiddleware;
use governor::state::keyed::DashMapStateStore;
use governor::{Quota, RateLimiter};
use serde_json::{Value, json};
use std::num::NonZeroU32;
use std::time::Duration;

type Cells =
    RateLimiter<String, DashMapStateStore<String>, FakeRelativeClock, StateInformationMiddleware>;

struct Governor {
    clock: FakeRelativeClock,
    limits: Vec<Cells>,
}

fn quota(lines::Limit { limit, per }: &lines::Limit) -> Quota {
    let burst = NonZeroU32::new(*limit).expect("a limit from 1");
    Quota::with_period(*per / *limit).expect("a period above 0").allow_burst(burst)
}

impl lines::Library for Governor {
    const PACKAGE: &'static str = "governor";

    fn move_by(&mut self, time: Duration) {
        self.clock.advance(time);
    }

    fn configure(&mut self, limits: Vec<lines::Limit>) {
        let create = |limit: &lines::Limit| {
            RateLimiter::dashmap_with_clock(quota(limit), self.clock.clone())
                .with_middleware::<StateInformationMiddleware>()
        };
        self.limits = limits.iter().map(create).collect();
    }

    fn decide(&mut self, limit: usize, key: &str, cost: u32) -> Value {
        let cost = NonZeroU32::new(cost).expect("a cost from 1");
        match self.limits[limit].check_key_n(&key.to_owned(), cost) {
            Err(_) => json!({ "admitted": false }), // above its burst: no wait suffices
            Ok(Ok(state)) => {
                json!({ "admitted": true, "remaining": state.remaining_burst_capacity() })
            }
            Ok(Err(refusal)) => {
                let wait = refusal.wait_time_from(self.clock.now());
                json!({ "admitted": false, "retry_after_us": wait.as_nanos() as f64 / 1000.0 })
            }
        }
    }
}

fn main() {
    lines::run(Governor { clock: FakeRelativeClock::default(), limits: Vec::new() });
}
