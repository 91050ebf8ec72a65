// An error that a user can cause is a value: a code, a place, a sentence, a fix. Each code is listed here or in the
// file that raises it; a test compares the codes with the documentation.

/** A place in a document: names of fields and indexes of items, from the top. */
export type Path = readonly (string | number)[];

export interface Problem {
  readonly code: string;
  readonly severity: "error" | "warning";
  readonly path: Path;
  readonly message: string; // the problem, as one sentence
  readonly fix: string; // the correction; may be empty if it follows from the message
}

export const errorAt = (code: string, path: Path, message: string, fix = ""): Problem => ({
  code,
  severity: "error",
  path,
  message,
  fix,
});
export const warningAt = (code: string, path: Path, message: string, fix = ""): Problem => ({
  code,
  severity: "warning",
  path,
  message,
  fix,
});

/** Adds a problem. Returns undefined, so that a reader can return the result instead of a value. */
export function report(
  problems: Problem[],
  code: string,
  path: Path,
  message: string,
  fix = "",
): undefined {
  problems.push(errorAt(code, path, message, fix));
}

/** The candidate nearest to the name, for "did you mean". Null if more than `share` of the name's letters differ. */
export function nearest(
  name: string,
  candidates: Iterable<string>,
  share: number = 1 / 3,
): string | null {
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(name.length * share)) + 1;
  const typed = name.toLowerCase();
  for (const candidate of candidates) {
    // Each letter by which the lengths differ needs one edit.
    if (Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(typed, candidate.toLowerCase(), bestDistance);
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** Optimal string alignment distance: two swapped letters are one edit, as in typing. Returns at most `most`. */
function editDistance(a: string, b: string, most: number): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  let leastBefore = 0;
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let cost = Math.min((previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, substitution);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforePrevious[j - 2] ?? 0) + 1);
      current[j] = cost;
      if (cost < least) least = cost;
    }
    // Later rows are computed from the last two rows, so their values are at least the smallest in these two.
    if (Math.min(least, leastBefore) >= most) return most;
    leastBefore = least;
    [beforePrevious, previous] = [previous, current];
  }
  return previous[b.length] ?? 0;
}

/** Whether the text is a decimal number above or below 0 that becomes 0 as a double, which is never intended. */
export const isVanishing = (text: string): boolean =>
  Number(text) === 0 && /^[-+]?[\d.]*[1-9]/.test(text);

export const VANISHING = "is a number closer to 0 than there is, and would become 0";
