// What operations cost a networked store, in commands and bytes. `npm run costs` measures them on a Redis
// (measured-costs.ts); this file adds them up for a request (ALG-5, ALG-6, ALG-9, ALG-11).
import { ALGORITHMS, TRAITS, type Algorithm } from "../../limiter/core/algorithms.ts";
import { isOfApi } from "../../limiter/core/budget.ts";
import type { GatewayOptions } from "../../limiter/core/config.ts";
import { isSentAsCommands } from "../../limiter/core/sequence.ts";
import {
  hasFailed,
  type StoreResult,
  type Intent,
  type Level,
  type StoreOp,
} from "../../limiter/core/store.ts";
import type { AlgorithmTraits } from "../../limiter/core/traits.ts";
import {
  MEASURED,
  type CommandCounts,
  type LevelCommands,
  type FormCosts,
  type MeasuredCosts,
} from "./measured-costs.ts";

export interface OperationCost {
  readonly commands: number; // commands sent over the network
  readonly inner: number; // commands run inside scripts
}

/** The name of a measured form. A gateway's share costs as much as a whole budget with the same state. */
export const formName = ({ algorithm, traits, rule }: Level): string => {
  const counted = traits.place === "store" ? algorithm : inStore(traits.state);
  return rule === null ? counted : `${counted}, smoothed`;
};

const inStore = (state: AlgorithmTraits["state"]): Algorithm =>
  ALGORITHMS.find((name) => TRAITS[name].place === "store" && TRAITS[name].state === state)!;

const FORMS: MeasuredCosts["forms"] = MEASURED.forms;

const formOf = (level: Level): FormCosts => {
  const form = FORMS[formName(level)];
  if (form === undefined) throw new Error(`no costs were measured for ${formName(level)}`);
  return form;
};

/** The commands inside a script for one level. */
export const commandsOf = (level: Level, part: keyof LevelCommands): CommandCounts =>
  formOf(level).commands[part];

const READ_AT_ONCE = "mget"; // one command reads the records of all levels

function script(parts: readonly CommandCounts[]): OperationCost {
  let inner = 0;
  let readsAtOnce = 0;
  for (const part of parts) {
    const calls = callsIn(part);
    inner += calls.others;
    if (calls.readsAtOnce > readsAtOnce) readsAtOnce = calls.readsAtOnce;
  }
  return { commands: 1, inner: inner + readsAtOnce };
}

interface ScriptCalls {
  readonly readsAtOnce: number;
  readonly others: number;
}

/** The calls of a script. Cached, because each operation is counted when it is sent and when its reply arrives. */
function callsIn(counts: CommandCounts): ScriptCalls {
  let known = knownCalls.get(counts);
  if (known === undefined) {
    const { [READ_AT_ONCE]: readsAtOnce = 0, ...others } = counts;
    knownCalls.set(counts, (known = { readsAtOnce, others: single(others).commands }));
  }
  return known;
}

const knownCalls = new WeakMap<CommandCounts, ScriptCalls>();

const single = (counts: CommandCounts): OperationCost => ({
  commands: Object.values(counts).reduce((sum, calls) => sum + calls, 0),
  inner: 0,
});

/** The result of a request, as indexes of levels; -1 if there is no such level. */
export interface Fate {
  readonly refusedBy: number;
  readonly spent: number; // a level whose budget is used up
}

const ADMITTED: Fate = { refusedBy: -1, spent: -1 };

/** The result in the store's reply. Before the reply, the request is costed as admitted. */
const fateOf = (answer: StoreResult | null): Fate =>
  answer === null || hasFailed(answer)
    ? ADMITTED
    : fateBy(answer.refusedBy, answer.remaining === 0 ? answer.shown : -1);

export const fateBy = (refusedBy: number, spent: number): Fate =>
  refusedBy < 0 ? { refusedBy, spent } : { refusedBy, spent: refusedBy };

function partOf(
  levels: readonly Level[],
  index: number,
  intent: Intent,
  { refusedBy }: Fate,
): keyof LevelCommands {
  if (refusedBy < 0) return intent === "evaluate" ? "dryRun" : "admitted";
  const refuser = levels[refusedBy]!;
  // A refusal by a quota reports the values of the levels before it, which have to be read (HDR-C2).
  if (index < refusedBy && refuser.budget.scope === "quota") return "dryRun";
  if (index !== refusedBy) return "evaluated";
  if (intent === "evaluate") return "dryRunFull";
  return intent === "spend" || isOfApi(refuser.budget.scope) ? "refused" : "evaluated";
}

/** The cost of a `take`. Cached, because many operations use the same levels, and few results are possible. */
function takeCost(
  levels: readonly Level[],
  transaction: GatewayOptions["storeTransaction"],
  intent: Intent,
  fate: Fate,
): OperationCost {
  const one = levels.length === 1 ? levels[0]! : levels; // an array of one level is new for each operation
  let known = takeCosts.get(one);
  if (known === undefined) takeCosts.set(one, (known = []));
  const fates = levels.length + 1;
  const way = INTENTS.indexOf(intent) * 2 + (transaction === "multi" ? 1 : 0);
  const place = (way * fates + fate.refusedBy + 1) * fates + fate.spent + 1;
  return (known[place] ??= addTakeCost(levels, transaction, intent, fate));
}

