// A store that serves one request at a time by reading everything (LIM-C1, ALG-3, HDR-C1).
import { budgetName } from "#src/limiter/core/budget.ts";
import type { Client } from "#src/limiter/core/client.ts";
import type { Intent, Level } from "#src/limiter/core/store.ts";
import {
  copyOf,
  emptyBook,
  fullUs,
  isLog,
  limitInHeaders,
  lookAt,
  passes,
  remaining,
  turnAfter,
  waitOf,
  write,
  type Book,
} from "./budget.ts";
import type { Change } from "./smoothing.ts";

export interface ModelReply {
  readonly refusedBy: number; // index of the level; -1: admitted
  readonly waitUs: number;
  readonly delayUs: number; // until its turn, if it is admitted
  readonly shown: number;
  readonly limit: number;
  readonly remaining: number;
  readonly resetUs: number;
  readonly changes: readonly Change[];
}

export type ModelStore = Map<string, Book>;

const FAMILIES: readonly (readonly string[])[] = [
  ["fixed_window", "drl"],
  ["token_bucket", "gcra"],
];

/** Algorithms with the same state share it; each gateway has its own for DRL. */
function bookOf(store: ModelStore, level: Level, client: Client): Book {
  const family = isLog(level)
    ? "log"
    : (FAMILIES.find((names) => names.includes(level.algorithm))?.[0] ?? level.algorithm);
  const name = `${level.place} ${family} ${budgetName(level.budget, client)}`;
  const book = store.get(name) ?? emptyBook();
  store.set(name, book);
  return book;
}

export function modelTake(
  store: ModelStore,
  levels: readonly Level[],
  client: Client,
  atUs: number,
  intent: Intent,
  units: number,
): ModelReply {
  const books = levels.map((level) => bookOf(store, level, client));
  levels.forEach((level, i) => lookAt(level, books[i]!, atUs));
  const refusing = levels.map((level, i) => !passes(level, books[i]!, atUs, units));
  const refusedBy = refusing.indexOf(true);
  const changes: Change[] = [];
  const spend = (i: number): void =>
    void changes.push(
      ...write(levels[i]!, intent === "evaluate" ? copyOf(books[i]!) : books[i]!, atUs, units),
    );

  if (refusedBy < 0) {
    const turns = levels.map((level, i) =>
      level.traits.delays ? turnAfter(level, books[i]!, atUs) : 0,
    );
    const delayUs = Math.max(0, ...turns);
    levels.forEach((_, i) => spend(i));
    return { refusedBy, waitUs: 0, delayUs, ...tightest(levels, books, atUs), changes };
  }
  const { budget } = levels[refusedBy]!;
  const isWritten = intent === "spend" || (intent === "try" && !budget.scope.startsWith("key"));
  if (isLog(levels[refusedBy]!) && isWritten) spend(refusedBy);
  // The background write after a sentinel's refusal may remove its mark at once: then the next instant passes.
  const waits = levels.map((level, i) =>
    refusing[i]! ? Math.max(1, waitOf(level, books[i]!, atUs, units)) : 0,
  );
  const waitUs = Math.max(...waits);
  if (isQuota(levels[refusedBy]!)) {
    return {
      refusedBy,
      waitUs,
      delayUs: 0,
      ...tightest(
        levels.filter((level) => !isQuota(level)),
        books,
        atUs,
      ),
      changes,
    };
  }
  return {
    refusedBy,
    waitUs,
    delayUs: 0,
    shown: refusedBy,
    limit: limitInHeaders(levels[refusedBy]!, books[refusedBy]!, atUs),
    remaining: Math.min(units - 1, remaining(levels[refusedBy]!, books[refusedBy]!, atUs)),
    resetUs: atUs + waits[refusedBy]!,
    changes,
  };
}

/** LIM-C9: of the key or of one API. */
const isQuota = ({ budget: { scope } }: Level): boolean =>
  scope === "quota" || scope === "quota-api";

/** HDR-C2: fewest remaining, then latest reset, and of equals the first. A quota has no such headers. */
function tightest(
  levels: readonly Level[],
  books: readonly Book[],
  atUs: number,
): Pick<ModelReply, "shown" | "limit" | "remaining" | "resetUs"> {
  const all = levels.flatMap((level, shown) => {
    if (isQuota(level)) return [];
    const book = books[shown]!;
    const left = remaining(level, book, atUs);
    const resetUs = left > 0 ? fullUs(level, book, atUs) : atUs + waitOf(level, book, atUs, 1);
    return [{ shown, limit: limitInHeaders(level, book, atUs), remaining: left, resetUs }];
  });
  const [first] = all.toSorted((a, b) => a.remaining - b.remaining || b.resetUs - a.resetUs);
  return first ?? { shown: -1, limit: -1, remaining: -1, resetUs: 0 };
}
