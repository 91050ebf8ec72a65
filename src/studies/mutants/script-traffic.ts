// Random store operations, to which a store on Redis has to reply like the memory store. Real clients pause, so a pause
// follows each turn: it is zero, or ends at the edge of a window, or outlasts every expiry.
import type { Scope } from "../../limiter/core/budget.ts";
import { client, type Client } from "../../limiter/core/client.ts";
import { ALGORITHMS, isLogBased, type Algorithm } from "../../limiter/core/algorithms.ts";
import type { GatewayOptions } from "../../limiter/core/config.ts";
import { limitOf, type Smoothing } from "../../limiter/core/limit.ts";
import { DEFAULT_OPTIONS } from "../../limiter/world/options.ts";
import { rng, type Rng } from "../../kit/chance/rng.ts";
import { levelOf } from "../../limiter/core/select.ts";
import { performNow } from "../../limiter/core/sequence.ts";
import type { Level, LogCommand, Reply, StoreOp } from "../../limiter/core/store.ts";
import { micros, NEVER, type Micros } from "../../kit/units.ts";
import { localStore, memoryStore } from "../../limiter/store/memory.ts";

/** Operations sent together, the reply to each, and the pause after them. */
interface ScriptTurn {
  readonly ops: readonly StoreOp[];
  readonly replies: readonly Reply[];
  readonly pauseUs: number;
}

export interface ScriptRun {
  readonly name: string;
  readonly levels: readonly Level[]; // levels of the first configuration and of its replacement
  readonly clients: readonly Client[];
  readonly turns: readonly ScriptTurn[];
}

interface Shape {
  readonly algorithm: Algorithm;
  readonly scope?: Scope;
  readonly isSmoothed?: boolean;
  readonly options?: Partial<GatewayOptions>;
}

const LOGS = ALGORITHMS.filter(isLogBased);

/** The levels of a run: one level of each kind, two levels together, and counters that outlast their window. */
const SHAPES: readonly (readonly Shape[])[] = [
  [{ algorithm: "fixed_window" }],
  [{ algorithm: "fixed_window", options: { fixedWindowStart: "clock" } }],
  [{ algorithm: "token_bucket" }],
  [{ algorithm: "gcra" }],
  [{ algorithm: "gcra", options: { burst: 2 } }],
  [{ algorithm: "leaky_bucket" }],
  [{ algorithm: "sliding_window_counter" }],
  ...LOGS.map((algorithm) => [{ algorithm }]),
  [{ algorithm: "sentinel", options: { sentinelMark: "fixed" } }],
  ...LOGS.map((algorithm) => [{ algorithm, isSmoothed: true }]),
  [{ algorithm: "fixed_window", scope: "api" }, { algorithm: "fixed_window" }],
  [{ algorithm: "sliding_log", scope: "api" }, { algorithm: "bounded_log" }],
  [{ algorithm: "token_bucket", scope: "api" }, { algorithm: "sliding_log" }],
  [{ algorithm: "gcra", scope: "api" }, { algorithm: "sentinel" }],
  [{ algorithm: "fixed_window" }, { algorithm: "fixed_window", scope: "quota" }],
  [{ algorithm: "sentinel" }, { algorithm: "fixed_window", scope: "quota" }],
  [{ algorithm: "leaky_bucket", options: { queue: 40 } }], // its counter outlasts the window
  [{ algorithm: "gcra", options: { burst: 20 } }], // its counter outlasts the window
];

const SECOND_US = 1_000_000;
const PERS_US = [1.5 * SECOND_US, 10 * SECOND_US, 60 * SECOND_US, 3_600 * SECOND_US] as const;
const RATES = [1, 2, 3, 5] as const;
const START_US = 365 * 24 * 3_600 * SECOND_US;
const TURNS = 40;

/** The runs of each shape: one of a client that never pauses, one with a late refund, and `times` random runs. */
export function scriptRuns(seed: number, times: number): readonly ScriptRun[] {
  const random = Array.from({ length: times }, (_, time) =>
    SHAPES.map((shapes, place) => {
      const stream = `scripts/${place}/${time}`;
      return drawRun(shapes, rng(seed, stream), rng(seed, `${stream}/units`));
    }),
  );
  return [...SHAPES.map(persistentRun), ...SHAPES.map(refundRun), ...random.flat()];
}

