// The document of weir recommend --config: what a file refuses of a log, and its smallest change.
import { z } from "zod";
import { answerSchema } from "../../lab/report/answer.ts";
import { limitInRequests, type RulesCandidate } from "../replay/rules.ts";
import type { Fleet } from "../replay/fleet.ts";
import { onFleet } from "../replay/fleet.ts";
import { configurationSide, sideOf } from "../replay/configuration-side.ts";
import { SEPARATOR } from "../replay/names.ts";
import { logOf, replayedLog } from "../replay/result.ts";
import type { LogFile } from "../replay/log-file.ts";
import type { ConfigurationFile } from "../../lab/implementations/reading.ts";
import { mostOutliers } from "../recommend/advice.ts";
import type { Refused } from "./decide-again.ts";
import type { NumberInFile } from "./number-in-file.ts";
import type { NumberChange } from "./larger-limits.ts";
import type { ChangedNumber, SmallestChange } from "./smallest-change.ts";
import { formatPatch } from "./patch.ts";

const count = z.int().min(0);
const refusedSchema = z.strictObject({ refused: count, refusedClients: count });

const numberChange = {
  what: z.enum(["rate", "time", "burst"]), // of a limit; less time is a larger limit
  name: z.string(), // before the number in its line; empty: there is none
  unit: z.string(), // after it
  from: z.number(),
  to: z.number(),
};
/** The most that a sender gets through the limit in its window with the new numbers, at worst; null: not searched. */
const most = count.nullable();
const changedNumber = z.strictObject({
  rule: z.string(),
  file: z.string(),
  line: count,
  perUs: count, // the window of the limit
  ...numberChange,
  most,
});

const changeResult = z.strictObject({
  format: z.literal("weir-change/2"),
  answer: answerSchema,
  key: z.string(),
  configuration: configurationSide, // with the present numbers
  logs: z.array(replayedLog).readonly(),
  requests: count,
  clients: count,
  target: z.strictObject({ requests: z.number(), clients: z.number() }), // shares that may be refused
  present: refusedSchema,
  isMet: z.boolean(), // whether the present numbers meet the target
  changes: z
    .array(
      changedNumber.extend({
        /** What would do in place of all changes of the limit, that which lets least through first. */
        others: z
          .array(
            z.strictObject({ numbers: z.array(z.strictObject(numberChange)).readonly(), most }),
          )
          .readonly(),
        text: z.string(), // the new line
      }),
    )
    .readonly(),
  after: refusedSchema.nullable(), // with the changes; null: there are none
  isMetAfter: z.boolean(),
  /** What would do if a few clients had sent nothing; null: no few clients alone raise the one limit that changes. */
  without: z
    .strictObject({
      clients: z.array(z.string()).readonly(),
      requests: count, // of these clients
      refused: count, // of these requests, by the present numbers
      changes: z.array(changedNumber).readonly(), // none: no change is needed
      /** Requests that are refused with it, of these clients and of the others. */
      left: z.strictObject({ own: count, others: count }),
    })
    .nullable(),
  isForAll: z.boolean(), // with --with-outliers: no client is an exception
  /** The changes as a unified diff, those without exceptions if there are some; null: there are none. */
  patch: z.string().nullable(),
});

export type ChangeResult = z.infer<typeof changeResult>;
export type UnansweredChange = Omit<ChangeResult, "answer">;

export const changeSchema = (): unknown => z.toJSONSchema(changeResult);

interface ChangeFacts {
  readonly key: string;
  readonly clientNames: readonly string[];
  readonly candidate: RulesCandidate;
  readonly fleet: Fleet | undefined;
  readonly before: readonly ConfigurationFile[];
  readonly change: SmallestChange;
  readonly requests: number;
  readonly isForAll: boolean;
  readonly target: ChangeResult["target"];
  readonly files: readonly LogFile[];
  readonly cut: readonly { readonly name: string; readonly why: string }[];
}

export function buildChange(facts: ChangeFacts): UnansweredChange {
  const { key, clientNames, candidate, fleet, before, change, requests, target, files, cut } =
    facts;
  const { clients, present, isMet, changes, after, isMetAfter, without } = change;
  const { rules } = candidate.configuration;
  const documentOf = (each: ChangedNumber): z.infer<typeof changedNumber> => ({
    rule: rules[each.rule]!.id,
    file: each.number.file,
    line: each.number.line,
    perUs: limitInRequests(rules[each.rule]!).perUs,
    ...numberOf(each),
    most: each.most,
  });
  const result: UnansweredChange = {
    format: "weir-change/2",
    key,
    configuration: sideOf(onFleet(candidate, fleet), present.rules),
    logs: files.map((file) => logOf(file, cut, false)),
    requests,
    clients,
    target,
    present: totalsOf(present),
    isMet,
    changes: changes.map((each) => ({
      ...documentOf(each),
      others: each.others.map((other) => ({
        numbers: other.values.map(numberOf),
        most: other.most,
      })),
      text: lineOf(change.files, each.number).trim(),
    })),
    after: after === null ? null : totalsOf(after),
    isMetAfter,
    without:
      without === null
        ? null
        : {
            clients: without.clients.map((id) => nameOfClient(clientNames[id]!)),
            requests: without.requests,
            refused: without.refused,
            changes: without.changes.map(documentOf),
            left: without.left,
          },
    isForAll: facts.isForAll,
    patch: null,
  };
  if (changes.length === 0) return result;
  const spared = exceptionsIn(result);
  if (spared === null) return { ...result, patch: formatPatch(before, change.files) };
  return isEnough(spared) ? result : { ...result, patch: formatPatch(before, without!.files) };
}

/** Whether the present numbers are enough without these clients. */
export const isEnough = ({ changes }: NonNullable<UnansweredChange["without"]>): boolean =>
  changes.length === 0;

/** The clients without which less has to change, if they are so few that they are exceptions; null: there are none. */
export const exceptionsIn = ({
  changes: [change],
  without,
  clients,
  isForAll,
}: UnansweredChange): UnansweredChange["without"] =>
  isForAll ||
  change === undefined ||
  without === null ||
  without.clients.length > mostOutliers(clients)
    ? null
    : without;

const totalsOf = ({ refused, refusedClients }: Refused): ChangeResult["present"] => ({
  refused,
  refusedClients: refusedClients.size,
});

const numberOf = ({ what, number: { name, unit, value: from }, value: to }: NumberChange) => ({
  what,
  name,
  unit,
  from,
  to,
});

const nameOfClient = (name: string): string =>
  name.replaceAll(String.fromCodePoint(SEPARATOR), " + ");

const lineOf = (
  files: readonly ConfigurationFile[],
  { file: name, line }: Pick<NumberInFile, "file" | "line">,
): string => files.find(({ file }) => file === name)!.text.split("\n")[line - 1]!;
