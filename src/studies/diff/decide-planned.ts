// Decides planned requests by an old and by a new configuration, as weir diff decides those of logs.
import type { Variant } from "../../lab/scenario/types.ts";
import { NameTable } from "../replay/names.ts";
import { AS_LOGGED } from "../replay/placements.ts";
import type { Selector } from "../replay/selectors.ts";
import { DecideBoth } from "./decide-both.ts";
import type { DiffPair } from "./pair.ts";
import { buildPlanned, type PlannedRequests } from "./planned-requests.ts";
import type { DiffFacts } from "./result.ts";

export interface NamedTraffic extends PlannedRequests {
  readonly file: string | null; // of the scenario; null: the clients were described
  readonly about: string;
}

export type DecidedFacts = Omit<DiffFacts, "key" | "top">;

export interface PlannedDiff {
  readonly pair: DiffPair;
  readonly key: readonly Selector[];
  readonly sender: readonly Selector[]; // fields that the configurations read
}

export function decidePlanned(
  traffic: NamedTraffic,
  { pair, key, sender }: PlannedDiff,
): DecidedFacts {
  const clients = new NameTable();
  // A limit reads no method or path.
  const isOfLimits = pair.before.kind === "limit" && pair.after.kind === "limit";
  const targets = isOfLimits ? null : new NameTable();
  const question = { key, clients, targets, sender };
  const { withoutKey, ...arrivals } = buildPlanned(traffic, question);
  const decided = new DecideBoth(pair, question, AS_LOGGED);
  decided.decide(arrivals);
  decided.end();
  return {
    pair,
    decided,
    traffic: { scenario: traffic.file, about: traffic.about, withoutKey },
    clientNames: clients.names,
    targetNames: targets?.names ?? [],
    files: [],
    cut: [],
    isWholeSeconds: false,
    isInterrupted: false,
  };
}

interface MethodAndPath {
  readonly method: string;
  readonly path: string;
}

/** "GET /items"; null: it is no request. */
export function parseSent(typed: string): MethodAndPath | null {
  const [, method, path] = /^([A-Z]+) (\/\S*)$/.exec(typed) ?? [];
  return method === undefined ? null : { method, path: path! };
}

const ANY_PATH = "/orders"; // of the scenario of weir try

/** Described clients with another method and path. */
export const sendInstead = (variant: Variant, { method, path }: MethodAndPath): Variant => ({
  ...variant,
  traffic: variant.traffic.map((flow) => ({
    ...flow,
    method,
    path: `${path.replace(/\/$/, "")}${flow.path.slice(ANY_PATH.length)}` || "/",
  })),
});
