// Whether work on a text grows with its length and no faster, by processor time: what a busy machine changes is the same for
// both lengths.

const cpuMs = (work: () => unknown): number => {
  const from = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1_000;
};

/** The least of a few: what the collector of garbage and the compiler add is not the work's own. `enough` ends it sooner. */
function leastMs(work: () => unknown, enough = 0): number {
  let least = Infinity;
  for (let tries = 0; tries < 3 && least > enough; tries++) least = Math.min(least, cpuMs(work));
  return least;
}

const SHORT = 4_096;
const LONG = 2 ** 18;
/** Long enough to be compared: the clock of a thread counts in pieces of up to 4 ms. */
const ENOUGH_MS = 12;
/** Four times the length is four times the work, or sixteen times where it grows with the square: far enough apart for any machine. */
const MOST_TIMES = 9;

/** Null: it is linear as far as was tried. Else at which length it was not, and what that took. */
export function notLinear(work: (length: number) => () => unknown): string | null {
  for (let length = SHORT; length <= LONG; length *= 2) {
    const once = cpuMs(work(length));
    if (once < ENOUGH_MS) continue;
    const ms = leastMs(work(length));
    if (ms < ENOUGH_MS) continue;
    const longer = leastMs(work(4 * length), MOST_TIMES * ms);
    return longer > MOST_TIMES * ms
      ? `${length} letters take ${ms.toFixed(1)} ms, and four times as many ${longer.toFixed(1)} ms`
      : null;
  }
  return null;
}
