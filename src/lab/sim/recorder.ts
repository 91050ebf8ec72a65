// The history of a run while it is recorded: typed columns that grow, and lists of names, to which columns refer by
// index. Nothing here decides or measures time.
import type { LimiterEvent } from "../../limiter/core/events.ts";
import { retryAfterSeconds } from "../../limiter/core/decision.ts";
import { SECOND } from "../../kit/units.ts";
import type { RequestOutcome } from "../../gateway/outcome.ts";
import type { LimitValues } from "../../gateway/headers.ts";
import type { Plan } from "../scenario/types.ts";
import {
  REASONS,
  type GaugeSample,
  type History,
  type HistoryEvent,
  type LossReason,
  type Requests,
  type HistorySpan,
} from "../scenario/history.ts";
import { placeOfAddress } from "./places.ts";
import { bodyIndex, labelRequest, labels, type Labels } from "./labels.ts";

type Column = Float64Array | Uint32Array | Int32Array | Uint16Array | Int16Array | Uint8Array;
type Columns = { -readonly [Name in Exclude<keyof Requests, "length">]: Requests[Name] };

/** The columns that charts of clients need. */
const BRIEF = [
  "plannedUs",
  "sentUs",
  "toUs",
  "answeredUs",
  "delayUs",
  "reason",
  "client",
  "address",
  "attempt",
  "retryAfterS",
  "commandsAll",
] as const satisfies readonly (keyof Columns)[];

/** The rows of a history, with only the columns of `BRIEF`. */
export type AttemptColumns = Pick<Requests, "length" | (typeof BRIEF)[number]>;

export interface Recorder {
  readonly plan: Plan;
  readonly isBrief: boolean; // whether only `AttemptColumns` are recorded, without events and gauges
  columns: Columns;
  order: Float64Array; // each row's position in the order of decisions
  readonly epochUs: number; // start of the run by the gateways' clock; recorded times are relative to it
  length: number;
  capacity: number;
  readonly labels: Labels;
  readonly fields: Map<string, number>; // values of the standard header fields, with their indexes
  readonly events: HistoryEvent[];
  readonly gauges: GaugeSample[];
  readonly spans: HistorySpan[];
}

type ColumnKind<C> = new (memory: ArrayBuffer, at: number, length: number) => C;

function columnsIn(memory: ArrayBuffer, rows: number, isBrief: boolean): Columns {
  const others = isBrief ? 0 : rows;
  let at = 0;
  const next = <C extends Column>(kind: ColumnKind<C>, length: number): C => {
    const column = new kind(memory, at, length);
    at += Math.ceil(column.byteLength / WIDEST) * WIDEST;
    return column;
  };
  return {
    plannedUs: next(Float64Array, rows),
    sentUs: next(Float64Array, rows),
    fromUs: next(Float64Array, others),
    toUs: next(Float64Array, rows),
    stampUs: next(Float64Array, others),
    answeredUs: next(Float64Array, rows),
    delayUs: next(Float64Array, rows),
    status: next(Uint16Array, others),
    reason: next(Uint8Array, rows),
    flow: next(Uint16Array, others),
    stage: next(Int16Array, others),
    client: next(Uint32Array, rows),
    address: next(Int32Array, rows),
    attempt: next(Uint16Array, rows),
    gateway: next(Uint16Array, others),
    fleet: next(Uint16Array, others),
    key: next(Int32Array, others),
    api: next(Int32Array, others),
    budget: next(Int32Array, others),
    body: next(Int32Array, others),
    retryAfterS: next(Float64Array, rows),
    limit: next(Float64Array, others),
    remaining: next(Float64Array, others),
    resetUs: next(Float64Array, others),
    policy: next(Int32Array, others),
    standing: next(Int32Array, others),
    commandsBefore: next(Uint16Array, others),
    commandsAll: next(Uint16Array, rows),
    cost: next(Uint16Array, others),
  };
}

/** Bytes. Each column starts at a multiple of this, so that a typed array of any width can start there. */
const WIDEST = Float64Array.BYTES_PER_ELEMENT;

const NO_ROWS = columnsIn(new ArrayBuffer(), 0, false);
const EVERY = Object.keys(NO_ROWS) as readonly (keyof Columns)[];

const bytesOfRow = (names: readonly (keyof Columns)[]): number =>
  names.reduce((sum, name) => sum + NO_ROWS[name].BYTES_PER_ELEMENT, 0);
const BYTES_OF_ROW = { every: bytesOfRow(EVERY), brief: bytesOfRow(BRIEF) };

