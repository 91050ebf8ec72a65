// What others do in memory, each by its own public way of counting one request. All of them read the
// clock; none knows policies, levels or windows that slide.
import { createRequire } from "node:module";
import { MemoryStore, type Options } from "express-rate-limit";
import { RateLimiterMemory } from "rate-limiter-flexible";
import { PER_SECONDS, type Subject, type Workload } from "./workload.node.ts";

/** Their time is real, and a fast loop would meet any limit that ours never reaches. */
const NEVER_REACHED = 1e9;

const required = createRequire(import.meta.url);

export function rateLimiterFlexible({ credentials, order }: Workload): Subject {
  const limits = new RateLimiterMemory({ points: NEVER_REACHED, duration: PER_SECONDS });
  const decide = async (credential: string): Promise<boolean> =>
    (await limits.consume(credential)).remainingPoints >= 0;
  return asynchronous(credentials, order, decide);
}

export function expressRateLimit({ credentials, order }: Workload): Subject {
  const store = new MemoryStore();
  store.init({ windowMs: PER_SECONDS * 1_000 } as Options);
  const decide = async (credential: string): Promise<boolean> =>
    (await store.increment(credential)).totalHits <= NEVER_REACHED;
  return asynchronous(credentials, order, decide);
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

export function fastifyRateLimit({ credentials, order }: Workload): Subject {
  const LocalStore = required("@fastify/rate-limit/store/LocalStore.js") as NewFastifyStore;
  const store = new LocalStore(false, false, credentials.length);
  let admitted = 0;
  const done = (_: Error | null, { current }: { readonly current: number }): void => {
    if (current <= NEVER_REACHED) admitted++;
  };
  const decide = (credential: string): void =>
    store.incr(credential, done, PER_SECONDS * 1_000, NEVER_REACHED);
  return {
    run: (from, to) => {
      admitted = 0;
      for (let i = from; i < to; i++) decide(credentials[order[i & (order.length - 1)]!]!);
      return admitted;
    },
    meetEverybody: () => {
      admitted = 0;
      for (const credential of credentials) decide(credential);
      return admitted;
    },
  };
}

/** The least that counting can cost: one look-up of a key's fixed window, and its count. */
export function bareMap(load: Workload, readClock: (() => number) | null): Subject {
  const { credentials, order, stepUs } = load;
  const perMs = PER_SECONDS * 1_000;
  const counts = new Map<string, { startMs: number; count: number }>();
  function decide(credential: string, nowMs: number): boolean {
    const known = counts.get(credential);
    if (known === undefined) {
      counts.set(credential, { startMs: nowMs, count: 1 });
      return true;
    }
    if (nowMs - known.startMs >= perMs) {
      known.startMs = nowMs;
      known.count = 0;
    }
    return ++known.count <= NEVER_REACHED;
  }
  return {
    run: (from, to) => {
      let admitted = 0;
      for (let i = from; i < to; i++) {
        const nowMs = readClock === null ? Math.round((i * stepUs) / 1_000) : readClock();
        if (decide(credentials[order[i & (order.length - 1)]!]!, nowMs)) admitted++;
      }
      return admitted;
    },
    meetEverybody: () => credentials.filter((credential) => decide(credential, 0)).length,
  };
}

function asynchronous(
  credentials: readonly string[],
  order: Uint32Array,
  decide: (credential: string) => Promise<boolean>,
): Subject {
  return {
    run: async (from, to) => {
      let admitted = 0;
      for (let i = from; i < to; i++)
        if (await decide(credentials[order[i & (order.length - 1)]!]!)) admitted++;
      return admitted;
    },
    meetEverybody: async () => {
      let admitted = 0;
      for (const credential of credentials) if (await decide(credential)) admitted++;
      return admitted;
    },
  };
}
