// Other limiters in memory, each counting one request by its public API. All of them read the clock; none has policies,
// levels or sliding windows.
import { createRequire } from "node:module";
import { MemoryStore, type Options } from "express-rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { PER_SECONDS, type Subject, type Workload } from "./workload.node.ts";

/** Their time is real: a fast loop would reach any limit that is never reached in virtual time. */
const NEVER_REACHED = 1e9;

const required = createRequire(import.meta.url);

export function rateLimiterFlexible({ credentials }: Workload): Subject {
  const limits = new RateLimiterMemory({ points: NEVER_REACHED, duration: PER_SECONDS });
  const decide = async (credential: string): Promise<boolean> =>
    (await limits.consume(credential)).remainingPoints >= 0;
  return asynchronous(credentials, decide);
}

export function expressRateLimit({ credentials }: Workload): Subject {
  const store = new MemoryStore();
  store.init({ windowMs: PER_SECONDS * 1_000 } as Options);
  const decide = async (credential: string): Promise<boolean> =>
    (await store.increment(credential)).totalHits <= NEVER_REACHED;
  return asynchronous(credentials, decide);
}

interface FastifyStore {
  readonly incr: (
    key: string,
    done: (error: Error | null, counted: { readonly current: number }) => void,
    windowMs: number,
    max: number,
  ) => void;
}
type NewFastifyStore = new (
  continueExceeding: boolean,
  backoff: boolean,
  cache: number,
) => FastifyStore;

export function fastifyRateLimit({ credentials }: Workload): Subject {
  const LocalStore = required("@fastify/rate-limit/store/LocalStore.js") as NewFastifyStore;
  const store = new LocalStore(false, false, credentials.length);
  let admitted = 0;
  const done = (_: Error | null, { current }: { readonly current: number }): void => {
    if (current <= NEVER_REACHED) admitted++;
  };
  const decide = (credential: string): void =>
    store.incr(credential, done, PER_SECONDS * 1_000, NEVER_REACHED);
  const all = (requests: readonly string[]): number => {
    admitted = 0;
    for (const credential of requests) decide(credential);
    return admitted;
  };
  return { run: all, admitEveryKey: () => all(credentials) };
}

function asynchronous(
  credentials: readonly string[],
  decide: (credential: string) => Promise<boolean>,
): Subject {
  const all = async (requests: readonly string[]): Promise<number> => {
    let admitted = 0;
    for (const credential of requests) if (await decide(credential)) admitted++;
    return admitted;
  };
  return { run: all, admitEveryKey: () => all(credentials) };
}
