// Compares what a hint states with the totals of its variant.
import type { Totals } from "#src/lab/scenario/verdict.ts";

const figure = (text: string): number => Number(text.replaceAll(",", ""));

/** A sentence; null: nothing in the hint is refuted. */
export function contradictionIn(
  hint: string,
  { requests, admitted }: Pick<Totals, "requests" | "admitted">,
): string | null {
  if (/\bwould\b/.test(hint)) return `it states what did not happen: ${hint}`;
  const counted = /([\d,]+) of ([\d,]+) were admitted/.exec(hint);
  if (counted === null) return null;
  const [, some = "", all = ""] = counted;
  return figure(some) <= admitted && figure(all) <= requests
    ? null
    : `${admitted} of ${requests} were: ${hint}`;
}
