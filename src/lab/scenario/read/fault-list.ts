// Reads the injected faults of a run and their times.
import { NO_TIME } from "../../../kit/chance/distribution.ts";
import { warningAt, type Path, type Problem } from "../../../kit/reading/problems.ts";
import { readConfiguration } from "../../../limiter/world/read.ts";
import { micros, type Micros } from "../../../kit/units.ts";
import { type ScenarioCode, scn } from "./codes.ts";
import { checkPatch } from "./patch-names.ts";
import {
  mapWithWord,
  record,
  schemaOf,
  word,
  type FieldWord,
} from "../../../kit/reading/record.ts";
import {
  isJsonMap,
  listOf,
  anyMap,
  oneOf,
  optional,
  reportName,
  mandatory,
  wholeNumber,
  type Fields,
  type JsonMap,
  type Shape,
  type Json,
} from "../../../kit/reading/shape.ts";
import { lastMetUs } from "./last-met.ts";
import type { NameList } from "./name-lists.ts";
import type { Fault, Flow } from "../types.ts";
import type { World } from "../world.ts";
import { distribution } from "./values.ts";
import { duration, signedDuration, durationAbove0 } from "../../../kit/reading/duration.ts";
import { CONFIGURATION_FIELDS, applyPatch } from "./world.ts";

const node = optional(wholeNumber(0, 99), null, "Which gateway, numbered from 0.");
const slow = record("a slow store", {
  latency: mandatory(
    distribution,
    "The latency between gateway and store for that time, instead of the world's.",
  ),
});

const storeState: Shape<"down" | "restart" | { readonly latency: ReturnType<typeof slow.read> }> = {
  called: "what happens to the store",
  schema: { anyOf: [{ enum: ["down", "restart"] }, slow.schema] },
  read: (value: Json, at: Path, problems: Problem[]) => {
    if (!isJsonMap(value)) return oneOf(["down", "restart"]).read(value, at, problems);
    const latency = slow.read(value, at, problems);
    return latency === undefined ? undefined : { latency };
  },
};

/** An injected fault before its time is known. A patch also depends on the patches before it. */
type Subject = { readonly buildFault: (atUs: Micros) => Fault } | { readonly patch: JsonMap };

