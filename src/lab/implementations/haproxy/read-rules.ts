// The rules of HAProxy's limits: each refusal by a rate, with the stick table that it looks into.
import { formatAddress, parseAddress } from "../../../limiter/core/address.ts";
import { micros } from "../../../kit/units.ts";
import { optionsFrom } from "../../../limiter/world/options.ts";
import type { ReadRule, RequestFacts } from "../reading.ts";
import { nameApart } from "../rule-parts.ts";
import { problemAt, timeUs } from "./parse.ts";
import type { HaproxyNotes } from "./read-notes.ts";
import type { LimitStep, HaproxyOutcome, StickTable, HaproxyStep } from "./read-steps.ts";

type StickTables = ReadonlyMap<string, StickTable>;

interface RulesParts {
  readonly steps: readonly HaproxyStep[];
  readonly tables: StickTables;
  readonly notes: HaproxyNotes;
  readonly outcomeOf: (request: RequestFacts) => HaproxyOutcome;
  readonly problems: string[];
}

/** A limit and one of the tables that it may look into. */
interface PlacedLimit {
  readonly step: LimitStep;
  readonly table: StickTable;
  readonly periodUs: number;
  readonly countedAt: number;
}

export function rulesOf(parts: RulesParts): readonly ReadRule[] {
  const placed = parts.steps.flatMap((step) =>
    step.kind === "limit" ? placeLimit(step, parts) : [],
  );
  return nameApart(placed.map((each) => ruleOf(each, placed, parts)));
}

/** A limit, once for each table that it may look into. */
function placeLimit(step: LimitStep, parts: RulesParts): readonly PlacedLimit[] {
  const { steps, tables, notes } = parts;
  const { rate, position, line } = step;
  const tracks = steps.filter((each) => each.kind === "track");
  const own = tracks.filter(
    ({ slot, table, position: at }) =>
      (rate.slot === null ? rate.table !== null : slot === rate.slot && at < position) &&
      (rate.table === null || table === rate.table),
  );
  const names = [...new Set(own.map(({ table }) => table))];
  if (names.length === 0) {
    const of = rate.slot === null ? `the table ${rate.table ?? "of this proxy"}` : `sc${rate.slot}`;
    notes.note(line, "not understood", `no rule that is read tracks ${of} before it`);
  }
  return names.flatMap((name): readonly PlacedLimit[] => {
    const table = tables.get(name);
    if (table === undefined) return []; // a problem of the rule that tracks
    const periodUs = periodOf(table, step, parts);
    const into = tracks.filter((each) => each.table === name);
    const counts =
      rate.counter === "http_req_rate"
        ? into
        : steps.filter(
            (each) => each.kind === "count" && into.some(({ slot }) => slot === each.slot),
          );
    if (periodUs === null) return [];
    if (counts.length === 0) {
      notes.note(line, "not understood", `nothing increases ${rate.counter} of ${name}`);
      return [];
    }
    noteDifferences(step, [counts, into, steps], { table, periodUs }, notes);
    return [{ step, table, periodUs, countedAt: Math.min(...counts.map((each) => each.position)) }];
  });
}

function periodOf(
  table: StickTable,
  { rate, line }: LimitStep,
  { notes, problems }: RulesParts,
): number | null {
  const { name, periods } = table;
  const written = periods.get(rate.counter);
  if (written === undefined) {
    notes.note(line, "not understood", `the table ${name} does not store ${rate.counter}`);
    return null;
  }
  const periodUs = timeUs(written);
  if (periodUs !== null && periodUs > 0) return periodUs;
  problems.push(
    problemAt(table.line, `${rate.counter}(${written}) has no period such as 10s`).message,
  );
  return null;
}

const conditionsOf = (step: HaproxyStep): readonly string[] =>
  "condition" in step ? [step.condition] : [];

