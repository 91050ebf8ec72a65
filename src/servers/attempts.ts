// Who has shown wrong credentials too often has to wait, and is limited by what this gateway limits others with.
import { client } from "../core/client.ts";
import type { Level } from "../core/store.ts";
import { ceilSeconds, micros, SECOND, type Micros } from "../core/units.ts";
import { memoryStore, perform } from "../store/memory.ts";

export interface Attempts {
  /** Seconds until the next attempt of an address is looked at; 0: at once. */
  readonly waitOf: (address: string) => number;
  readonly failed: (address: string) => void;
}

const MOST_FAILED = 20;
const PER = micros(60 * SECOND);

const LEVEL: Level = {
  budget: {
    space: "failed",
    scope: "key",
    limit: { rate: MOST_FAILED, perUs: PER, smoothing: null },
    because: [],
  },
  algorithm: "bounded_log",
  capacity: MOST_FAILED,
  shownLimit: MOST_FAILED,
  burst: 1,
  rule: null,
  startsAtClock: false,
  fixedMark: false,
  place: "gateway",
};

export function attempts(nowUs: () => Micros): Attempts {
  const store = memoryStore();
  const take = (address: string, intent: "ask" | "spend"): number =>
    perform(store, {
      op: "take",
      levels: [LEVEL],
      client: client(neighbourhood(address)),
      atUs: nowUs(),
      intent,
    }).waitUs;
  return {
    waitOf: (address) => ceilSeconds(micros(take(address, "ask"))),
    failed: (address) => void take(address, "spend"),
  };
}

const GROUPS_OF_A_NETWORK = 4;

/** One customer of a provider has 2^64 addresses of the long kind, and would have as many attempts. */
function neighbourhood(address: string): string {
  if (!address.includes(":") || address.includes(".")) return address;
  const [before = "", after] = address.split("::");
  const groups = before === "" ? [] : before.split(":");
  const rest = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : 8 - groups.length - rest.length;
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...rest];
  return all.slice(0, GROUPS_OF_A_NETWORK).join(":");
}