export const FAULT_WORDS: readonly FieldWord<Subject>[] = [
  word({
    name: "store",
    under: storeState,
    companions: { for: optional(durationAbove0, null, "How long; not with `restart`.") },
    doc: "The store does not reply (`down`), replies slowly (`latency`), or restarts empty (`restart`).",
    example: "{ at: 5s, for: 2s, store: { latency: 20ms } }",
    build: (state, companions, at, problems) => {
      if (state === "restart") {
        if (companions.for !== null)
          return scn(
            problems,
            "SCN-UNKNOWN-FIELD",
            [...at, "for"],
            '"for" does not go with "restart": it takes no time',
            "write down and for, then restart at its end",
          );
        return { buildFault: (atUs) => ({ kind: "store_restart", atUs }) };
      }
      const forUs = companions.for;
      if (forUs === null)
        return scn(problems, "SCN-MISSING-FIELD", at, '"store" needs "for"', "write for: 2s");
      if (state === "down")
        return {
          buildFault: (atUs) => ({ kind: "store_down", fromUs: atUs, toUs: micros(atUs + forUs) }),
        };
      return {
        buildFault: (atUs) => ({
          kind: "store_slow",
          fromUs: atUs,
          toUs: micros(atUs + forUs),
          latencyUs: state.latency?.latency ?? NO_TIME,
        }),
      };
    },
  }),
  word({
    name: "gateway",
    under: oneOf(["restart", "crash", "leave", "join"]),
    companions: { node, nodes: optional(wholeNumber(1, 99), null, "With `join`: how many join.") },
    doc: "A gateway restarts and forgets, crashes (its heartbeats end, requests on it are lost), leaves in good order, or new ones join.",
    example: "{ at: 5s, gateway: crash, node: 1 }",
    build: (what, companions, at, problems) => {
      if (what === "join") {
        if (companions.node !== null)
          return scn(
            problems,
            "SCN-UNKNOWN-FIELD",
            [...at, "node"],
            '"node" does not go with "join"',
            "write nodes: 1",
          );
        return {
          buildFault: (atUs) => ({ kind: "gateway_join", atUs, count: companions.nodes ?? 1 }),
        };
      }
      if (companions.nodes !== null)
        return scn(
          problems,
          "SCN-UNKNOWN-FIELD",
          [...at, "nodes"],
          `"nodes" does not go with "${what}"`,
          "write node: 0",
        );
      const which = companions.node;
      if (which === null)
        return scn(
          problems,
          "SCN-MISSING-FIELD",
          at,
          `"${what}" needs "node"`,
          "write which gateway, counted from 0",
        );
      const kind = (
        { restart: "gateway_restart", crash: "gateway_crash", leave: "gateway_leave" } as const
      )[what];
      return { buildFault: (atUs) => ({ kind, atUs, node: which }) };
    },
  }),
  word({
    name: "clock",
    under: record("a clock", {
      skew: mandatory(signedDuration, "How far it is ahead of the true time from now on."),
    }),
    companions: { node: mandatory(wholeNumber(0, 99), "Which gateway's clock.") },
    doc: "The clock of a gateway jumps.",
    example: "{ at: 5s, clock: { skew: 50ms }, node: 0 }",
    build: ({ skew }, companions) => ({
      buildFault: (atUs) => ({ kind: "clock_skew", atUs, node: companions.node, skewUs: skew }),
    }),
  }),
  word({
    name: "configure",
    under: { ...anyMap, schema: schemaOf(CONFIGURATION_FIELDS) },
    companions: {},
    doc: "The configuration changes: maps are merged into the world's, null removes a field, everything else replaces.",
    example: "{ at: 5s, configure: { keys: { alice: { rate: 20 } } } }",
    build: (patch, _companions, at, problems) => {
      const names = Object.keys(CONFIGURATION_FIELDS);
      const unknown = Object.keys(patch).filter((name) => !names.includes(name));
      for (const name of unknown)
        reportName(
          problems,
          "SCN-UNKNOWN-FIELD",
          [...at, "configure", name],
          `"${name}" is not a part of the configuration`,
          name,
          names,
        );
      return {
        patch: Object.fromEntries(Object.entries(patch).filter(([name]) => names.includes(name))),
      };
    },
  }),
];

export const FAULT_FIELDS = {
  at: mandatory(duration, "When it happens, or begins."),
} as const satisfies Fields;
const oneFault = mapWithWord("an injected fault", FAULT_FIELDS, FAULT_WORDS);
export const faultShape = listOf(oneFault);

interface ReadFaults {
  readonly faults: readonly Fault[];
  /** Credentials by key, including keys that only a later configuration has. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
  /** False if an item that could not be read may have created gateways or keys. */
  readonly isClear: boolean;
  readonly isComplete: boolean;
}

/**
 * Reads the injected faults, sorted by time. Each `configure` is merged into the world after all earlier ones. An item
 * that cannot be read does not hide problems of other items, but if it may have created gateways or keys, references to
 * these are not checked. `flows` is null if not all could be read; `clients` are the keys that flows name.
 */
