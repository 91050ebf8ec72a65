// Checks a path of every upstream, and takes an upstream out of use after failures.
import { Agent } from "undici";
import type { Circuit } from "./circuit.ts";

interface HealthChecksOptions {
  readonly path: string;
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly circuits: () => Iterable<Circuit>;
  readonly onChange: (circuit: Circuit) => void;
}

/** Consecutive failed checks after which an upstream gets no requests. One failed check may be chance. */
const FALL = 2;
/** Maximum number of bytes that are read of a response. The status of a longer response is still used. */
const MOST_BYTES = 131_072;

/** Starts the checks. Returns a function that stops them. */
export function checkHealth(options: HealthChecksOptions): () => void {
  const { path, intervalMs, timeoutMs, circuits, onChange } = options;
  // A separate agent, because all connections for requests may wait for an upstream that does not respond.
  const agent = new Agent({ connections: 1, connectTimeout: timeoutMs });
  const failures = new WeakMap<Circuit, number>();
  const running = new Set<Circuit>();
  let isOver = false;

  const check = async (circuit: Circuit): Promise<void> => {
    if (running.has(circuit)) return;
    running.add(circuit);
    // A time-out of the whole check: a body that arrives byte by byte never exceeds a time-out between two bytes.
    const signal = AbortSignal.timeout(timeoutMs);
    const isWell = await agent
      .request({ origin: circuit.origin, path, method: "GET", signal })
      .then(async ({ statusCode, body }) => {
        await body.dump({ limit: MOST_BYTES, signal });
        return statusCode >= 200 && statusCode < 400;
      })
      .catch(() => false);
    running.delete(circuit);
    if (isOver) return; // `destroy` has aborted the check
    const failed = isWell ? 0 : (failures.get(circuit) ?? 0) + 1;
    failures.set(circuit, failed);
    const before = circuit.isHealthy;
    if (isWell) circuit.isHealthy = true;
    else if (failed >= FALL) circuit.isHealthy = false;
    if (circuit.isHealthy !== before) onChange(circuit);
  };

  const all = (): void => {
    for (const circuit of circuits()) void check(circuit);
  };
  all();
  const timer = setInterval(all, intervalMs).unref();
  return () => {
    isOver = true;
    clearInterval(timer);
    void agent.destroy();
  };
}
