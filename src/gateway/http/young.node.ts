// How a serving process uses V8's heap.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * V8 allocates objects as old at once if earlier ones from the same place in code have often survived. In some
 * processes it does so for objects of requests, and each collection then copies what they refer to, for 12 to 20 ms
 * (docs/inside/performance.md). This function turns it off; call it before anything is served.
 */
export const keepRequestsYoung = (): void => setFlagsFromString("--no-allocation-site-pretenuring");

/** Two halves of 8 MiB. With twice the size the process takes more memory, and requests cost about the same. */
const ENOUGH_BYTES = 16 * 1_024 * 1_024;

/** Whether the user has set the size of this space. */
const isChosen = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].some((text) =>
  /semi[-_]space/.test(text),
);

/**
 * While many young objects survive collections, as when modules are loaded and under load, V8 doubles the space for
 * them, up to 64 MiB. This function prevents it until `growYoungSpace`. Call it before modules are loaded: cached code
 * is valid only with the same flags.
 */
export function holdYoungSpace(): void {
  if (!isChosen) growBy(1);
}

/**
 * Lets the space grow to ENOUGH_BYTES; in a long turn of the event loop it may grow further. The flag is set after
 * every collection, because V8 shrinks the space of an idle process, and in Node 22 a new thread resets the flag.
 */
export function growYoungSpace(): void {
  if (isChosen) return;
  const follow = (): void => growBy(youngBytes() < ENOUGH_BYTES ? 2 : 1);
  follow();
  new PerformanceObserver(follow).observe({ entryTypes: ["gc"] });
}

const growBy = (factor: number): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`);

const youngBytes = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;
