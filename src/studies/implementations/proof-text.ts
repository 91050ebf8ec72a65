// Formats the results of a proof for a terminal.
import { localCommand } from "../../kit/command-line.ts";
import { many, type Paint } from "../../kit/reading/legible.ts";
import type { ImplementationProof, ImplementationsProof, ProofCut } from "./proof.ts";
import { PROOF_LOOKS } from "./saved-proof.ts";

/** The most lines of a scenario that are printed; the saved result has all lines. */
const MOST_LINES = 60;

const CUT_TEXT = {
  "max-duration": "--max-duration",
  interruption: "an interruption, and not saved",
} as const satisfies Record<ProofCut, string>;

const ONE_OF = { configurations: "configuration", file: "run" } as const;

export function proofText(proof: ImplementationsProof, paint: Paint): readonly string[] {
  const { proved, partial, differs, vacuous, failed, notRun } = proof.footer;
  return [
    ...proof.implementations.flatMap((each) => implementationText(each, proof, paint)),
    `${proved} proved, ${partial} partial, ${differs} differs, ${vacuous} vacuous, ${failed} failed, ${notRun} not run`,
  ];
}

function implementationText(
  { id, version, missing, verdict, cutBy, counts, difference, failure }: ImplementationProof,
  { worlds: wanted, of: kind }: ImplementationsProof,
  paint: Paint,
): readonly string[] {
  const one = kind === undefined ? "world" : ONE_OF[kind];
  if (missing !== null || verdict === null) return [`not run: ${id}: ${missing}`];
  const { worlds, differing, decisions, refused, open, inexpressible, unconfirmed } = counts;
  const of = verdict === "differs" ? ` in ${differing} of` : " in";
  const few = worlds < wanted ? ` of ${wanted} that were wanted` : "";
  const more = [
    [inexpressible, `drawn ${one}s left out, which it cannot express`],
    [counts.failed, `${one}s that could not be run`],
    [unconfirmed, `${one}s that differed once and not again`],
    [counts.announced, "decisions that announce another wait, or other remaining requests"],
  ] as const;
  return [
    `${id} ${version}: ${paint(PROOF_LOOKS[verdict], verdict)}${of} ${many(worlds, one)}${few}: ${many(decisions, "decision")}, ${refused} refused or delayed, ${open} open`,
    ...(cutBy === null ? [] : [`  cut short by ${CUT_TEXT[cutBy]}`]),
    ...more.flatMap(([count, what]) => (count === 0 ? [] : [`  ${count} ${what}`])),
    ...(failure === null ? [] : [`  ${failure}`]),
    ...(difference === null ? [] : differenceText(difference, one)),
  ];
}

function differenceText(
  {
    seed,
    request,
    requests,
    sentence,
    scenario,
    again,
  }: NonNullable<ImplementationProof["difference"]>,
  one: string,
): readonly string[] {
  const lines = scenario.trimEnd().split("\n");
  const shown = lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES), "..."];
  return [
    `  the smallest difference, at request ${request} of ${requests}, of the ${one} with seed ${seed}:`,
    `  ${sentence}`,
    ...shown.map((line) => `    ${line}`),
    `  again: ${localCommand(again)}`,
  ];
}
