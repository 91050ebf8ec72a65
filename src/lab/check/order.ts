// Real drivers know a decision's span, not its instant. Two requests whose spans overlap may have been
// decided in either order, so a sequence holds if it is one of the orders that the spans allow.

export interface TimedRequest {
  readonly row: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly what: string;
}

/**
 * The length of the longest prefix of `expected` that the requests produce in an allowed order. A request may come next
 * unless another remaining request ended before it began. Among requests with the expected word, the one that ends
 * first comes next, which excludes no later choice.
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
