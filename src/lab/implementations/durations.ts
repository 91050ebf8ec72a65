// Durations of programs written in Go, such as 1m30s.
const MICROSECONDS: Readonly<Record<string, number>> = {
  ns: 0.001,
  us: 1,
  µs: 1,
  ms: 1_000,
  s: 1_000_000,
  m: 60_000_000,
  h: 3_600_000_000,
  d: 86_400_000_000,
};

/** Microseconds; null: the text is no duration. A number alone is in seconds. */
export function parseGoDuration(text: string): number | null {
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text) * 1_000_000;
  if (!/^(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h|d))+$/.test(text)) return null;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h|d)/gy)];
  return parts.reduce((sum, [, count, unit]) => sum + Number(count) * MICROSECONDS[unit!]!, 0);
}
