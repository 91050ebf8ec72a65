// The client that loses most, in the first sentence of weir replay, computed again from the rows.
import { expect } from "vitest";
import { percent, thousands } from "#src/kit/reading/legible.ts";
import type { UnansweredReplay } from "#src/studies/replay/result.ts";

/** Which client loses most by every candidate that refuses any request, and how much. */
export function checkMostLoss(
  text: string,
  { candidates, clients, key }: UnansweredReplay,
  isWhole: boolean,
): void {
  const lists = candidates.flatMap((each) => (each.refused > 0 ? [each.clients] : []));
  const most = lists.map((list) => {
    const sorted = list.toSorted((a, b) => b.refused - a.refused);
    return sorted[0]!.refused > (sorted[1]?.refused ?? 0) ? sorted[0]!.client : null;
  });
  const [name] = most;
  const isNamed =
    name != null && most.every((each) => each === name) && clients > 1 && key !== "none";
  const claim =
    /; (\S+) loses most, ([\d,]+)(?: to ([\d,]+))? of its ([\d,]+) \((.+?)(?: to (.+))?\)\.$/.exec(
      text,
    );
  expect(claim !== null).toBe(isNamed && !isWhole);
  if (claim === null) return;
  const own = lists.map((list) => list.find(({ client }) => client === name)!);
  const [least, greatest] = [Math.min, Math.max].map((of) =>
    of(...own.map(({ refused }) => refused)),
  );
  const { requests } = own[0]!;
  expect(claim.slice(1)).toEqual([
    name,
    thousands(least!),
    least === greatest ? undefined : thousands(greatest!),
    thousands(requests),
    percent(least! / requests),
    percent(least! / requests) === percent(greatest! / requests)
      ? undefined
      : percent(greatest! / requests),
  ]);
}
