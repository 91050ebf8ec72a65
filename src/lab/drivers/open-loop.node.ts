// Sends each request of a plan at its time, without waiting for earlier responses: a sender that waits would send less
// just when a gateway is slow. A refused client retries as in virtual time.
import { setTimeout as sleep } from "node:timers/promises";

export interface OpenLoop {
  readonly atUs: Float64Array; // planned times since the start, in order
  readonly nowUs: () => number; // time since the start
  /** Resolves to the wait before the client retries; null if it does not retry. */
  readonly attempt: (arrival: number, attempt: number) => Promise<number | null>;
  readonly signal: AbortSignal;
}

export async function playOpenLoop({ atUs, nowUs, attempt, signal }: OpenLoop): Promise<void> {
  const underWay: Promise<void>[] = [];
  const client = async (arrival: number): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const waitUs = await attempt(arrival, tries);
      if (waitUs === null) return;
      await until(nowUs() + waitUs, nowUs, signal);
    }
  };
  for (let arrival = 0; arrival < atUs.length; arrival++) {
    const waitUs = atUs[arrival]! - nowUs();
    if (waitUs > 0) await until(atUs[arrival]!, nowUs, signal);
    underWay.push(client(arrival));
  }
  await Promise.all(underWay);
}

/** Waits until `atUs`, and never resolves earlier: if a timer fires too soon, the wait continues. */
export async function until(
  atUs: number,
  nowUs: () => number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let waitUs = atUs - nowUs(); waitUs > 0; waitUs = atUs - nowUs())
    await sleep(Math.ceil(waitUs / 1_000), undefined, signal === undefined ? {} : { signal });
}

/** Waits for `Date.now` to change, so that the time returned is exact, and not up to a millisecond old. */
export function readClockUs(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now * 1_000;
}
