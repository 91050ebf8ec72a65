// Real drivers know a decision's span, not its instant. Two requests whose spans overlap may have been
// decided in either order, so a sequence holds if some order that the spans allow gives it.

export interface Placed {
  readonly row: number;
  readonly fromUs: number;
  readonly toUs: number;
  readonly what: string;
}

/**
 * How many words of `expected` some allowed order can give from its beginning; `expected.length` means
 * all. A request may come next unless another that remains was over before it began. Taking the one
 * that ends first among equals is best: it frees the most, and what could come now can still come later.
 */
export function longestAllowedPrefix(
  requests: readonly Placed[],
  expected: readonly string[],
): number {
  const waiting = requests.toSorted((a, b) => a.fromUs - b.fromUs);
  const open: Placed[] = [];
  let next = 0;
  for (let given = 0; given < expected.length; given++) {
    let firstEndUs = Math.min(...open.map((request) => request.toUs));
    while (next < waiting.length && waiting[next]!.fromUs <= firstEndUs) {
      const request = waiting[next++]!;
      open.push(request);
      firstEndUs = Math.min(firstEndUs, request.toUs);
    }
    let taken = -1;
    for (const [index, request] of open.entries()) {
      if (request.what === expected[given] && (taken < 0 || request.toUs < open[taken]!.toUs))
        taken = index;
    }
    if (taken < 0) return given;
    open.splice(taken, 1);
  }
  return expected.length;
}
