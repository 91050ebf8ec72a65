// Reads the command line of `weir bench` into values, or returns its problem.
import type { NamePattern, BenchSelection } from "../studies/bench/plan.ts";
import { CONTROLS, FACTORS, type Control } from "../studies/bench/suite.ts";
import { readTarget, type TargetWords } from "../lab/drivers/allowed-target.ts";
import { Failure, isFailure } from "../kit/reading/failure.ts";
import { nearest } from "../kit/reading/problems.ts";
import { countIn, type Arguments } from "./arguments.ts";
import { compilePattern } from "../lab/run/variant-patterns.ts";

export interface BenchOptions {
  readonly wanted: BenchSelection;
  readonly capacity: number | null;
  readonly target: URL | null;
}

/** `findOther` reads the files of an implementation that `--control` names and Weir does not contain. */
export async function benchOptions(
  { switches, values, lists }: Arguments,
  findOther: FindOther,
): Promise<BenchOptions | Failure> {
  const target = targetIn(values, lists.get("allow-target") ?? []);
  if (isFailure(target)) return target;
  const controls = await controlsIn(values.get("control"), findOther);
  if (isFailure(controls)) return controls;
  const repeats = countIn(values, "repeats", 1_000);
  if (isFailure(repeats)) return repeats;
  const starts = countIn(values, "starts", 100);
  if (isFailure(starts)) return starts;
  const capacity = countIn(values, "capacity", 10_000_000);
  if (isFailure(capacity)) return capacity;
  const only = values.get("only");
  const [isQuick, isCross] = [switches.has("quick"), switches.has("cross")];
  if (isQuick && isCross) return new Failure("--quick and --cross exclude each other; remove one");
  const startsOthers = isCross || controls.length > 0 || switches.has("pin") || starts !== null;
  if (target !== null && startsOthers)
    return new Failure(
      "--target measures a running gateway and starts no other; remove --cross, --control, --starts and --pin",
    );
  return {
    wanted: {
      isQuick,
      isCross,
      isTarget: target !== null,
      controls,
      repeats,
      starts,
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
): URL | Failure | null {
  const typed = values.get("target");
  if (typed !== undefined) return readTarget(typed, allowedHosts, TARGET_WORDS);
  return allowedHosts.length > 0 ? new Failure("--allow-target needs --target URL") : null;
}

type FindOther = (name: string) => Promise<Control | Failure>;

async function controlsIn(
  typed: string | undefined,
  findOther: FindOther,
): Promise<readonly Control[] | Failure> {
  if (typed === undefined) return [];
  const controls: Control[] = [];
  for (const name of typed.split(",")) {
    const control =
      CONTROLS.find((each) => each === name) ?? (await controlOfOthers(name, findOther));
    if (isFailure(control)) return control;
    controls.push(control);
  }
  return controls;
}

async function controlOfOthers(name: string, find: FindOther): Promise<Control | Failure> {
  const control = await find(name);
  if (!isFailure(control)) return control;
  const suggestion = nearest(name, CONTROLS);
  return new Failure(
    suggestion === null
      ? `--control ${name}: ${control.message}; without an installation there are ${CONTROLS.join(", ")}`
      : `there is no control ${name}; did you mean ${suggestion}?`,
  );
}

/** Patterns are separated by commas. A pattern may list the factors of a cell in any order, separated by spaces. */
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