/** Notes what the rules do not imitate. */
function noteDifferences(
  step: LimitStep,
  [counts, tracks, all]: readonly [
    readonly HaproxyStep[],
    readonly HaproxyStep[],
    readonly HaproxyStep[],
  ],
  { table, periodUs }: Pick<PlacedLimit, "table" | "periodUs">,
  notes: HaproxyNotes,
): void {
  const { name, line, expire, hasPeers } = table;
  const open = (consequence: string): void => notes.note(line, "not understood", consequence);
  notes.note(line, "read");
  const expireUs = expire === null ? null : timeUs(expire);
  if (expireUs !== null && expireUs < 2 * periodUs)
    open(
      `a client is forgotten ${expire} after its last request, and this reader counts it for two periods`,
    );
  if (hasPeers) open("peers exchange its counts, and this reader has one HAProxy");
  const countedAt = Math.min(...counts.map((each) => each.position));
  const endsBetween = all.some(
    ({ kind, position }) => kind === "stop" && position > step.position && position < countedAt,
  );
  const ofCounts = counts.flatMap(conditionsOf);
  const countsLess = !tracks
    .flatMap(conditionsOf)
    .every((each) => ["", each, step.condition].some((known) => ofCounts.includes(known)));
  // The rate of an address is that of its other requests, also if this one is not tracked.
  const looksUp =
    step.rate.slot === null && !["", step.condition].some((known) => ofCounts.includes(known));
  if (endsBetween || looksUp || (countsLess && step.rate.counter === "gpc0_rate"))
    open("it also refuses requests that are not counted, and here it refuses only counted ones");
  const slots = new Set(counts.flatMap((each) => ("slot" in each ? [each.slot] : [])));
  if (slots.size > 1) open(`a request that is tracked twice in ${name} is counted once here`);
  const isLater = counts.every(({ position }) => position > step.position);
  const isSame = [counts, tracks].some((steps) =>
    steps.every((each) => "condition" in each && each.condition === step.condition),
  );
  if (isLater && !isSame)
    notes.note(
      step.line,
      "not understood",
      `${name} also counts requests that this rule does not refuse, and here only below the rate`,
    );
}

/** The key as the table stores it; null: the table cannot have it. */
export function keyIn(table: StickTable | undefined, value: string): string | null {
  if (table === undefined) return null;
  if (table.type === "string") return value.slice(0, table.length);
  if (table.type !== "ip" && table.type !== "ipv6") return value;
  const bytes = parseAddress(value);
  return bytes === null || (table.type === "ip" && bytes.length !== 4)
    ? null
    : formatAddress(bytes);
}

/** A request that is counted before it is compared is part of the rate. */
function ruleOf(
  { step, table, periodUs, countedAt }: PlacedLimit,
  all: readonly PlacedLimit[],
  { outcomeOf }: RulesParts,
): ReadRule {
  const { rate, position, line, status } = step;
  const { above, counter, slot } = rate;
  const isCountedFirst = countedAt < position;
  return {
    id: `table ${table.name}, ${counter} above ${above}`,
    file: line.file,
    line: line.line,
    limit: { rate: isCountedFirst ? above : above + 1, perUs: micros(periodUs) },
    options: isCountedFirst ? BY_RATE : BY_ADMITTED,
    countsRefusedFrom: all.filter((each) => each.step.position < countedAt).length,
    isDryRun: false,
    status,
    budgetOf: (request) => {
      const { tracked, counted } = outcomeOf(request);
      const here = (counter === "http_req_rate" ? tracked : counted).filter(
        (each) => each.table === table.name,
      );
      return (here.find((each) => each.slot === slot) ?? here[0])?.key ?? null;
    },
    mayRefuse: (request) => {
      const { met, tracked } = outcomeOf(request);
      if (met.get(step) !== table.name) return false;
      if (slot !== null) return true;
      const own = keyIn(table, request.address);
      return tracked.some((each) => each.table === table.name && each.key === own);
    },
  };
}

const BY_RATE = optionsFrom({ profile: "haproxy/rate" });
const BY_ADMITTED = optionsFrom({ profile: "haproxy/admitted" });
