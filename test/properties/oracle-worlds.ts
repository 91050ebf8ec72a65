// Random worlds against the oracle. They are shared by two files, because one would take too long for `npm test`.
import * as fc from "fast-check";
import { createHash } from "node:crypto";
import { formatScenario, EXPECTED, NAME } from "#src/studies/swarm/as-scenario.ts";
import { KINDS } from "#src/studies/swarm/kinds.ts";
import { tryScenario, type SwarmTrial } from "#src/studies/swarm/trial.ts";

const HALF = Math.ceil(KINDS.length / 2);
export const FIRST_KINDS = KINDS.slice(0, HALF);
export const OTHER_KINDS = KINDS.slice(HALF);

const frame = { id: NAME, title: "found", about: null, proves: ["LIM-1"], expect: EXPECTED };

const digest = (chunks: Iterable<string>): string => {
  const hash = createHash("sha256");
  for (const chunk of chunks) hash.update(chunk);
  return hash.digest("hex");
};

/** Few, because `weir run --swarm` tries more of the same worlds, in .ci/run and at night. */
export const RUNS = 30;

/** The oracle allows what is decided, and no invariant breaks. */
export const agreesInWorldsOf = (
  { worlds }: (typeof KINDS)[number],
  count: (trial: SwarmTrial) => void = () => {},
) =>
  fc.property(worlds, (raw) => {
    const trial = tryScenario(raw, frame, 1, digest);
    count(trial);
    const { failure } = trial;
    if (failure !== null)
      throw new Error(`${failure.what}: ${failure.observed}\n\n${formatScenario(raw, frame)}`);
  });
