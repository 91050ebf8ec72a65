// Builds a variant for each cell of the matrix: the cell's values replace variables, and the result is read.
import type { Path, Problem } from "../../../kit/reading/problems.ts";
import {
  checkIds,
  readExpectations,
  readSelection,
  type ExpectationParts,
  type ReadExpectation,
  type Selection,
} from "./expectations.ts";
import { readFaults } from "./fault-list.ts";
import { cellsOf, readAxes, substitute, type Axes, type MatrixCell } from "./matrix.ts";
import { joinNames, NO_NAMES_READ, NO_TRAFFIC_READ } from "./name-lists.ts";
import { checkFlows, checkNames, warnWithoutApi } from "./names.ts";
import { isJsonMap, type JsonMap, type Json } from "../../../kit/reading/shape.ts";
import { scn } from "./codes.ts";
import { applyCosts } from "./costs.ts";
import { tracesIn, type TraceFileReader, type TraceTimes } from "./trace.ts";
import { readTraffic, type Traffic } from "./traffic.ts";
import { countGateways } from "../fault.ts";
import { checkRules, type RulesReader } from "./rules.ts";
import type { Flow, Variant } from "../types.ts";
import type { World } from "../world.ts";
import { readWorld } from "./world.ts";

interface Parts {
  readonly world: Json | undefined; // undefined if missing, which is reported
  readonly traffic: Json;
  readonly faults: Json;
  readonly expect: Json;
}

export function readVariants(
  written: JsonMap,
  proves: readonly string[],
  lineOf: (path: Path) => number,
  readTraceFile: TraceFileReader,
  readRules: RulesReader,
  problems: Problem[],
): readonly Variant[] {
  const matrix = readAxes(written["matrix"], problems);
  const { axes } = matrix;
  const { world, traffic = [], faults = [], expect = [] } = written;
  const parts: Parts = { world, traffic, faults, expect };
  const selection = readSelection(expect, matrix, problems);
  checkIds(expect, problems);
  const lines = (Array.isArray(expect) ? expect : []).map((_, index) => lineOf(["expect", index]));
  const traceIn = tracesIn(readTraceFile);
  const used = new Set<string>();
  const reported = new Set<string>();
  const variants = cellsOf(axes).map((cell) => {
    const cellProblems: Problem[] = [];
    const unread: Path[] = [];
    const filled = fill(parts, cell, matrix, { used, unread }, cellProblems);
    const variant = readVariant(
      filled,
      {
        cell,
        matrix,
        selection,
        proves,
        lines,
        traceIn,
        readRules,
        hasExpectations: Object.hasOwn(written, "expect"),
      },
      cellProblems,
    );
    const needsReport = (problem: Problem): boolean =>
      // Warnings depend on values, and an incomplete matrix lacks some values.
      (matrix.isComplete || problem.severity === "error") && !followsFrom(problem, unread);
    for (const problem of cellProblems.filter(needsReport)) {
      const text = JSON.stringify(problem);
      if (!reported.has(text)) problems.push(problem);
      reported.add(text);
    }
    return variant;
  });
  for (const { name, isRead } of axes)
    if (isRead && !used.has(name))
      scn(
        problems,
        "SCN-UNUSED-AXIS",
        ["matrix", name],
        `nothing uses the axis "${name}"`,
        `write $${name} where its value belongs, or take the axis out`,
      );
  return variants.filter((variant) => variant !== null);
}

/** Whether the problem follows from an unread value: it is at that value, its paired field, or a reference to it. */
const followsFrom = ({ code, path }: Problem, unread: readonly Path[]): boolean =>
  // Whether a field is known does not depend on values.
  !UNKNOWN_FIELD.test(code) &&
  unread.some((missing) => {
    const isBelow = (place: Path): boolean => place.every((step, index) => path[index] === step);
    return (
      isBelow(missing) ||
      (PAIRED_CODES.has(code) && isBelow(missing.slice(0, -1))) ||
      (missing[0] === "world" && missing.length <= 2 && REFERENCE_CODE.test(code))
    );
  });

const UNKNOWN_FIELD = /-UNKNOWN-FIELD$/;
const PAIRED_CODES: ReadonlySet<string> = new Set(["CFG-PER-WITHOUT-RATE", "CFG-RATE-WITHOUT-PER"]);
const REFERENCE_CODE = /^(?:CFG-UNKNOWN-API|CFG-UNKNOWN-POLICY|CFG-KEY-.*|SCN-NAME)$/;

function fill(
  parts: Parts,
  cell: MatrixCell,
  matrix: Axes,
  { used, unread }: { readonly used: Set<string>; readonly unread: Path[] },
  problems: Problem[],
): Parts {
  const put = (name: keyof Parts, part: Json): Json => {
    const filled = substitute(part, [name], cell, matrix, problems);
    for (const axis of filled.used) used.add(axis);
    unread.push(...filled.unread);
    return filled.value;
  };
  return {
    world: parts.world === undefined ? undefined : put("world", parts.world),
    traffic: put("traffic", parts.traffic),
    faults: put("faults", parts.faults),
    expect: put("expect", parts.expect),
  };
}

interface Setting {
  readonly cell: MatrixCell;
  readonly matrix: Axes;
  readonly selection: Selection;
  readonly proves: readonly string[];
  readonly lines: readonly number[]; // lines of the expectations
  readonly traceIn: (file: string) => TraceTimes;
  readonly readRules: RulesReader;
  readonly hasExpectations: boolean; // false if the part is missing, which is reported
}

