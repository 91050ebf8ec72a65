// What goes wrong during a run, and when.
import { NO_TIME } from "../../chance/distribution.ts";
import { warning, type Path, type Problem } from "../../reading/problems.ts";
import { readConfiguration } from "../../world/read.ts";
import { micros, type Micros } from "../../core/units.ts";
import { type ScenarioCode, scn } from "./codes.ts";
import { checkPatch } from "./patch-names.ts";
import { chosen, record, schemaOf, word, type Word } from "../../reading/record.ts";
import {
  isMembers,
  listOf,
  members,
  oneOf,
  optional,
  reportName,
  required,
  wholeNumber,
  type Fields,
  type Members,
  type Shape,
  type Json,
} from "../../reading/shape.ts";
import { lastMetUs } from "./traffic.ts";
import type { Fault, Flow } from "../types.ts";
import type { World } from "../world.ts";
import { distribution } from "./values.ts";
import { duration, signedDuration, someTime } from "../../reading/duration.ts";
import { CONFIGURATION_FIELDS, patched } from "./world.ts";

const node = optional(wholeNumber(0, 99), null, "Which gateway; they count from 0.");
const slow = record("a slow store", {
  latency: required(
    distribution,
    "What the way between gateway and store takes then, instead of what the world says.",
  ),
});

const storeState: Shape<"down" | "restart" | { readonly latency: ReturnType<typeof slow.read> }> = {
  called: "what happens to the store",
  schema: { anyOf: [{ enum: ["down", "restart"] }, slow.schema] },
  read: (value: Json, at: Path, problems: Problem[]) => {
    if (!isMembers(value)) return oneOf(["down", "restart"]).read(value, at, problems);
    const latency = slow.read(value, at, problems);
    return latency === undefined ? undefined : { latency };
  },
};

/** What a word says before the time is known; a patch also has to see the faults before it. */
type Subject = { readonly make: (atUs: Micros) => Fault } | { readonly patch: Members };

