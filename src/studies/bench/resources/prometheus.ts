// Single values from a page of Prometheus metrics.

/** The sum over all labels; null if the page has no such metric. */
export function sumOf(page: string, name: string): number | null {
  let sum: number | null = null;
  for (const line of page.split("\n")) {
    if (!line.startsWith(name)) continue;
    const rest = line.slice(name.length);
    if (rest.startsWith(" ") || rest.startsWith("{"))
      sum = (sum ?? 0) + Number(rest.slice(rest.lastIndexOf(" ") + 1));
  }
  return sum;
}

const RESOLUTION_MS = 10; // the resolution of Node's measurement; every measured value includes it

export interface GatewayFigures {
  /** The 99th percentile since the last reading of the page: each reading resets it. Null: nothing was measured. */
  readonly loopP99Ms: number | null;
  readonly gcUs: number; // since the process began
  readonly entries: number | null; // entries of a store in the gateway's memory
  readonly budgets: number | null;
}

export function gatewayFigures(page: string): GatewayFigures {
  const lagSeconds = sumOf(page, "nodejs_eventloop_lag_p99_seconds");
  return {
    loopP99Ms:
      lagSeconds === null || lagSeconds === 0
        ? null
        : Math.max(0, lagSeconds * 1_000 - RESOLUTION_MS),
    gcUs: (sumOf(page, "weir_gc_seconds_total") ?? 0) * 1e6,
    entries: sumOf(page, "weir_memory_entries"),
    budgets: sumOf(page, "weir_memory_budgets"),
  };
}
