// Finds out whether an API would receive requests for another organisation's API. The gateway routes a request to the API
// with the longest listen path that its path starts with: an API below another one takes requests from it, and one above
// receives requests that are misspelt, or that arrive while the other is inactive.
import { withoutParameters } from "../../limiter/core/resolve/endpoint.ts";
import type { RecordTransaction } from "./records/records.ts";

/** Listen paths equal to, below and above a path. */
interface Near {
  readonly depth: number; // of the place
  readonly depths: Map<string, number>; // by listen path: of those below it larger, of those above it smaller
}

/** Notes those of the listen paths that are at the place, below it or above it. */
function noteNear(near: Near, place: readonly string[], listenPaths: Iterable<string>): void {
  for (const listenPath of listenPaths) {
    const there = segmentsOf(listenPath);
    if (isBelow(there, place) || isBelow(place, there)) near.depths.set(listenPath, there.length);
  }
}

export function findNearPaths(listenPath: string, listenPaths: Iterable<string>): Near {
  const place = segmentsOf(listenPath);
  const near = { depth: place.length, depths: new Map<string, number>() };
  noteNear(near, place, listenPaths);
  return near;
}

/** For one write: reads listen paths once, and only changed ones when the write repeats; deleted paths stay in the result. */
export function nearPathReader(): (
  writing: RecordTransaction,
  listenPath: string,
) => Promise<Near> {
  const known = new Map<string, { readonly until: number; readonly near: Near }>();
  return async (writing, listenPath) => {
    const until = await writing.latest();
    const before = known.get(listenPath);
    const changed = before === undefined ? null : await writing.listChanged("apis", before.until);
    const place = segmentsOf(listenPath);
    const near =
      before === undefined || changed === null ? findNearPaths(listenPath, []) : before.near;
    if (changed === null)
      for await (const piece of writing.uniques("apis")) noteNear(near, place, piece);
    else
      noteNear(
        near,
        place,
        [...changed.values()].flatMap((api) => api?.unique ?? []),
      );
    known.set(listenPath, { until, near });
    return near;
  };
}

/** The owner of the API at a listen path; null: there is none now. */
type OwnerAt = (listenPath: string) => Promise<"own" | "another's" | null>;

/** Whether an API there would only receive requests that no API, or one of the same owner, receives now. */
export async function isFree({ depth, depths }: Near, ownerAt: OwnerAt): Promise<boolean> {
  let nearest = 0; // of those above it
  for (const [listenPath, there] of [...depths].toSorted(([, one], [, other]) => other - one)) {
    if (there < nearest) break;
    const owner = await ownerAt(listenPath);
    if (owner === "another's") return false;
    if (owner === "own" && there <= depth) nearest = there;
  }
  return true;
}

/** It is there, or further down. */
const isBelow = (place: readonly string[], top: readonly string[]): boolean =>
  place.length >= top.length && top.every((segment, index) => segment === place[index]);

/** Spellings that some server takes for the same path are equal here: letter case, escapes, parameters. */
const segmentsOf = (path: string): readonly string[] =>
  withoutParameters(unescape(path))
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");

/** An escaped UTF-8 character, by its form, or one byte. */
const LETTER =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}/gi;

/** Character by character: bytes that are no character stay escaped. */
const unescape = (path: string): string => path.replaceAll(LETTER, letterOf);

function letterOf(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    if (error instanceof URIError) return escaped; // bytes that are no character
    throw error;
  }
}