export const FAULT_WORDS: readonly Word<Subject>[] = [
  word({
    name: "store",
    under: storeState,
    beside: { for: optional(someTime, null, "How long; not with `restart`.") },
    doc: "The store does not answer (`down`), answers slowly (`latency`), or comes back empty (`restart`).",
    example: "{ at: 5s, for: 2s, store: { latency: 20ms } }",
    build: (state, beside, at, problems) => {
      if (state === "restart") {
        if (beside.for !== null)
          return scn(
            problems,
            "SCN-UNKNOWN-FIELD",
            [...at, "for"],
            '"for" does not go with "restart": it takes no time',
            "write down and for, then restart at its end",
          );
        return { make: (atUs) => ({ kind: "store_restart", atUs }) };
      }
      const forUs = beside.for;
      if (forUs === null)
        return scn(
          problems,
          "SCN-MISSING-FIELD",
          at,
          'a fault of the store needs "for"',
          "write for: 2s",
        );
      if (state === "down")
        return {
          make: (atUs) => ({ kind: "store_down", fromUs: atUs, toUs: micros(atUs + forUs) }),
        };
      return {
        make: (atUs) => ({
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
    beside: { node, nodes: optional(wholeNumber(1, 99), null, "With `join`: how many come.") },
    doc: "A gateway restarts and forgets, crashes (its heartbeats end, requests on it are lost), leaves in good order, or new ones join.",
    example: "{ at: 5s, gateway: crash, node: 1 }",
    build: (what, beside, at, problems) => {
      if (what === "join") {
        if (beside.node !== null)
          return scn(
            problems,
            "SCN-UNKNOWN-FIELD",
            [...at, "node"],
            '"node" does not go with "join"',
            "write nodes: 1",
          );
        return { make: (atUs) => ({ kind: "gateway_join", atUs, count: beside.nodes ?? 1 }) };
      }
      if (beside.nodes !== null)
        return scn(
          problems,
          "SCN-UNKNOWN-FIELD",
          [...at, "nodes"],
          `"nodes" does not go with "${what}"`,
          "write node: 0",
        );
      const which = beside.node;
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
      return { make: (atUs) => ({ kind, atUs, node: which }) };
    },
  }),
  word({
    name: "clock",
    under: record("a clock", {
      skew: required(signedDuration, "How far it is ahead of the true time from now on."),
    }),
    beside: { node: required(wholeNumber(0, 99), "Which gateway's clock.") },
    doc: "The clock of a gateway jumps.",
    example: "{ at: 5s, clock: { skew: 50ms }, node: 0 }",
    build: ({ skew }, beside) => ({
      make: (atUs) => ({ kind: "clock_skew", atUs, node: beside.node, skewUs: skew }),
    }),
  }),
  word({
    name: "configure",
    under: { ...members, schema: schemaOf(CONFIGURATION_FIELDS) },
    beside: {},
    doc: "The configuration changes: maps are merged into the world's, null removes a field, everything else replaces.",
    example: "{ at: 5s, configure: { keys: { alice: { rate: 20 } } } }",
    build: (patch, _beside, at, problems) => {
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
      return unknown.length > 0 ? undefined : { patch };
    },
  }),
];

export const FAULT_FIELDS = {
  at: required(duration, "When it happens, or begins."),
} as const satisfies Fields;
const oneFault = chosen("a fault", FAULT_FIELDS, FAULT_WORDS);
export const faultShape = listOf(oneFault);

export interface ReadFaults {
  readonly faults: readonly Fault[];
  /** Of keys that only a later configuration has. */
  readonly credentials: ReadonlyMap<string, readonly string[]>;
}

/**
 * Ordered by time. Each `configure` is laid over what all earlier ones made of the world. An item that
 * cannot be read hides nothing of the others, but where it may have made gateways or keys, whatever
 * refers to those stays unjudged, here and by whoever gets undefined. `flows` is null where they could
 * not be read.
 */
export function readFaults(
  value: Json,
  at: Path,
  world: World,
  flows: readonly Flow[] | null,
  problems: Problem[],
): ReadFaults | undefined {
  if (!Array.isArray(value)) return void faultShape.read(value, at, problems);
  const items: readonly Json[] = value;
  const read = items.map((item, index) => ({
    path: [...at, index],
    fault: oneFault.read(item, [...at, index], problems),
  }));
  const isClear = read.every(
    ({ fault }, index) => fault !== undefined || addsNothing(items[index]),
  );
  const ordered = read
    .flatMap(({ fault, path }) => (fault === undefined ? [] : [{ ...fault, path }]))
    .toSorted((a, b) => a.common.at - b.common.at);
  const lastUs = flows === null ? Number.POSITIVE_INFINITY : lastMetUs(flows, world);
  const credentials = new Map(world.credentials);
  const known = new Set(world.problems.map(textOf));
  const faults: Fault[] = [];
  let configuration: Members = world.raw;
  let nodes = world.environment.nodes;
  for (const { common, chosen: subject, path } of ordered) {
    const atUs = common.at;
    if (atUs > lastUs)
      problems.push(
        warning(
          "SCN-LATE-FAULT" satisfies ScenarioCode,
          [...path, "at"],
          "this begins after the last request, so nothing meets it",
          "let it begin earlier, or send for longer",
        ),
      );
    if ("make" in subject) {
      const made = subject.make(atUs);
      if (made.kind === "gateway_join") nodes += made.count;
      if ("node" in made && made.node >= nodes && isClear)
        scn(
          problems,
          "SCN-NAME",
          [...path, "node"],
          `there is no gateway ${made.node} at that time`,
          nodes === 1 ? "the only one is 0" : `they count from 0 to ${nodes - 1}`,
        );
      faults.push(made);
      continue;
    }
    const { patch } = subject;
    if (isClear && !checkPatch(patch, configuration, flows, [...path, "configure"], problems))
      continue;
    configuration = patched(configuration, patch);
    const next = readConfiguration(configuration, [...path, "configure"]);
    // What is wrong in one configuration is wrong in those laid over it, and is told once.
    for (const problem of next.problems) {
      const text = textOf({ ...problem, path: problem.path.slice(path.length + 1) });
      if (!known.has(text)) problems.push(problem);
      known.add(text);
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
  return isClear ? { faults, credentials } : undefined;
}

/** Whatever is wrong with it, the item is about the store, a clock or a gateway that is there already. */
const addsNothing = (item: Json | undefined): boolean =>
  item === undefined ||
  !isMembers(item) ||
  (!Object.hasOwn(item, "configure") &&
    item["gateway"] !== "join" &&
    ["store", "clock", "node"].some((name) => Object.hasOwn(item, name)));

/** What the world said already is not said again of each configuration that follows. Paths from the top of the world. */
const textOf = ({ code, path, message }: Problem): string => JSON.stringify([code, path, message]);
