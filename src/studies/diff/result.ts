// The document of weir diff.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import type { LogFile } from "../replay/log-file.ts";
import { endpointName, SEPARATOR } from "../replay/names.ts";
import { isoTime, logOf, replayedLog } from "../replay/result.ts";
import type { ReadStatement } from "../../lab/implementations/reading.ts";
import type { RulesCandidate } from "../replay/rules.ts";
import { configurationSide, sideOf } from "../replay/configuration-side.ts";
import type { DecideBoth } from "./decide-both.ts";
import type { DiffPair } from "./pair.ts";
import {
  buildOverTime,
  buildWindows,
  buildWorst,
  overTimeSchema,
  refusalSchema,
  refusalsOf,
  windowSchema,
  worstSchema,
} from "./effects.ts";
import type { DecisionColumns, DiffCounts } from "./decision-columns.ts";

const DIFF_FORMAT = "weir-diff/1";

const count = z.int().min(0);

const counts = {
  requests: count,
  refusedBefore: count,
  refusedAfter: count,
  lost: count, // admitted before, and not after
  gained: count, // admitted after, and not before
};

const named = z.strictObject({ name: z.string(), ...counts });

const diffResult = z.strictObject({
  format: z.literal(DIFF_FORMAT),
  answer: answerSchema,
  key: z.string(),
  before: configurationSide,
  after: configurationSide,
  /** Statements about limits that `after` has and `before` has not, in the files of `after`. */
  changes: z
    .array(
      z.strictObject({
        file: z.string(),
        line: count,
        text: z.string(),
        /** The statement of `before` that has other numbers and is gone; left out: there is none. */
        was: z.string().optional(),
      }),
    )
    .readonly(),
  logs: z.array(replayedLog).readonly(),
  /** The source of requests that are not of logs; left out: they are of logs. */
  traffic: z
    .strictObject({
      scenario: z.string().nullable(), // the file; null: flags describe the clients
      about: z.string(),
      withoutKey: count, // requests that lack a field of the key, and are left out
    })
    .optional(),
  isInterrupted: z.boolean(),
  firstAt: z.iso.datetime().nullable(), // null: there is no request
  lastAt: z.iso.datetime().nullable(),
  timestamps: z.enum(["whole seconds", "finer"]),
  ...counts,
  /** Clients with a request that is lost or gained. */
  clients: count,
  /** Clients that are refused more after than before, and how much more of them together. */
  losers: count,
  lostOnBalance: count,
  /** Those that are refused less. */
  gainers: count,
  gainedOnBalance: count,
  /** The clients that are refused most in addition, then those that are refused less. */
  changedClients: z.array(named).readonly(),
  /** Method and path of the requests that are lost or gained most. */
  changedEndpoints: z.array(named).readonly(),
  /** The most that is admitted of this log, in the windows of the limits. */
  windows: z.array(windowSchema).readonly(),
  worst: z.array(worstSchema).readonly(),
  /** How refusals look before and after; null: a limit or a world. */
  refusals: z.strictObject({ before: refusalSchema.nullable(), after: refusalSchema.nullable() }),
  overTime: overTimeSchema,
});

export type DiffResult = z.infer<typeof diffResult>;
export type UnansweredDiff = Omit<DiffResult, "answer">;
export type DiffRow = DiffResult["changedClients"][number];

export const diffSchema = (): unknown => z.toJSONSchema(diffResult);

export interface DiffFacts {
  readonly pair: DiffPair;
  readonly decided: DecideBoth;
  readonly key: string;
  readonly clientNames: readonly string[];
  readonly targetNames: readonly string[];
  readonly traffic?: DiffResult["traffic"];
  readonly files: readonly LogFile[];
  readonly cut: readonly { readonly name: string; readonly why: string }[];
  readonly isWholeSeconds: boolean;
  readonly isInterrupted: boolean;
  readonly top: number; // how many clients and endpoints are listed
}

