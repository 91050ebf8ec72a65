// Checks that the names in expectations and traffic exist. A filter by an unknown name would select nothing, and its
// expectation would be about nothing.
import { LIMITER_EVENTS } from "../../core/events.ts";
import { nearest, warningAt, type Path, type Problem } from "../../reading/problems.ts";
import { type ScenarioCode, scn } from "./codes.ts";
import { axisCalled, sameValue, valueName, type Axis } from "./matrix.ts";
import { reportName, formatValue, type Json } from "../../reading/shape.ts";
import type { ManagementCall, Filter, Flow, Measure } from "../types.ts";
import type { World } from "../world.ts";

/** Events of deliveries: the limiter's, and those of the portal's that a scenario can cause. */
const DELIVERED_EVENTS = [
  ...LIMITER_EVENTS,
  "AccessRequestApproved",
  "UserRegistered",
  "UserAccountActivated",
  "UserAccountDeactivated",
  "CredentialRegistered",
];

/** `RateLimitSmoothing*` */
export function globMatches(glob: string, name: string): boolean {
  const pieces = glob.split("*");
  const [first = "", ...rest] = pieces;
  if (rest.length === 0) return glob === name;
  const last = rest.pop() ?? "";
  if (!name.startsWith(first) || !name.endsWith(last) || name.length < first.length + last.length)
    return false;
  let from = first.length;
  for (const piece of rest) {
    const position = name.indexOf(piece, from);
    if (position < 0 || position + piece.length > name.length - last.length) return false;
    from = position + piece.length;
  }
  return true;
}

interface ScenarioNames {
  readonly flows: readonly Flow[];
  readonly calls: readonly ManagementCall[];
  readonly world: World;
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  readonly gateways: number; // all that exist at some time of the run
  readonly axes: readonly Axis[];
}

/** False if a flow has an unknown client: expectations about it are then not checked. */
export function checkFlows(
  { flows }: Pick<ScenarioNames, "flows">,
  credentials: ReadonlyMap<string, readonly string[]>,
  problems: Problem[],
): boolean {
  const names = [...credentials.keys()];
  // Of a flow that mixes keys, each with the first of its paths.
  const unknown = flows.filter(
    ({ as, mix }) =>
      as !== null && !credentials.has(as) && (mix === undefined || mix.part % mix.send.count === 0),
  );
  for (const { as, item } of unknown)
    reportName(
      problems,
      "SCN-NAME",
      ["traffic", item ?? 0, "as"],
      `no key of the world is called "${as}"`,
      as ?? "",
      names,
    );
  return unknown.length === 0;
}

const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+$/;

/** About paths that need no normalizing; of several flows to one path the first is reported. */
export function warnWithoutApi(
  flows: readonly Flow[],
  { configuration }: World,
  problems: Problem[],
): void {
  if (configuration === null) return;
  const listening = [...configuration.apis.values()].filter(({ active }) => active);
  const listens = (path: string): boolean =>
    listening.some(
      ({ listenPath }) =>
        listenPath === "/" || path === listenPath || path.startsWith(`${listenPath}/`),
    );
  const checkedPaths = new Set<string>();
  for (const { item, path } of flows) {
    if (!PLAIN_PATH.test(path) || checkedPaths.has(path) || listens(path)) continue;
    checkedPaths.add(path);
    const nearestPath = nearest(
      path,
      listening.map(({ listenPath }) => listenPath),
    );
    problems.push(
      warningAt(
        "SCN-NO-API" satisfies ScenarioCode,
        ["traffic", item ?? 0, "send"],
        `no API listens at ${path}, so the requests of this flow are rejected (404)`,
        nearestPath === null ? "send to the listen path of an API" : `did you mean ${nearestPath}?`,
      ),
    );
  }
}

export function checkMeasure(
  measure: Measure,
  at: Path,
  known: ScenarioNames,
  problems: Problem[],
): void {
  if ("filter" in measure) checkFilter(measure.filter, at, known, problems);
  switch (measure.kind) {
    case "events":
      checkEvents(measure.event, [...at, "event"], problems);
      checkKey(measure.key, at, known, problems);
      checkRow(measure, at, problems);
      return;
    case "gapBetween":
      checkEvents(measure.event, [...at, "events"], problems);
      checkKey(measure.key, at, known, problems);
      return;
    case "changeOf":
      checkKey(measure.key, at, known, problems);
      return;
    case "gauge":
      checkKey(measure.key, at, known, problems);
      checkStages(measure.stage, at, known, problems);
      return;
    case "quantity":
      checkAcross(measure.comparison, at.slice(0, -1), known.axes, problems);
      return;
    case "answer":
      checkEach(
        measure.call,
        () => known.calls.map(({ name }) => name),
        [...at, "call"],
        (name) => `no call is named "${name}"`,
        problems,
      );
      return;
    case "deliveries":
      if (measure.event !== null)
        checkEvents(measure.event, [...at, "event"], problems, DELIVERED_EVENTS);
      return;
    case "sameAs":
      checkVariant(measure, [...at, "variant"], known.axes, problems);
      return;
    case "sequence":
    case "decisions":
    case "count":
    case "maxInAnyWindow":
    case "timeToAdmission":
    case "gaveUp":
    case "response":
    case "configuration":
    case "invariant":
  }
}

