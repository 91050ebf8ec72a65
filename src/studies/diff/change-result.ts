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
import type { OtherNumber, SmallestChange } from "./smallest-change.ts";
import { formatPatch } from "./patch.ts";

const count = z.int().min(0);
const refusedSchema = z.strictObject({ refused: count, refusedClients: count });

const numberChange = {
  what: z.enum(["rate", "time", "burst"]), // of a limit; less time is a larger limit
  name: z.string(), // before the number in its line; empty: there is none
  unit: z.string(), // after it
  from: z.number(),
  to: z.number(),
  /** The most that a sender gets through the limit in its window with this number, at worst; null: it was not searched. */
  most: count.nullable(),
};

const changeResult = z.strictObject({
  format: z.literal("weir-change/1"),
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
      z.strictObject({
        rule: z.string(),
        file: z.string(),
        line: count,
        perUs: count, // the window of the limit
        ...numberChange,
        /** The other number of the limit that would do in its place; null: none would. */
        other: z.strictObject(numberChange).nullable(),
        text: z.string(), // the new line
      }),
    )
    .readonly(),
  after: refusedSchema.nullable(), // with the changes; null: there are none
  isMetAfter: z.boolean(),
  /** What would do if a few clients had sent nothing; null: no few clients alone raise the one number that changes. */
  without: z
    .strictObject({
      clients: z.array(z.string()).readonly(),
      requests: count, // of these clients
      refused: count, // of these requests, by the present numbers
      to: z.number(), // as `from`: no change
    })
    .nullable(),
  isForAll: z.boolean(), // with --with-outliers: no client is an exception
  /** The changes as a unified diff; null: there are none, or the file can stay as it is but for exceptions. */
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
  const result: UnansweredChange = {
    format: "weir-change/1",
    key,
    configuration: sideOf(onFleet(candidate, fleet), present.rules),
    logs: files.map((file) => logOf(file, cut, false)),
    requests,
    clients,
    target,
    present: totalsOf(present),
    isMet,
    changes: changes.map(({ rule, other, ...changed }) => ({
      rule: rules[rule]!.id,
      file: changed.number.file,
      line: changed.number.line,
      perUs: limitInRequests(rules[rule]!).perUs,
      ...numbersOf(changed),
      other: other === null ? null : numbersOf(other),
      text: lineOf(change.files, changed.number).trim(),
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
            to: without.value,
          },
    isForAll: facts.isForAll,
    patch: null,
  };
  const isChanged = changes.length > 0 && exceptionsIn(result) === null;
  return isChanged ? { ...result, patch: formatPatch(before, change.files) } : result;
}

/** The few clients without which no change is needed, if so few are exceptions; null: there are none. */
export const exceptionsIn = ({
  changes: [change],
  without,
  clients,
  isForAll,
}: UnansweredChange): UnansweredChange["without"] =>
  isForAll ||
  change === undefined ||
  without === null ||
  without.to !== change.from ||
  without.clients.length > mostOutliers(clients)
    ? null
    : without;

const totalsOf = ({ refused, refusedClients }: Refused): ChangeResult["present"] => ({
  refused,
  refusedClients: refusedClients.size,
});

const numbersOf = ({
  what,
  number: { name, unit, value: from },
  value: to,
  most,
}: OtherNumber): NonNullable<ChangeResult["changes"][number]["other"]> => ({
  what,
  name,
  unit,
  from,
  to,
  most,
});

const nameOfClient = (name: string): string =>
  name.replaceAll(String.fromCodePoint(SEPARATOR), " + ");

const lineOf = (
  files: readonly ConfigurationFile[],
  { file: name, line }: Pick<NumberInFile, "file" | "line">,
): string => files.find(({ file }) => file === name)!.text.split("\n")[line - 1]!;