export function readFaults(
  value: Json,
  at: Path,
  world: World,
  flows: readonly Flow[] | null,
  clients: NameList,
  problems: Problem[],
): ReadFaults {
  if (!Array.isArray(value)) {
    faultShape.read(value, at, problems);
    return { faults: [], credentials: world.credentials, isClear: false, isComplete: false };
  }
  const items: readonly Json[] = value;
  const read = items.map((item, index) => {
    const path = [...at, index];
    const { common, chosen, isComplete: isRead } = oneFault.readParts(item, path, problems);
    // An item is used if its injected fault could be read, even if another of its fields has an error.
    const fault = chosen && { atUs: common.at ?? UNREAD_TIME, chosen, path };
    return { fault, isRead };
  });
  // Even a patch with errors names its keys, but an unread `join` leaves the number of gateways unknown.
  const isClear = read.every(
    ({ fault, isRead }, index) =>
      isRead || addsNothing(items[index]) || (fault !== undefined && "patch" in fault.chosen),
  );
  const ordered = read.flatMap(({ fault }) => fault ?? []).toSorted((a, b) => a.atUs - b.atUs);
  const lastUs = flows === null ? Number.POSITIVE_INFINITY : lastMetUs(flows, world);
  const credentials = new Map(world.credentials);
  const reported = new Set(world.problems.map(problemText));
  const faults: Fault[] = [];
  let configuration: JsonMap = world.raw;
  let nodes = world.environment.nodes;
  for (const { atUs, chosen: subject, path } of ordered) {
    if (atUs > lastUs && atUs !== UNREAD_TIME)
      problems.push(
        warningAt(
          "SCN-LATE-FAULT" satisfies ScenarioCode,
          [...path, "at"],
          "this begins after the last request, so nothing meets it",
          "let it begin earlier, or send for longer",
        ),
      );
    if ("buildFault" in subject) {
      const fault = subject.buildFault(atUs);
      if (fault.kind === "gateway_join") nodes += fault.count;
      if ("node" in fault && fault.node >= nodes && isClear)
        scn(
          problems,
          "SCN-NAME",
          [...path, "node"],
          `there is no gateway ${fault.node} at that time`,
          nodes === 1 ? "the only one is 0" : `the numbers go from 0 to ${nodes - 1}`,
        );
      faults.push(fault);
      continue;
    }
    const patchAt = [...path, "configure"];
    const checked =
      isClear && atUs !== UNREAD_TIME
        ? checkPatch(subject.patch, configuration, clients, patchAt, problems)
        : null;
    configuration = applyPatch(configuration, checked?.patch ?? subject.patch);
    // Deleting a policy while gateways run rejects requests of its keys, and stops no gateway (LIM-C7).
    const next = readConfiguration(configuration, patchAt, { keepsDangling: "policies" });
    // A problem of one configuration occurs in all configurations merged into it, and is reported once.
    for (const problem of next.problems) {
      const inPatch = problem.path.slice(patchAt.length);
      const text = problemText({ ...problem, path: inPatch });
      const inFile = checked?.pathInFile(inPatch) ?? inPatch;
      if (!reported.has(text)) problems.push({ ...problem, path: [...patchAt, ...inFile] });
      reported.add(text);
    }
    for (const [name, each] of next.credentials) credentials.set(name, each);
    if (next.configuration !== null)
      faults.push({
        kind: "configure",
        atUs,
        configuration: next.configuration,
        raw: configuration,
      });
  }
  const isComplete = read.every(({ fault, isRead }) => isRead && fault !== undefined);
  return { faults, credentials, isClear, isComplete };
}

/** The time of an item whose time cannot be read: it is last, so that it affects no other item. */
const UNREAD_TIME = Number.MAX_SAFE_INTEGER as Micros;

/** Whether an unread item adds neither gateways nor keys: it names the store, a clock or an existing gateway. */
const addsNothing = (item: Json | undefined): boolean =>
  item === undefined ||
  !isJsonMap(item) ||
  (!Object.hasOwn(item, "configure") &&
    item["gateway"] !== "join" &&
    ["store", "clock", "node"].some((name) => Object.hasOwn(item, name)));

/** Identifies a problem that a later configuration repeats. Its path starts at the top of the world. */
const problemText = ({ code, path, message }: Problem): string =>
  JSON.stringify([code, path, message]);
