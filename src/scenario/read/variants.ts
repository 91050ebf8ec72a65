// Every cell of the matrix as a variant: its values replace the variables, and the result is read like a plain file.
import type { Path, Problem } from "../../reading/problems.ts";
import {
  checkIds,
  readExpectations,
  readSelection,
  type ReadExpectation,
  type Selection,
} from "./expectations.ts";
import { readFaults } from "./fault-list.ts";
import { cellsOf, readAxes, substitute, type Axis, type MatrixCell } from "./matrix.ts";
import { checkFlows, checkMeasure, warnWithoutApi } from "./names.ts";
import { isJsonMap, type JsonMap, type Json } from "../../reading/shape.ts";
import { scn } from "./codes.ts";
import { applyCosts } from "./costs.ts";
import { tracesIn, type TraceFileReader, type TraceTimes } from "./trace.ts";
import { readTraffic, type Traffic } from "./traffic.ts";
import { countGateways } from "../fault.ts";
import type { Measure, Variant } from "../types.ts";
import { readWorld } from "./world.ts";

interface Parts {
  readonly world: Json;
  readonly traffic: Json;
  readonly faults: Json;
  readonly expect: Json;
}

export function readVariants(
  written: JsonMap,
  proves: readonly string[],
  lineOf: (path: Path) => number,
  readTraceFile: TraceFileReader,
  problems: Problem[],
): readonly Variant[] {
  const axes = readAxes(written["matrix"], problems);
  if (axes === undefined) return [];
  const { world = {}, traffic = [], faults = [], expect = [] } = written;
  const parts: Parts = { world, traffic, faults, expect };
  if (!Object.hasOwn(written, "expect") || !Object.hasOwn(written, "world")) return [];
  const selection = readSelection(parts.expect, axes, problems);
  checkIds(parts.expect, problems);
  const lines = (Array.isArray(parts.expect) ? parts.expect : []).map((_, index) =>
    lineOf(["expect", index]),
  );
  const traceIn = tracesIn(readTraceFile);
  const used = new Set<string>();
  const reported = new Set<string>();
  const variants = cellsOf(axes).map((cell) => {
    const cellProblems: Problem[] = [];
    const filled = fill(parts, cell, used, cellProblems);
    const variant = readVariant(
      filled,
      { cell, axes, selection, proves, lines, traceIn },
      cellProblems,
    );
    for (const problem of cellProblems) {
      const text = JSON.stringify(problem);
      if (!reported.has(text)) problems.push(problem);
      reported.add(text);
    }
    return variant;
  });
  for (const { name } of axes)
    if (!used.has(name))
      scn(
        problems,
        "SCN-UNUSED-AXIS",
        ["matrix", name],
        `nothing uses the axis "${name}"`,
        `write $${name} where its value belongs, or take the axis out`,
      );
  return variants.filter((variant) => variant !== null);
}

function fill(parts: Parts, cell: MatrixCell, used: Set<string>, problems: Problem[]): Parts {
  const put = (name: keyof Parts): Json => {
    const { value, used: here } = substitute(parts[name], [name], cell.axes, problems);
    for (const axis of here) used.add(axis);
    return value;
  };
  return {
    world: put("world"),
    traffic: put("traffic"),
    faults: put("faults"),
    expect: put("expect"),
  };
}

interface Setting {
  readonly cell: MatrixCell;
  readonly axes: readonly Axis[];
  readonly selection: Selection;
  readonly proves: readonly string[];
  readonly lines: readonly number[]; // of the expectations
  readonly traceIn: (file: string) => TraceTimes;
}

function readVariant(
  parts: Parts,
  { cell, axes, selection, proves, lines, traceIn }: Setting,
  problems: Problem[],
): Variant | null {
  const world = readWorld(parts.world, ["world"], problems);
  const read = readExpectations(
    parts.expect,
    (index) => selection(index, cell),
    proves,
    lines,
    problems,
  );
  if (read !== null && read.length === 0 && problems.length === 0)
    scn(
      problems,
      "SCN-VACUOUS",
      ["expect"],
      `no expectation ${cell.name === "" ? "is written" : `applies to the variant ${cell.name}`}`,
    );
  if (world === undefined || read === null) return null;
  const { name, axes: values } = cell;
  if (read.some(({ expectation }) => expectsFaults(expectation.measure))) {
    checkOnlyConfiguration(read, problems);
    return {
      name,
      axes: values,
      world: { ...world, configuration: null },
      traffic: [],
      calls: [],
      faults: [],
      expectations: read.map(({ expectation }) => expectation),
    };
  }
  for (const problem of world.problems)
    problems.push({ ...problem, path: ["world", ...problem.path] });
  const sent = readTraffic(parts.traffic, ["traffic"], traceIn, problems);
  const faulty = readFaults(parts.faults, ["faults"], world, sent?.flows ?? null, problems);
  if (sent === undefined || faulty === undefined) return null;
  const { calls } = sent;
  const { credentials } = faulty;
  const costed = applyCosts(
    { configuration: world.configuration, faults: faulty.faults, traffic: sent.flows },
    problems,
  );
  const { configuration, faults, traffic } = costed;
  if (!hasTraffic(sent, read, problems) || !checkFlows(sent, credentials, problems)) return null;
  if (calls.length > 0) checkOneSource(parts.faults, problems);
  // Calls and injected faults may add the API.
  if (calls.length === 0 && faults.every(({ kind }) => kind !== "configure"))
    warnWithoutApi(traffic, world, problems);
  const names = {
    flows: traffic,
    calls,
    world,
    credentials,
    gateways: countGateways(world.environment.nodes, faults),
    axes,
  };
  for (const { expectation, path } of read)
    checkMeasure(expectation.measure, path, names, problems);
  const expectations = read.map(({ expectation }) => expectation);
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

const expectsFaults = (measure: Measure): boolean =>
  measure.kind === "configuration" && measure.level === "errors";

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

/** Calls change records, which a file that is read again would contradict. */
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
    "nothing is sent, so there is nothing to expect of it",
    "write at least one flow under traffic",
  );
  return false;
}
