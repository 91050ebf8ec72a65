// Parses the values in Redis' INFO, and computes the usage between two readings.

export interface RedisInfo {
  readonly cpuUs: number;
  readonly usedMemory: number;
  readonly networkBytes: number; // in and out
  readonly all: CommandCalls; // scripts, other commands of gateways, and the commands that scripts call
  readonly scripts: CommandCalls;
}

interface CommandCalls {
  readonly count: number;
  readonly us: number;
}

/** Commands that the measurement itself and the fleet send. */
const OVERHEAD_COMMANDS =
  /^(?:info|client|config|command|hello|ping|select|auth|scan|dbsize|memory|type|zcard|publish|subscribe|ssubscribe|spublish)(?:\||$)/;
const SCRIPTS = /^(?:eval|evalsha|fcall)(?:_ro)?$/;

export function redisInfo(text: string): RedisInfo {
  const number = (name: string): number =>
    Number(new RegExp(`^${name}:([\\d.]+)`, "m").exec(text)?.[1] ?? 0);
  const all = { count: 0, us: 0 };
  const scripts = { count: 0, us: 0 };
  for (const [, name = "", count, usec] of text.matchAll(
    /^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/gm,
  ))
    for (const sum of [all, scripts]) {
      if (OVERHEAD_COMMANDS.test(name) || (sum === scripts && !SCRIPTS.test(name))) continue;
      sum.count += Number(count);
      sum.us += Number(usec);
    }
  return {
    cpuUs: (number("used_cpu_user") + number("used_cpu_sys")) * 1e6,
    usedMemory: number("used_memory"),
    networkBytes: number("total_net_input_bytes") + number("total_net_output_bytes"),
    all,
    scripts,
  };
}

export interface RedisUsage {
  readonly cpuUs: number;
  readonly networkBytes: number;
  readonly calls: number;
  /** The scripts that Redis received, without the commands that they call; if there were no scripts, all commands. */
  readonly sent: CommandCalls;
}

export function usageBetween(before: RedisInfo, after: RedisInfo): RedisUsage {
  const less = (one: "all" | "scripts"): CommandCalls => ({
    count: after[one].count - before[one].count,
    us: after[one].us - before[one].us,
  });
  const all = less("all");
  const scripts = less("scripts");
  return {
    cpuUs: after.cpuUs - before.cpuUs,
    networkBytes: after.networkBytes - before.networkBytes,
    calls: all.count,
    sent: scripts.count > 0 ? scripts : all,
  };
}

/** The average size of one limited budget, summed over all its keys in Redis. */
export interface BudgetFootprint {
  readonly budgets: number; // budgets that have keys in Redis
  readonly bytes: number; // average size of a budget
  readonly entries: number;
}

export interface SampledKey {
  readonly bytes: number;
  readonly entries: number; // the number of timestamps if the key holds a log; otherwise 1
}

/** Estimates the size from all key names and a sample of values. The part of a key in braces names the budget. */
export function footprintOf(
  names: readonly string[],
  sample: readonly (SampledKey | null)[],
): BudgetFootprint | null {
  const sampled = sample.filter((one) => one !== null);
  if (sampled.length === 0) return null;
  const budgets = new Set(names.map((name) => /\{(.*)\}/.exec(name)?.[1] ?? name)).size;
  const each = (of: keyof SampledKey): number =>
    (sampled.reduce((sum, one) => sum + one[of], 0) / sampled.length) * (names.length / budgets);
  return { budgets, bytes: each("bytes"), entries: each("entries") };
}
