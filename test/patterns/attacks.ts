// Texts that make a regular expression look at the same letters again and again, if any do: samples of what it matches, with
// each part of them repeated, and what it cannot match at the end.
import * as fc from "fast-check";
import { SEED } from "../runs.ts";
import { notLinear } from "./linear-work.ts";

const SAMPLES = 6;
const LONGEST_PART = 4;
const LETTERS = Array.from("aZ09 \t/.:;,%=@#?&|$*+-_~\"'\\(){}[]<>!^\0\u00e9");
const ENDS = ["", "\0", "!x"];

interface Attack {
  readonly before: string;
  readonly part: string;
  readonly end: string;
}

const textOf = ({ before, part, end }: Attack, length: number): string =>
  before + part.repeat(Math.ceil(length / part.length)) + end;

function samplesOf({ source, flags }: RegExp): readonly string[] {
  try {
    const matching = fc.stringMatching(new RegExp(source, flags.replaceAll(/[gy]/g, "")), {
      size: "small",
    });
    return fc.sample(matching, { seed: SEED, numRuns: SAMPLES }).map((text) => text.slice(0, 40));
  } catch {
    return []; // it has a form that cannot be sampled: letters are tried all the same
  }
}

function attacksOn(pattern: RegExp): readonly Attack[] {
  const parts = new Map<string, readonly [before: string, part: string]>();
  for (const letter of LETTERS) parts.set(letter, ["", letter]);
  for (const sample of samplesOf(pattern))
    for (let from = 0; from < sample.length; from++)
      for (let length = 1; length <= LONGEST_PART && from + length <= sample.length; length++) {
        const part = sample.slice(from, from + length);
        const before = sample.slice(0, from);
        parts.set(`${kindOf(before)}\n${kindOf(part)}`, [before, part]);
      }
  return [...parts.values()].flatMap(([before, part]) =>
    ENDS.map((end) => ({ before, part, end })),
  );
}

/** Maps characters that no expression here distinguishes to one of them, so that equal samples are tried once. */
const kindOf = (text: string): string =>
  text.replaceAll(/[b-z]/g, "a").replaceAll(/[B-Z]/g, "A").replaceAll(/[1-9]/g, "0");

/** These lengths take no time at all, unless the time doubles with each character, or grows with the cube. */
const FEW = [14, 22, 256];
const SOON_MS = 2;
/** Where the time grows with the square, it takes longer than this; a linear expression takes a tenth of it. */
const LONG = 2_048;
const LONG_MS = 0.5;

/** Null: no text that was tried takes longer than its length explains. */
export function slowWith(pattern: RegExp): string | null {
  const flags = pattern.flags.includes("g") ? pattern.flags : `${pattern.flags}g`;
  const anywhere = new RegExp(pattern.source, flags);
  const look = (text: string) => (): unknown => text.replaceAll(anywhere, "");
  const msOf = (text: string): number => {
    const from = performance.now();
    look(text)();
    return performance.now() - from;
  };
  for (const attack of attacksOn(pattern)) {
    const attempt = `${JSON.stringify(attack)}: `;
    for (const length of FEW) {
      const text = textOf(attack, length);
      const ms = (): number => msOf(text);
      if (ms() > SOON_MS && Math.min(ms(), ms(), ms()) > SOON_MS)
        return `${attempt}${length} letters take more than ${SOON_MS} ms`;
    }
    const long = textOf(attack, LONG);
    if (Math.min(msOf(long), msOf(long)) < LONG_MS) continue;
    const growth = notLinear((length) => look(textOf(attack, length)));
    if (growth !== null) return attempt + growth;
  }
  return null;
}
