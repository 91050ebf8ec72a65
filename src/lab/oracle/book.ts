// The ledgers of a whole history: which requests met which budget, and how the history records each decision. They
// ignore what the oracle would have allowed, so that one wrong decision is one disagreement, not a cascade.
import { SPECS } from "../../limiter/spec/by-algorithm.ts";
import type { OracleOptions } from "./configured.ts";
import { FOREIGN_DRIVER, NO_GATEWAY, isLost, REASONS, type History } from "../scenario/history.ts";
import { entriesOf, epochOf, firstEpochOf, levelsIn, type Entry } from "./entries.ts";
import { emptyLedger, enter, type Ledger, type Trace, type Loss } from "./ledger.ts";
import {
  capacityOf,
  isCountedHere,
  isLog,
  isQuota,
  ledgersOf,
  type OracleLevel,
} from "./levels.ts";
import type { OracleWorld } from "./world.ts";
import { ofCredential, ofPattern } from "./identity.ts";
import { merge } from "./merge.ts";
import type { Reset } from "./reset-calls.ts";

export interface Book {
  readonly entries: readonly Entry[];
  readonly ledgers: ReadonlyMap<string, Ledger>;
  /** The ledgers that one budget has under different algorithms. */
  readonly siblings: ReadonlyMap<string, readonly string[]>;
}

export const ledgerOf = (book: Book, { levels, ledgers }: Entry, level: OracleLevel): Ledger =>
  book.ledgers.get(ledgers[levels.indexOf(level)]!)!;

interface KnownBook {
  readonly world: OracleWorld;
  readonly book: Book;
}

const books = new WeakMap<History, KnownBook>();

/** The book of a finished history is built only once, because the history never changes. */
export function bookOf(history: History, world: OracleWorld): Book {
  const known = books.get(history);
  if (known?.world === world) return known.book;
  const book = buildBook(history, world);
  books.set(history, { world, book });
  return book;
}

function buildBook(history: History, world: OracleWorld): Book {
  const entries = entriesOf(history, world);
  const ledgers = new Map<string, Ledger>();
  const siblings = new Map<string, string[]>();
  for (const entry of entries) {
    const met = meetingsOf(history, world, entry);
    const traces = tracesOf(history, { ...entry, ...met });
    for (const [index, level] of met.levels.entries()) {
      const name = met.ledgers[index]!;
      if (!ledgers.has(name)) {
        ledgers.set(name, emptyLedger(lossesOf(level, entry.moment.gateway, world)));
        siblings.set(level.budget, [...(siblings.get(level.budget) ?? []), name]);
      }
      const { algorithm, limit } = level;
      const terms = {
        algorithm,
        isCountedHere: isCountedHere(level),
        rate: limit.rate,
        capacity: capacityOf(level),
        delayUs: history.requests.delayUs[entry.moment.row]!,
        cost: entry.cost,
      };
      enter(ledgers.get(name)!, { ...entry.moment, ...traces[index]!, ...terms }, world);
    }
  }
  return { entries, ledgers, siblings };
}

type Meetings = Pick<Entry, "levels" | "ledgers">;

/**
 * The budgets that a request met. If the configuration changed before the request was lost, budgets of either
 * configuration may have decided it.
 */
function meetingsOf(history: History, world: OracleWorld, entry: Entry): Meetings {
  const { levels, moment, between } = entry;
  if (!between || !isLost(history.requests.status[moment.row]!) || moment.gateway === NO_GATEWAY)
    return entry;
  const last = epochOf(world, moment);
  const before = Array.from({ length: last - firstEpochOf(world, moment) }, (_, index) =>
    levelsIn(last - 1 - index, entry, history, world),
  );
  const byLedger = new Map<string, OracleLevel>();
  for (const each of [levels, ...before])
    for (const [index, name] of ledgersOf(each, moment.gateway).entries())
      if (!byLedger.has(name)) byLedger.set(name, each[index]!);
  return { levels: [...byLedger.values()], ledgers: [...byLedger.keys()] };
}

interface LevelTrace {
  readonly trace: Trace;
  readonly certain: boolean;
}

