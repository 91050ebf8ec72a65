// Checks that names in expectations and traffic exist. A filter with an unknown name would select nothing, so its
// expectation would examine nothing.
import { LIMITER_EVENTS } from "../../../limiter/core/events.ts";
import { nearest, warningAt, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { type ScenarioCode, scn } from "./codes.ts";
import { axisCalled, sameValue, valueName, type Axes } from "./matrix.ts";
import type { ExpectationParts } from "./expectations.ts";
import { joinNames, type NameList, type TrafficNames, type WorldNames } from "./name-lists.ts";
import {
  isJsonMap,
  reportName,
  formatValue,
  type Json,
  type JsonMap,
} from "../../../kit/reading/shape.ts";
import type { Flow, Measure } from "../types.ts";
import type { World } from "../world.ts";

/** Events that webhooks can deliver: the limiter's, and those portal events that a scenario can cause. */
const DELIVERED_EVENTS = [
  ...LIMITER_EVENTS,
  "AccessRequestApproved",
  "UserRegistered",
  "UserAccountActivated",
  "UserAccountDeactivated",
  "CredentialRegistered",
];

/** Matches a pattern such as `RateLimitSmoothing*`. */
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

interface ScenarioNames extends TrafficNames, WorldNames {
  readonly gateways: number; // all gateways that exist at some time of the run
  readonly axes: Axes;
}

/** Returns the names that expectations may use. If traffic misspells a key, the world's keys are valid names too. */
export function checkFlows(
  traffic: TrafficNames,
  { keys }: Pick<WorldNames, "keys">,
  problems: Problem[],
): TrafficNames {
  let areKnown = true;
  for (const { key, item } of traffic.senders) {
    const at = ["traffic", item, "as"];
    if (!checkName(keys, key, at, `no key of the world is called "${key}"`, problems))
      areKnown = false;
  }
  if (areKnown) return traffic;
  // A flow without a name has the name of its key, so keys are valid names of flows.
  const { flows, clients } = traffic;
  return { ...traffic, flows: joinNames(keys, flows), clients: joinNames(keys, clients) };
}

/** Reports an unknown name and returns false. Any name is accepted if some names could not be read. */
function checkName(
  { names, isComplete }: NameList,
  name: string,
  at: Path,
  sentence: string,
  problems: Problem[],
): boolean {
  if (!isComplete || names.includes(name)) return true;
  reportName(problems, "SCN-NAME", at, sentence, name, [...new Set(names)]);
  return false;
}

const PLAIN_PATH = /^(?:\/[\w~-][\w.~-]*)+$/;

/** Warns about each path at which no API listens, once. Paths that need normalizing are not checked. */
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

/** Fields of expectations that refer to names. A field has the same meaning with every word. */
const NAMED: readonly {
  readonly field: string;
  readonly list: "flows" | "clients" | "apis" | "endpoints" | "stages" | "calls";
  readonly sentence: (name: string) => string;
}[] = [
  { field: "flow", list: "flows", sentence: (name) => `no flow is called "${name}"` },
  { field: "as", list: "clients", sentence: (name) => `no flow is sent as "${name}"` },
  { field: "api", list: "apis", sentence: (name) => `no API has the id "${name}"` },
  { field: "endpoint", list: "endpoints", sentence: (name) => `no flow sends "${name}"` },
  { field: "stage", list: "stages", sentence: (name) => `no flow has a stage "${name}"` },
  { field: "call", list: "calls", sentence: (name) => `no call is named "${name}"` },
];

/** Checks the names in an expectation, even in one with errors, because names are read as written. */
export function checkNames(
  { measure, word, fields, at, pathInFile }: ExpectationParts,
  known: ScenarioNames,
  problems: Problem[],
): void {
  if (word === undefined) return;
  const own: Problem[] = [];
  const path = [...at, word];
  const value = fields[word] ?? null;
  if (isJsonMap(value)) checkChoice(word, value, path, known, own);
  for (const name of ["growsWith", "constantIn"])
    if (typeof fields[name] === "string") checkAxis(fields[name], [...at, name], known.axes, own);
  checkVariant(fields["lessThan"], [...at, "lessThan"], known.axes, own);
  if (measure?.kind === "events") checkRow(measure, path, own);
  problems.push(...own.map((problem) => ({ ...problem, path: pathInFile(problem.path) })));
}

function checkChoice(
  word: string,
  choice: JsonMap,
  at: Path,
  known: ScenarioNames,
  problems: Problem[],
): void {
  for (const { field, list, sentence } of NAMED)
    for (const [index, name] of textsIn(choice[field]).entries())
      checkName(known[list], name, [...at, field, index], sentence(name), problems);
  for (const key of textsIn(choice["key"])) {
    const keys = joinNames(known.keys, known.keyIds);
    checkName(keys, key, [...at, "key", 0], `no key is called "${key}"`, problems);
  }
  const events = word === "deliveries" ? DELIVERED_EVENTS : LIMITER_EVENTS;
  for (const field of ["event", "events"])
    for (const glob of textsIn(choice[field])) checkEvents(glob, [...at, field], problems, events);
  for (const [index, gateway] of listIn(choice["gateway"]).entries())
    if (typeof gateway === "number" && gateway >= known.gateways)
      scn(
        problems,
        "SCN-NAME",
        [...at, "gateway", index],
        `there is no gateway ${gateway}`,
        "numbers begin at 0",
      );
  checkVariant(choice["variant"], [...at, "variant"], known.axes, problems);
}

/** A single value or a list of values, as a list. */
const listIn = (value: Json | undefined): readonly Json[] =>
  value === undefined ? [] : Array.isArray(value) ? (value as readonly Json[]) : [value];

const textsIn = (value: Json | undefined): readonly string[] =>
  listIn(value).filter((each) => typeof each === "string");

function checkEvents(glob: string, at: Path, problems: Problem[], events: readonly string[]): void {
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

/** Checks an axis along which a measure is compared. */
function checkAxis(name: string, at: Path, axes: Axes, problems: Problem[]): void {
  const axis = axisCalled(name, at, axes, problems);
  if (axis !== undefined && axis.isRead && axis.values.length < 2)
    scn(
      problems,
      "SCN-VACUOUS",
      at,
      `the axis "${axis.name}" has one value, so nothing is compared`,
    );
}

/** Checks `{axis: value}`, which names the variant to compare with. */
function checkVariant(other: Json | undefined, at: Path, axes: Axes, problems: Problem[]): void {
  const [[name, value] = [], second] =
    other !== undefined && isJsonMap(other) ? Object.entries(other) : [];
  if (name === undefined || value === undefined || second !== undefined) return;
  const axis = axisCalled(name, [...at, name], axes, problems);
  if (axis !== undefined && axis.isRead && !axis.values.some((each) => sameValue(each, value)))
    reportName(
      problems,
      "SCN-NAME",
      [...at, name],
      `${formatValue(value)} is not a value of the axis "${name}"`,
      valueName(value),
      axis.values.map(valueName),
    );
}
