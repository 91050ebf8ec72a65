// How a serving process uses its heap.
import { setFlagsFromString } from "node:v8";

/**
 * V8 places objects of a kind that has often outlived a collection with the old ones at once. At some starts it takes
 * objects of requests for such: each collection then copies what hangs on them, for 12 to 20 ms. Which starts those are
 * is chance, and lasts as long as the process (docs/benchmarking.md). To be called before anything serves.
 */
export const keepRequestsYoung = (): void => setFlagsFromString("--no-allocation-site-pretenuring");
