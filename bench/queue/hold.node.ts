// One candidate of the queue suite: the hold model. The number of pending events is constant: each one that is taken out
// puts in a new one. Measures nanoseconds for taking one out and putting one in.
import FlatQueue from "flatqueue";
import { rng } from "../../src/kit/chance/rng.ts";
import { readInput, printValue, processorMs } from "../program.node.ts";
import { eventQueue, happenNext, nextTimeUs, schedule } from "../../src/lab/sim/event-queue.ts";

export interface Input {
  readonly subject: "event queue" | "flatqueue";
  readonly pending: number;
  readonly events: number;
}

interface Subject {
  readonly put: (atUs: number, what: () => void) => void;
  readonly take: () => number; // calls the event; returns the time at which it was due
}

function subjectOf(name: Input["subject"]): Subject {
  if (name === "event queue") {
    const queue = eventQueue();
    return {
      put: (atUs, what) => schedule(queue, atUs, what, undefined),
      take: () => {
        const atUs = nextTimeUs(queue);
        happenNext(queue);
        return atUs;
      },
    };
  }
  const queue = new FlatQueue<() => void>();
  return {
    put: (atUs, what) => queue.push(what, atUs),
    take: () => {
      const atUs = queue.peekValue()!;
      queue.pop()!();
      return atUs;
    },
  };
}

function hold({ pending, events }: Input, { put, take }: Subject): number {
  const random = rng(1, "bench/queue");
  let happened = 0;
  const what = (): void => void happened++;
  const gaps = Float64Array.from({ length: 1 << 16 }, () =>
    Math.round(random.exponential() * 1_000 * pending),
  );
  for (let i = 0; i < pending; i++) put(gaps[i & 0xffff]!, what);
  let startMs = 0;
  for (let i = -events; i < events; i++) {
    if (i === 0) startMs = processorMs(); // as many before, to warm up
    put(take() + gaps[i & 0xffff]!, what);
  }
  const tookMs = processorMs() - startMs;
  if (happened !== 2 * events) throw new Error(`${happened} of ${2 * events} events happened`);
  return (tookMs * 1e6) / events;
}

const input = readInput() as Input;
printValue(hold(input, subjectOf(input.subject)));