const PERSISTENT = { rate: 2, perUs: 10 * SECOND_US, everyUs: SECOND_US } as const;

/** One request a second at 2 per 10 s. Refusals go on after a key that no refusal renewed would expire (ALG-4). */
function persistentRun(shapes: readonly Shape[]): ScriptRun {
  const { rate, perUs, everyUs } = PERSISTENT;
  const levels = shapes.map((shape) => buildLevel(shape, rate, perUs));
  const sender = client("key:alice");
  const memory = localStore(memoryStore(), memoryStore());
  const turns = Array.from({ length: TURNS }, (_, turn): ScriptTurn => {
    const ops = spendOf(levels, sender, micros(START_US + turn * everyUs), 1);
    const replies = ops.map((op) => ({ ...performNow(memory, op) }));
    return { ops, replies, pauseUs: everyUs };
  });
  return { name: `persistent, ${nameOf(shapes)}`, levels, clients: [sender], turns };
}

const REFUNDED = { rate: 4, perUs: 10 * SECOND_US } as const;

/** A run that refunds at 12 s a request of 8 s, in the previous clock window. Later requests spend the whole limit. */
function refundRun(shapes: readonly Shape[]): ScriptRun {
  const { rate, perUs } = REFUNDED;
  const levels = shapes.map((shape) => buildLevel(shape, rate, perUs, false));
  const sender = client("key:alice");
  const memory = localStore(memoryStore(), memoryStore());
  const at = (seconds: number): Micros => micros(START_US + seconds * SECOND_US);
  const refund = levels.map((level): StoreOp => ({
    op: "give_back",
    level,
    client: sender,
    atUs: at(8),
    units: 1,
  }));
  const turns = [6, 8, 11, 12, 13, 14, 15, 16].map((seconds): ScriptTurn => {
    const ops = seconds === 12 ? refund : spendOf(levels, sender, at(seconds), 1);
    const replies = ops.map((op) => ({ ...performNow(memory, op) }));
    return { ops, replies, pauseUs: SECOND_US };
  });
  return { name: `refunds, ${nameOf(shapes)}`, levels, clients: [sender], turns };
}

/** The operations of one request: its spending, and the marks that sentinel levels write in the background. */
const spendOf = (
  levels: readonly Level[],
  sender: Client,
  atUs: Micros,
  units: number,
): readonly StoreOp[] => [
  { op: "take", levels, client: sender, atUs, intent: "spend", units },
  ...levels
    .filter(({ traits }) => traits.isWrittenInBackground)
    .map((level): StoreOp => ({ op: "mark", level, client: sender, atUs, units })),
];

const nameOf = (shapes: readonly Shape[]): string =>
  shapes
    .map(({ algorithm, isSmoothed }) =>
      isSmoothed === true ? `${algorithm}, smoothed` : algorithm,
    )
    .join(" and ");

const pick = <T>(chance: Rng, list: readonly T[]): T => list[chance.int(list.length)]!;

/** Draws a random run. Units have a random stream of their own, so that the other draws do not depend on them. */
function drawRun(shapes: readonly Shape[], chance: Rng, unitChance: Rng): ScriptRun {
  const perUs = pick(chance, PERS_US);
  const rates = shapes.map(() => pick(chance, RATES));
  const first = shapes.map((shape, i) => buildLevel(shape, rates[i]!, perUs));
  const second = shapes.map((shape, i) =>
    buildLevel(shape, rates[i]! + pick(chance, [-1, 1, 2]), perUs, rates[i]! > ENDLESS_ABOVE),
  );
  const clients = [client("key:alice"), client("key:bob")];
  // Half of the runs only spend, because plain spending has a script of its own.
  const isPlain = chance.int(2) === 0;
  const isBounded = shapes.some(({ algorithm }) => algorithm === "bounded_log");
  const memory = localStore(memoryStore(), memoryStore());
  const turns: ScriptTurn[] = [];
  let atUs = START_US + chance.int(perUs);
  for (let turn = 0; turn < TURNS; turn++) {
    const isLate = turn > TURNS / 2;
    const isReloaded = isLate && chance.int(4) === 0;
    const levels = isReloaded ? second : first;
    const ops: StoreOp[] = [];
    for (let i = 0; i <= chance.int(3); i++) {
      const sender = chance.int(5) === 0 && !isBounded ? clients[1]! : clients[0]!;
      const skewUs = pick(chance, [0, 0, 0, 10_000, -10_000]);
      const units = pick(unitChance, [1, 1, 1, 1, 2, 3]);
      ops.push(...drawOperations(levels, sender, atUs + skewUs, units, isPlain, perUs, chance));
    }
    const replies = ops.map((op) => ({ ...performNow(memory, op) }));
    const drawnUs = drawPause(perUs, rates[0]!, chance);
    // Pauses are short, so that no bounded log expires: Redis then loses the largest rate of its users, memory may not.
    const pauseUs = isBounded && isLate ? Math.min(drawnUs, Math.floor(perUs / 3)) : drawnUs;
    turns.push({ ops, replies, pauseUs });
    atUs += pauseUs;
  }
  return { name: nameOf(shapes), levels: [...first, ...second], clients, turns };
}

