//! The protocol for limiters written in Rust. The limiter is main.rs in the same folder: it moves its own clock, because
//! each library has another one.

use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::time::Duration;

pub struct Limit {
    pub limit: u32,
    pub per: Duration,
}

/// A library, with one budget for each limit and key.
pub trait Library {
    /// Of the package in Cargo.lock.
    const PACKAGE: &'static str;
    fn move_by(&mut self, time: Duration);
    fn configure(&mut self, limits: Vec<Limit>);
    fn decide(&mut self, limit: usize, key: &str, cost: u32) -> Value;
}

/// What was compiled, which Cargo.lock has.
fn version(package: &str) -> &'static str {
    let lock = include_str!("../Cargo.lock");
    let name = format!("name = \"{package}\"\nversion = \"");
    lock.split_once(name.as_str())
        .and_then(|(_, rest)| rest.split_once('"'))
        .map_or("unknown", |(version, _)| version)
}

fn micros(question: &Value, field: &str) -> Result<u64, String> {
    question[field].as_u64().ok_or(format!("{field} is missing"))
}

fn limits(question: &Value) -> Result<Vec<Limit>, String> {
    let read = |each: &Value| -> Result<Limit, String> {
        let limit = each["limit"].as_u64().ok_or("limit is missing")?;
        let limit = u32::try_from(limit).map_err(|error| error.to_string())?;
        Ok(Limit { limit, per: Duration::from_micros(micros(each, "per_us")?) })
    };
    question["limits"].as_array().ok_or("limits are missing")?.iter().map(read).collect()
}

struct Session<L> {
    library: L,
    now_us: u64,
}

impl<L: Library> Session<L> {
    fn move_to(&mut self, at_us: u64) -> Result<(), String> {
        let us = at_us.checked_sub(self.now_us).ok_or("its clock cannot go back")?;
        self.library.move_by(Duration::from_micros(us));
        self.now_us = at_us;
        Ok(())
    }

    fn reply(&mut self, line: &str) -> Result<Value, String> {
        let question: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        match question["op"].as_str() {
            Some("describe") => Ok(json!({
                "protocol": 1,
                "id": L::PACKAGE,
                "version": version(L::PACKAGE),
                "clock": "virtual-forward",
                "cost": true,
            })),
            Some("configure") => {
                self.now_us = micros(&question, "at_us")?;
                self.library.configure(limits(&question)?);
                Ok(json!({ "ok": true }))
            }
            Some("change") => Ok(json!({ "cannot": ["it cannot change a limit while it runs"] })),
            Some("decide") => {
                self.move_to(micros(&question, "at_us")?)?;
                let limit = question["limit_index"].as_u64().unwrap_or(0) as usize;
                let key = question["key"].as_str().ok_or("key is missing")?;
                let cost = question["cost"].as_u64().unwrap_or(1) as u32;
                Ok(self.library.decide(limit, key, cost))
            }
            _ => Err(format!("it has no operation {}", question["op"])),
        }
    }
}

pub fn run(library: impl Library) {
    let mut session = Session { library, now_us: 0 };
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let reply = session.reply(&line).unwrap_or_else(|error| json!({ "error": error }));
        let mut out = std::io::stdout().lock();
        if writeln!(out, "{reply}").and_then(|()| out.flush()).is_err() {
            return;
        }
    }
}