/** Allocates all columns in one buffer, because most histories are short and each allocation is slow. */
function newColumns(rows: number, isBrief: boolean): Columns {
  const bytes = rows * (isBrief ? BYTES_OF_ROW.brief : BYTES_OF_ROW.every);
  return columnsIn(new ArrayBuffer(bytes + EVERY.length * WIDEST), rows, isBrief);
}

/** An event as a history records it: without the path of the request. */
export const eventInHistory = (
  { event, key, api, budget, value }: LimiterEvent,
  { atUs, stampUs, gateway }: Pick<HistoryEvent, "atUs" | "stampUs" | "gateway">,
): HistoryEvent => ({ event, stampUs, key, api, budget, value, atUs, gateway });

export function recorder(plan: Plan, epochUs: number, isBrief = false): Recorder {
  const capacity = Math.max(16, plan.atUs.length);
  return {
    plan,
    isBrief,
    epochUs,
    columns: newColumns(capacity, isBrief),
    order: new Float64Array(capacity),
    length: 0,
    capacity,
    labels: labels(),
    fields: new Map(),
    events: [],
    gauges: [],
    spans: [],
  };
}

/** One request as its client sent it. */
export interface SentAttempt {
  readonly arrival: number; // index in the plan
  readonly attempt: number; // 0 for the planned attempt
  readonly sentUs: number;
  isLost: boolean; // whether the gateway ended while the request was in flight
}

/** How a request was decided, and when. */
export interface DecisionRecord extends AttemptRecord {
  readonly gateway: number;
  readonly fleet: number;
  readonly fromUs: number;
  readonly stampUs: number;
  readonly commandsBefore: number;
}

/** The part of a decision that a brief recorder uses. */
interface AttemptRecord {
  readonly outcome: RequestOutcome;
  readonly toUs: number;
  readonly order: number;
  readonly commandsAll: number;
  readonly lost?: LossReason; // unset if there was a response
}

/** Records a request and returns its row. `values` are the limit values that the client received. */
export function record(
  recorder: Recorder,
  sent: SentAttempt,
  decided: DecisionRecord,
  answeredUs: number,
  status: number,
  values: LimitValues,
): number {
  const row = recordAttempt(recorder, sent, decided, answeredUs);
  if (recorder.isBrief) return row;
  const { columns, plan } = recorder;
  const { outcome } = decided;
  const { arrival } = sent;
  const flow = plan.flow[arrival]!;
  const client = plan.client[arrival]!;
  columns.fromUs[row] = decided.fromUs;
  columns.stampUs[row] = decided.stampUs;
  columns.status[row] = status;
  columns.flow[row] = flow;
  columns.stage[row] = plan.stage[arrival]!;
  columns.gateway[row] = decided.gateway;
  columns.fleet[row] = decided.fleet;
  const { key, api, budget } = labelRequest(recorder.labels, flow, client, outcome);
  columns.key[row] = key;
  columns.api[row] = api;
  columns.budget[row] = budget;
  columns.body[row] = outcome.refused === null ? -1 : bodyIndex(recorder.labels, outcome.refused);
  columns.retryAfterS[row] = values.retryAfterS;
  columns.limit[row] = values.limit;
  columns.remaining[row] = values.remaining;
  columns.resetUs[row] = values.resetS * SECOND - recorder.epochUs;
  columns.policy[row] = placeIn(recorder.fields, values.policy);
  columns.standing[row] = placeIn(recorder.fields, values.standing);
  columns.commandsBefore[row] = decided.commandsBefore;
  columns.cost[row] = plan.flows[flow]!.cost ?? 1;
  return row;
}

/** Records only the columns of a brief recorder. Returns the row. */
export function recordAttempt(
  recorder: Recorder,
  { arrival, attempt, sentUs }: SentAttempt,
  { outcome, toUs, commandsAll, order, lost }: AttemptRecord,
  answeredUs: number,
): number {
  if (recorder.length === recorder.capacity) enlarge(recorder);
  const row = recorder.length++;
  const { columns, plan } = recorder;
  const { decision, refused } = outcome;
  recorder.order[row] = order;
  columns.plannedUs[row] = plan.atUs[arrival]!;
  columns.sentUs[row] = sentUs;
  columns.toUs[row] = toUs;
  columns.answeredUs[row] = answeredUs;
  columns.delayUs[row] = decision === null ? 0 : decision.delayUs;
  columns.reason[row] =
    refused === null
      ? lost === undefined
        ? 0
        : REASONS.indexOf(lost)
      : REASONS.indexOf(refused.reason);
  columns.client[row] = plan.client[arrival]!;
  columns.address[row] = placeOfAddress(plan, arrival);
  columns.attempt[row] = attempt;
  columns.retryAfterS[row] =
    decision === null || lost !== undefined
      ? Number.NaN
      : (retryAfterSeconds(decision) ?? Number.NaN);
  columns.commandsAll[row] = commandsAll;
  return row;
}