/** The effect of a request on each of its levels (LIM-C1, ALG-3). */
function tracesOf(history: History, entry: Entry): LevelTrace[] {
  const { levels, moment, outage, configuration } = entry;
  const { requests, header } = history;
  // A history does not record whether or how a lost request was decided (LIM-C18).
  if (isLost(requests.status[moment.row]!))
    return levels.map(() => ({ trace: "admitted", certain: false }));
  const inMemory = levels.every(isCountedHere);
  // If some levels need the store, it is open in an outage how the levels in memory counted the request.
  const certain = !entry.between && (outage === "none" || inMemory);
  const reason = REASONS[requests.reason[moment.row]!];
  if (reason === "none") return levels.map(() => ({ trace: "admitted", certain }));
  // An operation sent before the outage, or one whose reply was lost, may have spent the budget.
  if (outage !== "none" && !inMemory)
    return levels.map(() => ({ trace: "admitted", certain: false }));
  // A foreign gateway may return an error of its upstream, after each level has counted the request.
  if (header.driver === FOREIGN_DRIVER && reason !== "rate" && reason !== "quota")
    return levels.map(() => ({ trace: "admitted", certain: false }));

  const scope = header.budgets[requests.budget[moment.row]!]?.scope;
  const named = levels.findIndex((level) =>
    scope === undefined ? reason === "quota" && isQuota(level) : level.scope === scope,
  );
  const rates = levels.filter((level) => !isQuota(level));
  const refuser =
    named >= 0 ? named : reason === "rate" && rates.length === 1 ? levels.indexOf(rates[0]!) : -1;
  return levels.map((level, index): LevelTrace => {
    const isRefusal = reason === "rate" && isLog(level);
    if (refuser < 0) return { trace: isRefusal ? "refused" : "visited", certain: false };
    // Quotas are evaluated and spent together, whichever of them the refusal names (LIM-C9).
    const isBefore = index < refuser && !(isQuota(level) && isQuota(levels[refuser]!));
    if (isBefore) return traceBefore(levels, configuration.options, certain);
    return { trace: index === refuser && isLog(level) ? "refused" : "visited", certain };
  });
}

/** The effect on a level that would have admitted, before a later level refused. */
function traceBefore(
  levels: readonly OracleLevel[],
  options: OracleOptions,
  certain: boolean,
): LevelTrace {
  // With the order `key_first`, each level spends when it admits; a sentinel spends in the background (ALG-C5).
  if (options.limitOrder === "key_first") return { trace: "admitted", certain };
  return { trace: isInSteps(levels, options) ? "passing" : "visited", certain };
}

/** LIM-C1: whether it takes several steps to evaluate and spend the levels. */
export const isInSteps = (levels: readonly OracleLevel[], { limitOrder }: OracleOptions): boolean =>
  (limitOrder === "key_first" && levels.length > 1) ||
  levels.some(({ algorithm }) => SPECS[algorithm].overshootsBy === "commands") ||
  (levels.some(isCountedHere) && !levels.every(isCountedHere));

/** The resets of one ledger by management calls (MGT-C11). */
const lossesOf = (level: OracleLevel, gateway: number, world: OracleWorld): Loss[] =>
  world.resets.flatMap((reset): Loss[] => {
    const match = matchReset(reset, level, world);
    if (match === "no") return [];
    // A gateway cannot reset counts that another gateway keeps in its own memory.
    const isHere = !isCountedHere(level) || reset.gateway === gateway;
    const { fromUs, toUs } = reset;
    return [{ fromUs, toUs, certain: match === "yes" && isHere }];
  });

function matchReset(reset: Reset, level: OracleLevel, world: OracleWorld): "yes" | "maybe" | "no" {
  if (reset.budget === null) return level.holder === holderOf(reset, world) ? "yes" : "no";
  if (level.name !== null) return level.name === reset.budget ? "yes" : "no";
  return level.holder !== "" && reset.budget.startsWith(`${level.scope}/`) ? "maybe" : "no";
}

/** The holder of the reset budgets: the key or its pattern (LIM-C8). Budgets by address are not reset (LIM-C17). */
function holderOf({ key: id, toUs }: Reset, { epochs }: OracleWorld): string {
  const { configuration } = epochs.findLast(({ atUs }) => atUs <= toUs)!;
  const key = [...configuration.keys.values()].find((each) => each.id === id);
  const pattern = key === undefined ? null : ofPattern(merge(key, configuration).metaData);
  return (pattern ?? ofCredential(id)).text;
}