export function buildDiffResult(facts: DiffFacts): UnansweredDiff {
  const { pair, decided, key, clientNames, targetNames, files, cut, top } = facts;
  const { requests, firstUs, lastUs, totals, ofClients, ofTargets, ruleCounts } = decided;
  const rows = rowsOf(ofClients);
  const losses = rows.map(lossOf).filter((loss) => loss > 0);
  const gains = rows.map((row) => -lossOf(row)).filter((gain) => gain > 0);
  const nameOfClient = (id: number): string =>
    (clientNames[id] ?? "").replaceAll(String.fromCodePoint(SEPARATOR), " + ");
  const endpoints = new Map<string, DiffCounts>();
  for (const [target, row] of rowsOf(ofTargets).entries()) {
    const name = endpointName(targetNames[target] ?? "");
    endpoints.set(name, sum(endpoints.get(name), row));
  }
  return {
    format: DIFF_FORMAT,
    key,
    before: sideOf(pair.before, ruleCounts.before),
    after: sideOf(pair.after, ruleCounts.after),
    changes: changesOf(pair),
    logs: files.map((file) => logOf(file, cut, false)),
    ...(facts.traffic === undefined ? {} : { traffic: facts.traffic }),
    isInterrupted: facts.isInterrupted,
    firstAt: requests === 0 ? null : isoTime(firstUs),
    lastAt: requests === 0 ? null : isoTime(lastUs),
    timestamps: facts.isWholeSeconds ? "whole seconds" : "finer",
    ...(totals.count === 0 ? NONE : totals.at(0)),
    clients: rows.filter((row) => row.requests > 0).length,
    losers: losses.length,
    lostOnBalance: losses.reduce((all, each) => all + each, 0),
    gainers: gains.length,
    gainedOnBalance: gains.reduce((all, each) => all + each, 0),
    changedClients: findChanged(
      rows.map((row, id) => ({
        name: nameOfClient(id),
        ...row,
      })),
      top,
    ),
    changedEndpoints: findChanged(
      [...endpoints].flatMap(([name, row]) => (name === "" ? [] : { name, ...row })),
      top,
    ),
    windows: buildWindows(decided.windows, nameOfClient),
    worst: buildWorst(pair),
    refusals: { before: refusalsOf(pair.before), after: refusalsOf(pair.after) },
    overTime: buildOverTime(decided),
  };
}

const NONE: DiffCounts = { requests: 0, refusedBefore: 0, refusedAfter: 0, lost: 0, gained: 0 };

const rowsOf = (columns: DecisionColumns): readonly DiffCounts[] =>
  Array.from({ length: columns.count }, (_, row) => columns.at(row));

const sum = (a: DiffCounts = NONE, b: DiffCounts): DiffCounts => ({
  requests: a.requests + b.requests,
  refusedBefore: a.refusedBefore + b.refusedBefore,
  refusedAfter: a.refusedAfter + b.refusedAfter,
  lost: a.lost + b.lost,
  gained: a.gained + b.gained,
});

/** A client may lose some requests and gain others: a limit that begins to count later refuses others. */
export const lossOf = ({ lost, gained }: DiffCounts): number => lost - gained;

const findChanged = (rows: readonly DiffRow[], top: number): readonly DiffRow[] =>
  rows
    .filter(({ lost, gained }) => lost + gained > 0)
    .toSorted((a, b) => lossOf(b) - lossOf(a) || b.lost - a.lost || (a.name < b.name ? -1 : 1))
    .slice(0, top);

function changesOf({ before, after }: DiffPair): DiffResult["changes"] {
  if (after.kind !== "rules") return [];
  const old = before.kind === "rules" ? statementsOf(before) : [];
  const [oldTexts, newTexts] = [old, statementsOf(after)].map(
    (statements) => new Set(statements.map(({ text }) => text)),
  );
  const gone = old.filter(({ text }) => !newTexts!.has(text)).map(({ text }) => text);
  return statementsOf(after)
    .filter(({ text }) => !oldTexts!.has(text))
    .map(({ file, line, text }) => {
      const at = gone.findIndex((each) => withoutNumbers(each) === withoutNumbers(text));
      const [was] = at < 0 ? [] : gone.splice(at, 1);
      return { file, line, text, ...(was === undefined ? {} : { was }) };
    });
}

/** Of statements that differ in their numbers, and in the units of these, this is equal. */
const withoutNumbers = (text: string): string =>
  text.replaceAll(/\d+(?:r\/[sm]|[a-z]{1,2}\b)?/g, "0");

const statementsOf = ({ configuration }: RulesCandidate): readonly ReadStatement[] =>
  configuration.statements.filter(({ role }) => role !== "irrelevant");
