// Whether an API would receive requests for another organisation's API. The gateway routes a request to the API with
// the longest listen path that its path starts with. So an API with a longer path takes requests from an API above it.
// An API above another one gets misspelt requests for that API, and all of them while that API is inactive.
import { withoutParameters } from "../../limiter/core/resolve/endpoint.ts";
import type { RecordTransaction } from "./records/records.ts";

/** Listen paths equal to, below and above a path. */
interface Near {
  readonly depth: number; // number of segments of the path
  readonly depths: Map<string, number>; // number of segments of each of these listen paths
}

/** Notes listen paths that are equal to, below or above `place`. */
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

/** Builds a reader for one write. It reads all listen paths once, and only changed ones if the write is repeated. */
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

/** The owner of the API with a listen path; null: no API has it now. */
type OwnerAt = (listenPath: string) => Promise<"own" | "another's" | null>;

/** Whether an API with this path would receive only requests that no other owner's API can receive now. */
export async function isFree({ depth, depths }: Near, ownerAt: OwnerAt): Promise<boolean> {
  let nearest = 0; // segments of the longest listen path of an own API, equal to the path or above it
  for (const [listenPath, there] of [...depths].toSorted(([, one], [, other]) => other - one)) {
    if (there < nearest) break;
    const owner = await ownerAt(listenPath);
    if (owner === "another's") return false;
    if (owner === "own" && there <= depth) nearest = there;
  }
  return true;
}

/** Whether a place is equal to `top` or below it. */
const isBelow = (place: readonly string[], top: readonly string[]): boolean =>
  place.length >= top.length && top.every((segment, index) => segment === place[index]);

/** The segments of a path, without differences that some server ignores: letter case, escapes and parameters. */
const segmentsOf = (path: string): readonly string[] =>
  withoutParameters(unescape(path))
    .toLowerCase()
    .split("/")
    .filter((segment) => segment !== "");

/** An escaped UTF-8 character of one to four bytes, or another escaped byte. */
const LETTER =
  /%[cd][0-9a-f]%[89ab][0-9a-f]|%e[0-9a-f](?:%[89ab][0-9a-f]){2}|%f[0-7](?:%[89ab][0-9a-f]){3}|%[0-9a-f]{2}/gi;

/** Each character is decoded separately, so that invalid bytes stay escaped. */
const unescape = (path: string): string => path.replaceAll(LETTER, letterOf);

function letterOf(escaped: string): string {
  try {
    return decodeURIComponent(escaped);
  } catch (error) {
    if (error instanceof URIError) return escaped; // the bytes are no character
    throw error;
  }
}
