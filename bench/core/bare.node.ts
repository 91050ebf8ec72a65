// The smallest cost of counting on this machine, without levels, policies or headers: one fixed window for each key, once
// in a plain Map, once in typed arrays.
import { PER_SECONDS, type Subject, type Workload } from "./workload.node.ts";

const PER_MS = PER_SECONDS * 1_000;
const NEVER_REACHED = 1e9;

type Decide = (credential: string, nowMs: number) => boolean;

/** Null reads no clock: time is a part of the request, as for the limiter of Weir. */
export type Clock = (() => number) | null;

export function bareMap(load: Workload, clock: Clock): Subject {
  const counts = new Map<string, { startMs: number; count: number }>();
  return subject(load, clock, (credential, nowMs) => {
    const known = counts.get(credential);
    if (known === undefined) {
      counts.set(credential, { startMs: nowMs, count: 1 });
      return true;
    }
    if (nowMs - known.startMs >= PER_MS) {
      known.startMs = nowMs;
      known.count = 0;
    }
    return ++known.count <= NEVER_REACHED;
  });
}

const WIDTH = 4; // a slot is 16 bytes, so it never crosses a cache line of the processor
const START = 2;
const COUNT = 3;

/** Open addressing: a slot holds 64 bits of the key's hash, its window's beginning and its count. */
export function bareSlots(load: Workload, clock: Clock): Subject {
  const size = 2 ** Math.ceil(Math.log2(load.credentials.length * 1.5));
  const slots = new Int32Array(size * WIDTH);
  let originMs = -1; // the difference fits a small integer
  return subject(load, clock, (credential, nowMs) => {
    let low = 1;
    let high = 2;
    for (let i = 0; i < credential.length; i++) {
      const code = credential.charCodeAt(i);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high + code, 0x5bd1e995);
    }
    low ^= low >>> 15;
    if (originMs < 0) originMs = nowMs;
    const atMs = nowMs - originMs;
    let at = ((low ^ (high >>> 13)) & (size - 1)) * WIDTH;
    while (slots[at + COUNT] !== 0 && (slots[at] !== low || slots[at + 1] !== high))
      at = (at + WIDTH) & (slots.length - 1);
    if (slots[at + COUNT] === 0 || atMs - slots[at + START]! >= PER_MS) {
      slots[at] = low;
      slots[at + 1] = high;
      slots[at + START] = atMs;
      slots[at + COUNT] = 0;
    }
    return ++slots[at + COUNT]! <= NEVER_REACHED;
  });
}

function subject({ credentials, stepUs }: Workload, clock: Clock, decide: Decide): Subject {
  const stepMs = stepUs / 1_000;
  return {
    run: (requests, first) => {
      let admitted = 0;
      for (let i = 0; i < requests.length; i++) {
        const nowMs = clock === null ? Math.round((first + i) * stepMs) : clock();
        if (decide(requests[i]!, nowMs)) admitted++;
      }
      return admitted;
    },
    admitEveryKey: () => credentials.filter((credential) => decide(credential, 0)).length,
  };
}
