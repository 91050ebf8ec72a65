// Real drivers know a decision's span, not its instant. Two requests whose spans overlap may have been
// decided in either order, so a sequence holds if some order that the spans allow gives it.

export interface TimedRequest {
  readonly row: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly what: string;
}

/**
 * How many words of `expected` some allowed order produces from the start; `expected.length` means all. A request may
 * come next unless another remaining request ended before it began. Among equal words, take the request that ends
 * first: this excludes no later choice.
 */
export function longestAllowedPrefix(
  requests: readonly TimedRequest[],
  expected: readonly string[],
): number {
  const waiting = requests.toSorted((a, b) => a.fromUs - b.fromUs);
  const open: TimedRequest[] = [];
  let next = 0;
  for (let matched = 0; matched < expected.length; matched++) {
    let firstEndUs = Math.min(...open.map((request) => request.toUs));
    while (next < waiting.length && waiting[next]!.fromUs <= firstEndUs) {
      const request = waiting[next++]!;
      open.push(request);
      firstEndUs = Math.min(firstEndUs, request.toUs);
    }
    let chosen = -1;
    for (const [index, request] of open.entries()) {
      if (request.what === expected[matched] && (chosen < 0 || request.toUs < open[chosen]!.toUs))
        chosen = index;
    }
    if (chosen < 0) return matched;
    open.splice(chosen, 1);
  }
  return expected.length;
}