const takeCosts = new WeakMap<Level | readonly Level[], OperationCost[]>();
const INTENTS: readonly Intent[] = ["spend", "try", "evaluate"];

/** The cost of a `take`'s levels in the store: one script, except for logs that are sent as commands. */
function addTakeCost(
  levels: readonly Level[],
  transaction: GatewayOptions["storeTransaction"],
  intent: Intent,
  fate: Fate,
): OperationCost {
  const parts: CommandCounts[] = [];
  const apart: OperationCost[] = [];
  for (let index = 0; index < levels.length; index++) {
    const level = levels[index]!;
    if (level.place !== "store") continue;
    const part = partOf(levels, index, intent, fate);
    if (intent === "evaluate" || !isSentAsCommands(level, transaction === "multi"))
      parts.push(commandsOf(level, part));
    else apart.push(...costsAsCommands(level, index, fate));
  }
  if (apart.length === 0 && parts.length > 0) return script(parts);
  return sum(parts.length === 0 ? apart : [script(parts), ...apart]);
}

const sum = (costs: readonly OperationCost[]): OperationCost => ({
  commands: costs.reduce((total, { commands }) => total + commands, 0),
  inner: costs.reduce((total, { inner }) => total + inner, 0),
});

/** One cost for each round trip. If no budget is left, the attempt that expires first is read too. */
function costsAsCommands(level: Level, index: number, fate: Fate): readonly OperationCost[] {
  const { step } = formOf(level);
  return [
    ...(step === null ? [] : [script([step])]),
    single(level.traits.sentAsCommands === "always" ? MEASURED.pipeline : MEASURED.transaction),
    ...(index === fate.spent ? [script([commandsOf(level, "dryRunFull")])] : []),
  ];
}

export function costOf(
  op: StoreOp,
  transaction: GatewayOptions["storeTransaction"],
  answer: StoreResult | null = null,
): OperationCost {
  switch (op.op) {
    case "take":
      return takeCost(op.levels, transaction, op.intent, fateOf(answer));
    case "pipeline":
      return single(op.isTransaction === true ? MEASURED.transaction : MEASURED.pipeline);
    case "mark":
      return markCost(op.level);
    case "give_back":
      return script([commandsOf(op.level, "givenBack")]);
    case "reset":
      return script([commandsOf(op.level, "reset")]);
    case "allowance":
      return script([formOf(op.level).step ?? {}]);
  }
}

/** The cost of a sentinel's background write. */
export const markCost = (level: Level): OperationCost => script([formOf(level).background ?? {}]);

/** What a request that this process decides without a network would cost with a networked store. */
export interface Bill {
  readonly before: number; // commands sent until the response
  readonly inner: number; // commands run inside these
  readonly roundTrips: number;
}

/** As in limiter/core/sequence.ts, the bill has one operation if all levels fit in it, else one for each level. */
export function billOf(
  levels: readonly Level[],
  options: Pick<GatewayOptions, "storeTransaction" | "limitOrder">,
  fate: Fate,
): Bill {
  const transaction = options.storeTransaction;
  const inStore = levels.filter(({ place }) => place === "store");
  const isOneStep =
    options.limitOrder === "api_first" &&
    inStore.length === levels.length &&
    inStore.every((level) => !isSentAsCommands(level, transaction === "multi"));
  const costs = isOneStep
    ? [takeCost(levels, transaction, "spend", fate)]
    : levels.flatMap((level, index) => apartCosts(level, index, options, fate));
  const { commands, inner } = sum(costs);
  return {
    before: commands,
    inner,
    roundTrips: costs.filter((each) => each.commands > 0).length,
  };
}

/** The cost of a level as a separate operation. Levels after the refusing one are only evaluated. */
function apartCosts(
  level: Level,
  index: number,
  { storeTransaction, limitOrder }: Pick<GatewayOptions, "storeTransaction" | "limitOrder">,
  fate: Fate,
): readonly OperationCost[] {
  if (level.place !== "store") return [];
  const { refusedBy } = fate;
  if (refusedBy >= 0 && index > refusedBy) return [script([commandsOf(level, "dryRun")])];
  const isGivenBack =
    index < refusedBy && limitOrder === "api_first" && !level.traits.isWrittenInBackground;
  const back = isGivenBack ? [script([commandsOf(level, "givenBack")])] : [];
  return isSentAsCommands(level, storeTransaction === "multi")
    ? [...costsAsCommands(level, index, fate), ...back]
    : [script([commandsOf(level, index === refusedBy ? "refused" : "admitted")]), ...back];
}