/**
 * Quotas above this rate never renew. A reload never turns a renewing quota into an endless one: after the window,
 * memory may have dropped the counter, and Redis may still have it.
 */
const ENDLESS_ABOVE = 3;

function buildLevel(
  { algorithm, scope = "key", isSmoothed = false, options = {} }: Shape,
  rate: number,
  perUs: number,
  isEndless = rate > ENDLESS_ABOVE,
): Level {
  const isQuota = scope === "quota";
  const whole = Math.max(1, rate);
  const smoothing: Smoothing = {
    threshold: Math.max(1, whole - 2),
    step: 1,
    trigger: 0.5,
    delayUs: micros(perUs / 3),
  };
  const limit = limitOf(
    isQuota ? 3 * whole : whole,
    isQuota ? 2 : 1,
    isSmoothed ? smoothing : null,
  );
  const lasts = {
    ...limit,
    perUs: isQuota && isEndless ? NEVER : micros(isQuota ? 2 * perUs : perUs),
  };
  const budget = {
    space: `${scope}/${isQuota ? "long" : "short"}`,
    scope,
    limit: lasts,
    because: [],
  };
  return levelOf({ ...DEFAULT_OPTIONS, ...options, algorithm }, budget, 1);
}

/** Draws a pause in microseconds: regular, up to the edge of a window, or so long that keys expire. Most are short. */
function drawPause(perUs: number, rate: number, chance: Rng): number {
  const steady = Math.round(perUs / (rate + 1));
  return pick(chance, [
    0,
    0,
    1,
    steady,
    steady,
    steady,
    Math.round(perUs / 3),
    Math.round(perUs / 3) + 1,
    Math.round(perUs / 2),
    perUs - 1,
    perUs,
    perUs + 1,
    chance.int(perUs),
    chance.int(5) === 0 ? 5 * perUs : steady,
  ]);
}

function drawOperations(
  levels: readonly Level[],
  sender: Client,
  at: number,
  units: number,
  isPlain: boolean,
  perUs: number,
  chance: Rng,
): readonly StoreOp[] {
  const atUs = micros(at);
  const one = pick(chance, levels);
  const about = { level: one, client: sender, atUs, units };
  const spent = spendOf(levels, sender, atUs, units);
  if (isPlain) return spent;
  switch (chance.int(12)) {
    case 0:
      return [{ op: "take", levels, client: sender, atUs, intent: "evaluate", units }];
    case 1:
      return [{ op: "take", levels, client: sender, atUs, intent: "try", units }];
    case 2:
      return [{ op: "give_back", ...about, atUs: micros(at - pick(chance, [0, 0, perUs])) }];
    case 3:
      return chance.int(2) === 0 ? [{ op: "reset", ...about }] : spent;
    case 4:
      if (one.rule !== null) return [{ op: "allowance", ...about }];
      return spent;
    case 5:
      if (one.algorithm !== "non_transactional") return spent;
      return [{ op: "pipeline", commands: LOG_COMMANDS.map((op) => commandOf(op, about)) }];
    default:
      return spent;
  }
}

const LOG_COMMANDS: readonly LogCommand["op"][] = ["prune", "count", "add", "expire"];

/** While the allowance may fall, the core sends `expire` with `hasFallsToCome`: the log must outlive its window. */
const commandOf = (op: LogCommand["op"], about: Omit<LogCommand, "op">): LogCommand =>
  op === "expire" && about.level.rule !== null
    ? { op, ...about, hasFallsToCome: true }
    : { op, ...about };
