// The gateway option `imitate`, and profiles, which set it (docs/reference/profiles.md).
import type { Algorithm } from "../core/algorithms.ts";
import {
  CHANGED_LIMITS,
  LASTS_OF_WINDOW,
  REFUSED_REQUESTS,
  TOKENS,
  WEIGHTS,
  WINDOW_STARTS,
  type Imitation,
} from "../core/imitation.ts";
import { PROFILE_NAMES, profileCalled, withProfile } from "../spec/profiles.ts";
import { IMITATE } from "./members.ts";
import { has, member, noteAt, openMember, show, type PlacedObject } from "./place.ts";
import { numberThat, positiveDuration, wordIn } from "./values.ts";
import { micros } from "../../kit/units.ts";

/** Options that may differ from the profile, because users of the imitated product can configure them. */
const ADJUSTABLE = new Set(["burst", "queue", "rate_limit_headers"]);

/** The gateway options with those of their profile, as if they were written in the file. */
export function resolveProfile(place: PlacedObject): PlacedObject {
  const name = wordIn(place, "profile", PROFILE_NAMES, null);
  const profile = profileCalled(name);
  if (profile === undefined) return place;
  const set: Readonly<Record<string, unknown>> = { ...profile.options, imitate: profile.imitate };
  const adjustable = new Set([...ADJUSTABLE, ...(profile.adjustable ?? [])]);
  for (const option of Object.keys(place.raw)) {
    const own = member(place, option);
    if (own === null || (set[option] ?? null) === null || adjustable.has(option)) continue;
    if (own === set[option]) continue;
    const value = typeof set[option] === "object" ? "" : ` to ${show(set[option])}`;
    noteAt(
      place,
      option,
      "CFG-CONFLICT",
      `profile ${name} sets ${option}${value}`,
      `remove ${option}, or write the options of the profile out`,
    );
  }
  return { ...place, raw: withProfile(place.raw) };
}

const BUCKETS: readonly Algorithm[] = ["token_bucket", "gcra"];
const WINDOWS: readonly Algorithm[] = ["fixed_window", "sliding_window_counter"];

/** The algorithms that each field of `imitate` can change. */
const WORDS: Readonly<Record<string, readonly Algorithm[]>> = {
  clock_resolution: [...WINDOWS, ...BUCKETS, "sliding_log", "leaky_bucket"],
  refused: [...WINDOWS, "sliding_log"],
  window_start: WINDOWS,
  window_end: ["fixed_window", "sliding_log"],
  last_of_window: ["fixed_window"],
  tokens: BUCKETS,
  weights: ["sliding_window_counter"],
  saved_turns: ["leaky_bucket"],
  lifetime: BUCKETS,
  levels: [...WINDOWS, ...BUCKETS, "sliding_log"],
  changed_limit: [...BUCKETS, "fixed_window"],
  block: [...WINDOWS, ...BUCKETS, "sliding_log"],
  keys: [...WINDOWS, ...BUCKETS, "sliding_log"],
};

/** The differences from the algorithm; null: there are none. */
export function imitationIn(place: PlacedObject, algorithm: Algorithm | null): Imitation | null {
  const inside = openMember(place, "imitate", IMITATE);
  if (inside === null) return null;
  const words = Object.keys(WORDS).filter((word) => has(inside, word));
  for (const word of words) checkWord(inside, word, algorithm);
  if (words.length === 0) return null;
  return {
    clockResolutionUs: has(inside, "clock_resolution")
      ? positiveDuration(inside, "clock_resolution", micros(1))
      : null,
    refused: wordIn(inside, "refused", REFUSED_REQUESTS, null),
    windowStart: wordIn(inside, "window_start", WINDOW_STARTS, null),
    windowEnd: wordIn(inside, "window_end", ["counted"] as const, null),
    lastOfWindow: wordIn(inside, "last_of_window", LASTS_OF_WINDOW, null),
    tokens: wordIn(inside, "tokens", TOKENS, null),
    weights: wordIn(inside, "weights", WEIGHTS, null),
    savedTurns: countIn(inside, "saved_turns"),
    changedLimit: wordIn(inside, "changed_limit", CHANGED_LIMITS, null),
    lifetime: wordIn(inside, "lifetime", ["whole_seconds"] as const, null),
    levels: wordIn(inside, "levels", ["in_sequence"] as const, null),
    blockUs: blockIn(inside),
    keys: countIn(inside, "keys"),
  };
}

function checkWord(place: PlacedObject, word: string, algorithm: Algorithm | null): void {
  const algorithms = WORDS[word]!;
  if (algorithm !== null && algorithms.includes(algorithm)) return;
  noteAt(
    place,
    word,
    "CFG-CONFLICT",
    `${word} changes ${algorithms.join(", ")}, and algorithm is ${algorithm ?? "unset"}`,
    `write algorithm: ${algorithms[0]}, or remove ${word}`,
  );
}

const blockIn = (place: PlacedObject): Imitation["blockUs"] => {
  if (!has(place, "block")) return null;
  return member(place, "block") === "per" ? "per" : positiveDuration(place, "block", micros(1));
};

function countIn(place: PlacedObject, word: string): number | null {
  const isCount = (value: number): boolean => Number.isSafeInteger(value) && value >= 1;
  const count = numberThat(place, word, "an integer of at least 1", isCount);
  return typeof count === "number" ? count : null;
}
