// The command line of `weir bench` as values, or its problem.
import type { NamePattern, BenchSelection } from "../bench/plan.ts";
import { CONTROLS, FACTORS, type Control } from "../bench/suite.ts";
import { readTarget, type TargetWords } from "../drivers/allowed-target.ts";
import { nearest } from "../reading/problems.ts";
import type { Arguments } from "./arguments.ts";
import { compilePattern } from "../run/variant-patterns.ts";

export interface BenchOptions {
  readonly wanted: BenchSelection;
  readonly capacity: number | null;
  readonly target: URL | null;
}

export function benchOptions({ switches, values, lists }: Arguments): BenchOptions | string {
  const target = targetIn(values, lists.get("allow-target") ?? []);
  if (typeof target === "string") return target;
  const controls = controlsIn(values.get("control"));
  if (typeof controls === "string") return controls;
  const repeats = countIn(values, "repeats", 1_000);
  if (typeof repeats === "string") return repeats;
  const capacity = countIn(values, "capacity", 10_000_000);
  if (typeof capacity === "string") return capacity;
  const only = values.get("only");
  const [isQuick, isCross] = [switches.has("quick"), switches.has("cross")];
  if (isQuick && isCross) return "--quick and --cross exclude each other; remove one";
  if (target !== null && (isCross || controls.length > 0 || switches.has("pin")))
    return "--target measures a running gateway and starts no other; remove --cross, --control and --pin";
  return {
    wanted: {
      isQuick,
      isCross,
      isTarget: target !== null,
      controls,
      repeats,
      only: only === undefined ? null : patternsIn(only),
    },
    capacity,
    target,
  };
}

const TARGET_WORDS: TargetWords = {
  url: "--target",
  credential: "set WEIR_BENCH_KEY, which is sent as Authorization",
};

function targetIn(
  values: Arguments["values"],
  allowedHosts: readonly string[],
): URL | string | null {
  const typed = values.get("target");
  if (typed !== undefined) return readTarget(typed, allowedHosts, TARGET_WORDS);
  return allowedHosts.length > 0 ? "--allow-target goes with --target" : null;
}

function controlsIn(typed: string | undefined): readonly Control[] | string {
  if (typed === undefined) return [];
  const controls: Control[] = [];
  for (const name of typed.split(",")) {
    const control = CONTROLS.find((each) => each === name);
    if (control === undefined) {
      const suggestion = nearest(name, CONTROLS);
      return `there is no control ${name}; ${suggestion === null ? `there are ${CONTROLS.join(", ")}` : `did you mean ${suggestion}?`}`;
    }
    controls.push(control);
  }
  return controls;
}

export function countIn(
  values: Arguments["values"],
  name: string,
  most: number,
): number | string | null {
  const typed = values.get(name);
  if (typed === undefined) return null;
  const value = /^\d+$/.test(typed) ? Number(typed) : 0;
  return value >= 1 && value <= most
    ? value
    : `--${name} must be an integer from 1 to ${most}; got "${typed}"`;
}

/** Several with commas; names of combinations have blanks in them, and their factors may come in any order. */
const patternsIn = (only: string): readonly NamePattern[] =>
  only.split(",").map((text) => {
    const inOrder = text
      .trim()
      .split(/ +/)
      .toSorted((a, b) => placeOf(a) - placeOf(b));
    return { text, matches: compilePattern(inOrder.join(" ")) };
  });

const placeOf = (text: string): number =>
  FACTORS.findIndex((factor) => text.startsWith(`${factor}=`));
