// How a serving process uses V8's heap.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * Prevents V8 from allocating new objects as old if earlier objects from the same place in code have often survived. In
 * some processes these are objects of requests, and each collection then copies all objects that they refer to, for 12
 * to 20 ms (docs/inside/performance.md). Must be called before anything is served.
 */
export const keepRequestsYoung = (): void => setFlagsFromString("--no-allocation-site-pretenuring");

/** Size of V8's space for young objects: two halves of 8 MiB. Twice the size costs memory, and saves little time. */
const ENOUGH_BYTES = 16 * 1_024 * 1_024;

/** Whether the user has set the size of the space for young objects. */
const isChosen = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].some((text) =>
  /semi[-_]space/.test(text),
);

/**
 * Prevents V8 from doubling the space for young objects until `growYoungSpace`. V8 doubles it, up to 64 MiB, while many
 * of these objects survive collections: when modules are loaded, and under load. Must be called before modules are
 * loaded, because cached code is valid only with the same flags.
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
