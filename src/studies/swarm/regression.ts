// The name of a counterexample, and the texts of its file.
import { HOLDS } from "../../lab/check/invariant.ts";
import type { Invariant } from "../../lab/scenario/types.ts";
import { REQUIREMENTS } from "../../limiter/spec/requirements.ts";
import type { ScenarioFrame } from "./as-scenario.ts";
import { DIFFERS, THROWS, type SwarmFailure } from "./trial.ts";

/** The requirements of each invariant; a decision has those of the budget that made it. */
const PROVES: Readonly<Record<Invariant, readonly string[]>> = {
  requests: ["LIM-C18"],
  responses: ["LIM-C18"],
  bounds: ["LIM-C11"],
  refusals: ["LIM-1"],
  allowance: ["SMO-2"],
  changes: ["EVT-1"],
  "retry-after": ["HDR-C1"],
};

const invariantOf = ({ what }: SwarmFailure): Invariant | null =>
  (Object.keys(HOLDS) as Invariant[]).find((rule) => HOLDS[rule] === what) ?? null;

export function nameOf(failure: SwarmFailure, seed: number): string {
  const what =
    failure.what === THROWS
      ? "throws"
      : failure.what === DIFFERS
        ? "differs"
        : (invariantOf(failure) ?? "decisions");
  return `${what}-${seed}`;
}

export function frameOf(
  failure: SwarmFailure,
  about: string,
): Omit<ScenarioFrame, "id" | "expect"> {
  const rule = invariantOf(failure);
  const built = new Set(REQUIREMENTS.flatMap(({ id, state }) => (state === "built" ? id : [])));
  const ids = rule === null ? failure.because : PROVES[rule];
  const proves = ids.filter((id) => built.has(id));
  return {
    title: failure.what,
    about: `${about} Before it was repaired: ${failure.observed}`,
    proves: proves.length > 0 ? proves : ["LIM-1"],
  };
}