/** Reads a variant; null after a problem. Each check uses what could be read, and skips what depends on other parts. */
function readVariant(
  parts: Parts,
  { cell, matrix, selection, proves, lines, traceIn, readRules, hasExpectations }: Setting,
  problems: Problem[],
): Variant | null {
  const {
    world,
    names: worldNames,
    isRead,
  } = readWorld(parts.world, ["world"], readRules, problems);
  const isIn = (index: number): boolean => selection(index, cell);
  const expected = readExpectations(parts.expect, isIn, proves, lines, problems);
  const { read } = expected;
  if (hasExpectations && expected.isComplete && read.length === 0 && problems.length === 0)
    scn(
      problems,
      "SCN-VACUOUS",
      ["expect"],
      `no expectation ${cell.name === "" ? "is written" : `applies to the variant ${cell.name}`}`,
    );
  const { name, axes: values } = cell;
  const expectations = read.map(({ expectation }) => expectation);
  if (expected.parts.some(expectsErrors)) {
    checkOnlyConfiguration(read, problems);
    const broken = { ...world, configuration: null };
    return isRead && expected.isComplete
      ? { name, axes: values, world: broken, traffic: [], calls: [], faults: [], expectations }
      : null;
  }
  for (const problem of world.problems)
    problems.push({ ...problem, path: ["world", ...problem.path] });
  const sent = readTraffic(parts.traffic, ["traffic"], traceIn, problems);
  const { calls } = sent;
  const flows = sent.isComplete ? sent.flows : null;
  const faulty = readFaults(parts.faults, ["faults"], world, flows, sent.names.clients, problems);
  const { credentials, isClear } = faulty;
  const keys = isClear
    ? joinNames(worldNames.keys, { names: [...credentials.keys()], isComplete: true })
    : NO_NAMES_READ;
  const gateways = isClear ? countGateways(world.environment.nodes, faulty.faults) : Infinity;
  const isSent = !sent.isComplete || hasTraffic(sent, read, problems);
  const trafficNames = isSent ? checkFlows(sent.names, { keys }, problems) : NO_TRAFFIC_READ;
  if (calls.length > 0) checkOneSource(parts.faults, problems);
  const names = { ...trafficNames, ...worldNames, keys, gateways, axes: matrix };
  for (const part of expected.parts) checkNames(part, names, problems);
  if (
    !isSent ||
    !isRead ||
    !expected.isComplete ||
    !sent.isComplete ||
    !faulty.isComplete ||
    !isClear
  )
    return null;
  const costed = applyCosts(
    { configuration: world.configuration, faults: faulty.faults, traffic: sent.flows },
    problems,
  );
  const { configuration, faults, traffic } = costed;
  const { rules } = world;
  if (rules !== null) {
    checkRules(rules, { traffic, faults, calls }, problems);
    return {
      name,
      axes: values,
      world: { ...world, configuration, credentials: credentialsOf(traffic) },
      traffic,
      calls,
      faults,
      expectations,
    };
  }
  // Calls and injected faults may add the API later.
  if (calls.length === 0 && faults.every(({ kind }) => kind !== "configure"))
    warnWithoutApi(traffic, world, problems);
  return {
    name,
    axes: values,
    world: { ...world, configuration, credentials },
    traffic,
    calls,
    faults,
    expectations,
  };
}

/** The clients of a flow send credentials of their own: `as: bot` of three clients is bot-1, bot-2 and bot-3. */
function credentialsOf(flows: readonly Flow[]): World["credentials"] {
  const counts = new Map<string, number>();
  for (const { as, clients } of flows)
    if (as !== null) counts.set(as, Math.max(clients, counts.get(as) ?? 1));
  return new Map(
    [...counts].map(([as, count]) => [
      as,
      count === 1 ? [as] : Array.from({ length: count }, (_, at) => `${as}-${at + 1}`),
    ]),
  );
}

/** Whether errors of the world are expected. Uses the text alone, because the expectation may have errors itself. */
function expectsErrors({ fields }: ExpectationParts): boolean {
  const { configuration = null } = fields;
  return isJsonMap(configuration) && configuration["level"] === "errors";
}

function checkOnlyConfiguration(read: readonly ReadExpectation[], problems: Problem[]): void {
  for (const { expectation, path } of read)
    if (expectation.measure.kind !== "configuration")
      scn(
        problems,
        "SCN-BROKEN-WORLD",
        path,
        "the world is expected to have errors, so it is never run",
        "leave this expectation to other cells with where, or to another file",
      );
}

/** Reports each `configure` in a scenario with calls: calls change records, and a `configure` would conflict. */
function checkOneSource(faults: Json, problems: Problem[]): void {
  for (const [index, item] of (Array.isArray(faults) ? (faults as readonly Json[]) : []).entries())
    if (isJsonMap(item) && Object.hasOwn(item, "configure"))
      scn(
        problems,
        "SCN-UNKNOWN-FIELD",
        ["faults", index, "configure"],
        "a configuration that calls change cannot be changed by configure too",
        "write a call for this change too",
      );
}

function hasTraffic(
  { flows, calls }: Traffic,
  read: readonly ReadExpectation[],
  problems: Problem[],
): boolean {
  if (
    flows.length + calls.length > 0 ||
    read.every(({ expectation }) => expectation.measure.kind === "configuration")
  )
    return true;
  scn(
    problems,
    "SCN-TRAFFIC",
    ["traffic"],
    "no request is sent, so the expectations have nothing to examine",
    "write at least one flow under traffic",
  );
  return false;
}
