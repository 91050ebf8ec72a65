// The registry of the oracle's rules, by algorithm. It is apart from the limiter's on purpose.
import { rule as boundedLog } from "../algorithms/bounded-log/oracle.ts";
import { rule as drl } from "../algorithms/drl/oracle.ts";
import { rule as fixedWindow } from "../algorithms/fixed-window/oracle.ts";
import { rule as gcra } from "../algorithms/gcra/oracle.ts";
import { rule as leakyBucket } from "../algorithms/leaky-bucket/oracle.ts";
import { rule as slidingLog } from "../algorithms/sliding-log/oracle.ts";
import { rule as slidingWindowCounter } from "../algorithms/sliding-window-counter/oracle.ts";
import { rule as tokenBucket } from "../algorithms/token-bucket/oracle.ts";
import { QUOTA } from "./answer-window.ts";
import type { OracleLevel } from "./levels.ts";
import type { OracleRule } from "./rule.ts";

const RULES: Readonly<Record<OracleLevel["algorithm"], OracleRule>> = {
  fixed_window: fixedWindow,
  sliding_log: slidingLog,
  non_transactional: slidingLog,
  sentinel: slidingLog,
  drl,
  token_bucket: tokenBucket,
  gcra,
  sliding_window_counter: slidingWindowCounter,
  bounded_log: boundedLog,
  leaky_bucket: leakyBucket,
  quota: QUOTA,
};

export const ruleOf = ({ algorithm }: OracleLevel): OracleRule => RULES[algorithm];
