// How a serving process uses its heap.
import { PerformanceObserver } from "node:perf_hooks";
import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/**
 * V8 places objects of a kind that has often outlived a collection with the old ones at once. At some starts it takes
 * objects of requests for such: each collection then copies what hangs on them, for 12 to 20 ms. Which starts those are
 * is chance, and lasts as long as the process (docs/benchmarking.md). To be called before anything serves.
 */
export const keepRequestsYoung = (): void => setFlagsFromString("--no-allocation-site-pretenuring");

/** Two halves of 8 MiB. Twice as much holds more memory, and requests cost about the same. */
const ENOUGH_BYTES = 16 * 1_024 * 1_024;

/** The user may have chosen a size for this process. */
const isChosen = [...process.execArgv, process.env["NODE_OPTIONS"] ?? ""].some((text) =>
  /semi[-_]space/.test(text),
);

/**
 * V8 doubles the space for young objects up to 64 MiB as long as many of them outlive its collections, as they do while
 * modules are loaded and under load. Until `growYoungSpace` it stays as it is. To be called before modules are loaded:
 * V8 reads compiled code from its cache only under the flags of that code.
 */
export function holdYoungSpace(): void {
  if (!isChosen) growBy(1);
}

/**
 * From now on it grows until it is enough; a long turn of the event loop may pass that. Every collection is followed:
 * V8 shrinks it in an idle process, and in Node 22 a new thread resets the flag.
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
