// The smallest cost of a run with latency: the same steps of each request through a queue of events, the same random
// draws, and a fixed window for each key in typed memory in place of the store.
import FlatQueue from "flatqueue";
import { rng } from "../../src/kit/chance/rng.ts";

const WINDOW_US = 60_000_000;
const NETWORK_US = 5_000;
const STORE_US = 500;

/** The remainder of an event's number by this is the next step of its request. */
const LEGS = 4;
const AT_GATEWAY = 0;
const AT_STORE = 1;
const BACK_AT_GATEWAY = 2;

export function bareEvents(requests: number, keys: number, ratePerKey: number): number {
  const random = rng(1, "bench/bare-events");
  const startUs = new Float64Array(keys).fill(Number.NEGATIVE_INFINITY);
  const count = new Uint32Array(keys);
  const keyOf = new Uint32Array(requests);
  const queue = new FlatQueue();
  const meanUs = 1_000_000 / (ratePerKey * keys);
  const after = (nowUs: number, aboutUs: number): number =>
    nowUs + Math.round(random.exponential() * aboutUs);
  let admitted = 0;
  let backUs = 0;

  const decide = (key: number, nowUs: number): void => {
    if (nowUs >= startUs[key]! + WINDOW_US) {
      startUs[key] = nowUs;
      count[key] = 0;
    }
    if (count[key]! >= 100) return;
    count[key]! += 1;
    admitted++;
  };
  const happen = (): void => {
    const nowUs = queue.peekValue()!;
    const event = queue.pop()!;
    switch (event % LEGS) {
      case AT_GATEWAY:
        queue.push(event + 1, after(nowUs, STORE_US));
        break;
      case AT_STORE:
        decide(keyOf[Math.floor(event / LEGS)]!, nowUs);
        queue.push(event + 1, after(nowUs, STORE_US));
        break;
      case BACK_AT_GATEWAY:
        backUs = Math.max(backUs, after(nowUs, NETWORK_US));
    }
  };

  let nowUs = 0;
  for (let request = 0; request < requests; request++) {
    nowUs += random.exponential() * meanUs;
    keyOf[request] = random.int(keys);
    while ((queue.peekValue() ?? Number.POSITIVE_INFINITY) <= nowUs) happen();
    queue.push(request * LEGS + AT_GATEWAY, after(nowUs, NETWORK_US));
  }
  while (queue.length > 0) happen();
  if (admitted === 0 || backUs === 0) throw new Error("no request was admitted");
  return requests;
}