function checkFilter(filter: Filter, at: Path, known: ScenarioNames, problems: Problem[]): void {
  const { flows, world } = known;
  checkEach(
    filter.flow,
    () => flows.map(({ name }) => name),
    [...at, "flow"],
    (name) => `no flow is called "${name}"`,
    problems,
  );
  checkEach(
    filter.as,
    () => flows.flatMap(({ as }) => as ?? []),
    [...at, "as"],
    (name) => `no flow is sent as "${name}"`,
    problems,
  );
  checkEach(
    world.configuration === null ? null : filter.api,
    () => [...(world.configuration?.apis.keys() ?? [])],
    [...at, "api"],
    (name) => `no API has the id "${name}"`,
    problems,
  );
  const endpoint = filter.endpoint === null ? null : [filter.endpoint];
  checkEach(
    endpoint,
    () => flows.map(({ method, path }) => `${method} ${path}`),
    [...at, "endpoint"],
    (name) => `no flow sends "${name}"`,
    problems,
  );
  checkStages(filter.stage, at, known, problems);
  filter.gateway?.forEach((gateway, index) => {
    if (gateway >= known.gateways)
      scn(
        problems,
        "SCN-NAME",
        [...at, "gateway", index],
        `there is no gateway ${gateway}`,
        "they count from 0",
      );
  });
}

/** Collects the names only if the filter has some: most filters have few. */
function checkEach(
  wanted: readonly string[] | null,
  names: () => readonly string[],
  at: Path,
  sentence: (name: string) => string,
  problems: Problem[],
): void {
  if (wanted === null) return;
  const knownNames = new Set(names());
  wanted.forEach((name, index) => {
    if (!knownNames.has(name))
      reportName(problems, "SCN-NAME", [...at, index], sentence(name), name, [...knownNames]);
  });
}

function checkStages(
  wanted: readonly string[] | null,
  at: Path,
  { flows }: ScenarioNames,
  problems: Problem[],
): void {
  const stages = (): readonly string[] =>
    flows.flatMap(({ shape }) =>
      shape.kind === "stages" ? shape.stages.map(({ name }) => name) : [],
    );
  checkEach(wanted, stages, [...at, "stage"], (name) => `no flow has a stage "${name}"`, problems);
}

function checkKey(
  key: string | null,
  at: Path,
  { world, credentials }: ScenarioNames,
  problems: Problem[],
): void {
  const names = (): readonly string[] => [
    ...credentials.keys(),
    ...[...(world.configuration?.keys.values() ?? [])].map(({ id }) => id),
  ];
  checkEach(
    key === null ? null : [key],
    names,
    [...at, "key"],
    (name) => `no key is called "${name}"`,
    problems,
  );
}

function checkEvents(
  glob: string,
  at: Path,
  problems: Problem[],
  events: readonly string[] = LIMITER_EVENTS,
): void {
  if (!events.some((name) => globMatches(glob, name)))
    reportName(problems, "SCN-NAME", at, `no event is called "${glob}"`, glob, events);
}

function checkRow(
  { event, equals }: Extract<Measure, { kind: "events" }>,
  at: Path,
  problems: Problem[],
): void {
  const choice = LIMITER_EVENTS.filter((name) => globMatches(event, name));
  if (choice.length === 0) return;
  for (const { what } of equals ?? [])
    if (!choice.some((name) => name === what))
      reportName(
        problems,
        "SCN-NAME",
        [...at.slice(0, -1), "sequence"],
        `"${what}" is none of the events that "${event}" chooses`,
        what,
        choice,
      );
}

function checkAcross(
  comparison: Extract<Measure, { kind: "quantity" }>["comparison"],
  at: Path,
  axes: readonly Axis[],
  problems: Problem[],
): void {
  switch (comparison.op) {
    case "growsWith":
    case "constantIn": {
      const axis = axisCalled(comparison.axis, [...at, comparison.op], axes, problems);
      if (axis !== undefined && axis.values.length < 2)
        scn(
          problems,
          "SCN-VACUOUS",
          [...at, comparison.op],
          `the axis "${axis.name}" has one value, so nothing is compared`,
        );
      return;
    }
    case "lessThan":
      checkVariant(comparison, [...at, "lessThan"], axes, problems);
      return;
    case "equals":
    case "atLeast":
    case "atMost":
    case "between":
  }
}

function checkVariant(
  { axis: name, value }: { readonly axis: string; readonly value: Json },
  at: Path,
  axes: readonly Axis[],
  problems: Problem[],
): void {
  const axis = axisCalled(name, [...at, name], axes, problems);
  if (axis !== undefined && !axis.values.some((each) => sameValue(each, value)))
    reportName(
      problems,
      "SCN-NAME",
      [...at, name],
      `${formatValue(value)} is not a value of the axis "${name}"`,
      valueName(value),
      axis.values.map(valueName),
    );
}
