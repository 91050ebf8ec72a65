// Whether work on a text grows with its length and no faster, by processor time: what a busy machine changes is the same for
// both lengths.

const cpuMs = (work: () => unknown): number => {
  const from = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(from);
  return (user + system) / 1_000;
};

const SHORT = 1_024;
const LONG = 2 ** 18;
/** Lengths grow little, so that the first that takes long enough takes no more: four times as many may take 16 times as long. */
const STEP = Math.SQRT2;
/** Long enough to be compared: the clock of a thread counts in pieces of up to 4 ms. */
const ENOUGH_MS = 12;
/** Four times the length is four times the work, or sixteen times where it grows with the square: far enough apart for any machine. */
const MOST_TIMES = 9;
/** Over this a second measurement would change nothing. */
const CLEAR_TIMES = 12;

/** Null: it is linear as far as was tried. Else at which length it was not, and what that took. */
export function notLinear(work: (length: number) => () => unknown): string | null {
  for (let exact = SHORT; exact <= LONG; exact *= STEP) {
    const length = Math.round(exact);
    // The least of a few: what the collector of garbage and the compiler add is not the work's own.
    const once = cpuMs(work(length));
    if (once < ENOUGH_MS) continue;
    const ms = Math.min(once, cpuMs(work(length)), cpuMs(work(length)));
    if (ms < ENOUGH_MS) continue;
    const first = cpuMs(work(4 * length));
    const isUnclear = first > MOST_TIMES * ms && first < CLEAR_TIMES * ms;
    const longer = isUnclear ? Math.min(first, cpuMs(work(4 * length))) : first;
    return longer > MOST_TIMES * ms
      ? `${length} letters take ${ms.toFixed(1)} ms, and four times as many ${longer.toFixed(1)} ms`
      : null;
  }
  return null;
}
