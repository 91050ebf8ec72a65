// Whether two results can be compared. An obstacle makes every ratio meaningless. A cell is left out if its two
// measurements cannot be compared. --force ignores both. A warning is only shown.
import { many } from "../../../kit/reading/legible.ts";
import { hasEqualRefusals, refusalText, percentRefused } from "../refusals.ts";
import { loadPartOf } from "../subjects.ts";
import { dependsOnCapacity } from "../world-of.ts";
import type { BenchResult, BenchCellResult } from "../result.ts";
import { SAME_RUN } from "./comparison.ts";

interface Comparable {
  readonly obstacles: readonly string[];
  readonly warnings: readonly string[];
  /** Cells whose two measurements are of different loads, each with the reason. */
  readonly leftOut: ReadonlyMap<string, string>;
}

interface NamedResult {
  readonly name: "BASE" | "HEAD";
  readonly result: BenchResult;
}

export function checkComparable(base: BenchResult, head: BenchResult): Comparable {
  const both: readonly NamedResult[] = [
    { name: "BASE", result: base },
    { name: "HEAD", result: head },
  ];
  return {
    obstacles: [...differentLoads(base, head), ...both.flatMap((run) => findSpoiled(run, base))],
    warnings: [...differences(base, head), ...both.flatMap((run) => remarks(run, base))],
    leftOut: new Map(
      base.cells.flatMap((cell) => {
        const other = head.cells.find(({ name }) => name === cell.name);
        const why = other === undefined ? null : whyOtherLoad([base, cell], [head, other]);
        return why === null ? [] : [[cell.name, why] as const];
      }),
    ),
  };
}

type CellOfRun = readonly [BenchResult, BenchCellResult];

function whyOtherLoad([base, ours]: CellOfRun, [head, theirs]: CellOfRun): string | null {
  const isOpen = loadPartOf(ours.name).includes("load_model="); // a control has no factors, but its name shows the load
  const follows = ours.factors === null ? isOpen : dependsOnCapacity(ours.factors);
  if (
    follows &&
    base.capacity !== null &&
    head.capacity !== null &&
    base.capacity !== head.capacity
  )
    return `their load follows from the capacity, which was ${base.capacity} answers a second in BASE and ${head.capacity} in HEAD: run HEAD again with --capacity ${base.capacity}`;
  if (hasEqualRefusals(ours, theirs)) return null;
  const [one, other] = [ours, theirs].map(({ repeats }) =>
    refusalText(percentRefused(repeats) ?? 0),
  );
  return `${one} were refused in BASE and ${other} in HEAD, and a refusal costs less`;
}

/** One sentence for each reason, with all cells that it applies to. */
export const reportLeftOut = (leftOut: Comparable["leftOut"]): readonly string[] =>
  [...Map.groupBy(leftOut, ([, why]) => why)].map(
    ([why, cells]) => `${cells.map(([name]) => name).join(", ")}: ${why}`,
  );

/** Differences in load or machine, which a ratio would measure in place of the code. */
function differentLoads(base: BenchResult, head: BenchResult): readonly string[] {
  const found: string[] = [];
  if (base.suite.id !== head.suite.id)
    found.push(`BASE is a run of the suite ${base.suite.id}, HEAD one of ${head.suite.id}`);
  else if (base.suite.hash !== head.suite.hash)
    found.push(
      `BASE and HEAD ran the suite ${base.suite.id} differently: run both with the same file, and with or without --quick`,
    );
  const machines = [base, head].map(
    ({ machine: { cpu, cores, memoryGiB } }) => `${cores} x ${cpu} with ${memoryGiB} GiB`,
  );
  if (machines[0] !== machines[1])
    found.push(`BASE ran on ${machines[0]}, HEAD on ${machines[1]}: run both on one machine`);
  if ((base.target === null) !== (head.target === null))
    found.push(`only ${base.target === null ? "HEAD" : "BASE"} ran against a --target`);
  if (isPinned(base) !== isPinned(head))
    found.push(`only ${isPinned(base) ? "BASE" : "HEAD"} ran with --pin: run both the same way`);
  return found;
}

const isPinned = ({ argv }: BenchResult): boolean => argv.includes("--pin");

/** Reasons why the values of a run are not those of its suite. */
function findSpoiled({ name, result }: NamedResult, { gates }: BenchResult): readonly string[] {
  const found: string[] = [];
  if (result.stopped !== null)
    found.push(`${name} ended before its time (${result.stopped}): run it again`);
  if (result.machine.busy !== null)
    found.push(`${name} ran while the machine was too busy: ${result.machine.busy.split(":")[0]}`);
  for (const cell of result.cells)
    if (isGate(gates, cell) && errorsOf(cell) > 0)
      found.push(
        `${name} has ${many(errorsOf(cell), "error")} in ${cell.name}, which has a gate: a failed request has another cost`,
      );
  return found;
}

const isGate = (gates: BenchResult["gates"], { name }: BenchCellResult): boolean =>
  gates.some(({ cell }) => cell === name);

const errorsOf = ({ repeats }: BenchCellResult): number =>
  repeats.reduce((sum, { errors }) => sum + errors, 0);

/** Differences that may be the purpose of the comparison, such as another version of Node. */
function differences(base: BenchResult, head: BenchResult): readonly string[] {
  const found: string[] = [];
  if (base.startedAt === head.startedAt) found.push(SAME_RUN);
  const differs = (what: string, of: (machine: BenchResult["machine"]) => string | null): void => {
    const [one, other] = [of(base.machine), of(head.machine)];
    if (one !== other)
      found.push(`${what} differs: ${one ?? "unknown"} in BASE, ${other ?? "unknown"} in HEAD`);
  };
  differs("Node", ({ node }) => node);
  differs("the system", ({ system }) => system);
  differs("the processor's governor", ({ governor }) => governor);
  if (base.target !== head.target && base.target !== null && head.target !== null)
    found.push(`the target differs: ${base.target} in BASE, ${head.target} in HEAD`);
  if (gatesOf(base) !== gatesOf(head)) found.push("the gates differ: those of BASE apply");
  const [ours, theirs] = [base.machine.versions, head.machine.versions];
  const others = Object.keys({ ...ours, ...theirs })
    .filter((name) => ours[name] !== theirs[name])
    .map((name) => `${name} ${ours[name] ?? "none"} and ${theirs[name] ?? "none"}`);
  if (others.length > 0) found.push(`packages differ: ${others.join(", ")}`);
  return found;
}

const gatesOf = ({ gates }: BenchResult): string =>
  gates
    .map(({ cell, metric }) => `${cell} ${metric}`)
    .toSorted()
    .join("; ");

function remarks({ name, result }: NamedResult, { gates }: BenchResult): readonly string[] {
  const broken = result.cells.filter((cell) => !isGate(gates, cell) && errorsOf(cell) > 0);
  return [
    ...result.warnings
      .filter((warning) => warning !== result.machine.busy)
      .map((warning) => `${name}: ${warning}`),
    ...broken.map((cell) => `${name} has ${many(errorsOf(cell), "error")} in ${cell.name}`),
  ];
}
