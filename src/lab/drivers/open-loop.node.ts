// Sends the requests of a plan, each at its time, without waiting for the responses before it: a sender that waits sends
// less exactly when a gateway is slow. A refused client tries again as in virtual time.
import { setTimeout as sleep } from "node:timers/promises";

export interface OpenLoop {
  readonly atUs: Float64Array; // planned, from the start, in order
  readonly nowUs: () => number; // from the start
  /** Resolves to the wait before the client tries again; null: it does not. */
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

/** Never before its time: a timer that rounds down would wake too early. */
export async function until(
  atUs: number,
  nowUs: () => number,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let waitUs = atUs - nowUs(); waitUs > 0; waitUs = atUs - nowUs())
    await sleep(Math.ceil(waitUs / 1_000), undefined, signal === undefined ? {} : { signal });
}

/** As programs read it that report when they decided. `Date.now` is up to a millisecond early, except when it changes. */
export function readClockUs(): number {
  const before = Date.now();
  let now = before;
  while (now === before) now = Date.now();
  return now * 1_000;
}