function placeIn(fields: Map<string, number>, text: string | null): number {
  if (text === null) return -1;
  const known = fields.get(text);
  if (known === undefined) fields.set(text, fields.size);
  return known ?? fields.size - 1;
}

/** Thrown if a run has more attempts than its plan allows: immediate retries might never end. */
export class TooManyAttempts extends Error {}

/** Enlarges the columns. Only here are attempts limited, because a run without retries never needs a larger column. */
function enlarge(recorder: Recorder): void {
  const { mostAttempts = Number.POSITIVE_INFINITY } = recorder.plan;
  if (recorder.length >= mostAttempts)
    throw new TooManyAttempts(`more than ${mostAttempts} attempts`);
  const capacity = Math.min(recorder.capacity * 2, mostAttempts);
  const next = newColumns(capacity, recorder.isBrief);
  for (const name of EVERY) next[name].set(recorder.columns[name]);
  const order = new Float64Array(capacity);
  order.set(recorder.order);
  recorder.columns = next;
  recorder.order = order;
  recorder.capacity = capacity;
}

/** The recorded rows in the order of their decisions, without the unused capacity. */
export const finishRequests = (recorder: Recorder): Requests => finishColumns(recorder, EVERY);

/** The recorded rows of a brief recorder, in the order of their decisions. */
export const finishAttempts = (recorder: Recorder): AttemptColumns =>
  finishColumns(recorder, BRIEF);

function finishColumns<Name extends keyof Columns>(
  recorder: Recorder,
  names: readonly Name[],
): Pick<Requests, "length" | Name> {
  const { length, capacity, columns, isBrief } = recorder;
  const rows = inOrder(recorder);
  const isWhole = rows === null && length === capacity;
  if (isWhole && !isBrief) return { ...columns, length };
  // Omits the other columns of a brief recorder: they are empty, but would retain the memory of all columns.
  const result: Partial<Record<keyof Columns, Column>> = isBrief ? {} : { ...columns };
  for (const name of names) {
    const column = columns[name];
    if (rows !== null) result[name] = permute(column, rows);
    else result[name] = isWhole ? column : column.subarray(0, length);
  }
  return { ...result, length } as Pick<Requests, "length" | Name>;
}

/** The row at each place in the order of decisions. Null if the rows are already in order. */
function inOrder({ length, order }: Recorder): Uint32Array | null {
  let last = -1;
  let isSorted = true;
  for (let row = 0; row < length; row++) {
    if (order[row]! < last) isSorted = false;
    else last = order[row]!;
  }
  if (isSorted) return null;
  const rowAt = new Int32Array(last + 1).fill(-1);
  for (let row = 0; row < length; row++) rowAt[order[row]!] = row;
  const rows = new Uint32Array(length);
  let placed = 0;
  for (const row of rowAt) if (row >= 0) rows[placed++] = row;
  return rows;
}

function permute(column: Column, rows: Uint32Array): Column {
  const moved = column.slice(0, rows.length);
  const from = byWidth(column);
  const to = byWidth(moved);
  for (let row = 0; row < rows.length; row++) to[row] = from[rows[row]!]!;
  return moved;
}

/** Views a column as one of four types, because a loop that meets more types is slow for every type. */
function byWidth({ buffer, byteOffset, length, BYTES_PER_ELEMENT }: Column): Column {
  switch (BYTES_PER_ELEMENT) {
    case Float64Array.BYTES_PER_ELEMENT:
      return new Float64Array(buffer, byteOffset, length);
    case Uint32Array.BYTES_PER_ELEMENT:
      return new Uint32Array(buffer, byteOffset, length);
    case Uint16Array.BYTES_PER_ELEMENT:
      return new Uint16Array(buffer, byteOffset, length);
    default:
      return new Uint8Array(buffer, byteOffset, length);
  }
}

/** The clients' addresses for the header of a history; nothing if no flow has any. */
export const addressesOf = ({ addresses }: Plan): Pick<History["header"], "addresses"> =>
  addresses === undefined ? {} : { addresses };

export const flowsOf = ({ flows }: Plan): History["header"]["flows"] =>
  flows.map(({ name, as, method, path, shape }) => ({
    name,
    as,
    method,
    path,
    stages: shape.kind === "stages" ? shape.stages.map((stage) => stage.name) : [],
  }));
