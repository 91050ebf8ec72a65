import type { Micros } from "../../core/units.ts";

/**
 * A clock that is read once in each turn of the event loop: requests that have come in together are decided
 * at one moment.
 */
export function turnClock(read: () => Micros): () => Micros {
  let nowUs: Micros | null = null;
  const forget = (): void => {
    nowUs = null;
  };
  return () => {
    if (nowUs !== null) return nowUs;
    setImmediate(forget);
    return (nowUs = read());
  };
}
