// Builds Lua scripts from pieces. Each piece has a bit; a script has the pieces that all levels of one batch need.
import type { Algorithm } from "../../core/algorithms.ts";
import type { Level } from "../../core/store.ts";
import { COUNTS } from "./counts.ts";
import { ANSWERING, CLOSING, OPENING } from "./frame.ts";
import { LOG, PLAIN_LOG, SENTINEL, SMOOTHING } from "./logs.ts";
import { COUNTER, DEBT, QUEUE, TWO_WINDOWS } from "./records.ts";
import { SINGLE_COUNTS } from "./single-counts.ts";
import { SINGLE_ROWS } from "./single-rows.ts";
import { ROW, SORTED_SET } from "./stamps.ts";

/** All pieces, in their order in a script. */
const PIECES: readonly string[] = [
  COUNTER,
  DEBT,
  QUEUE,
  TWO_WINDOWS,
  SORTED_SET,
  ROW,
  LOG,
  PLAIN_LOG,
  SMOOTHING,
  SENTINEL,
];

const bits = (...pieces: readonly string[]): number =>
  pieces.reduce((sum, piece) => sum | (1 << PIECES.indexOf(piece)), 0);

/** A bit without a piece, set if some operation does more than spend. */
export const MORE_THAN_SPENDING = 1 << PIECES.length;
const COUNTS_ALONE = bits(COUNTER);
/** Two more bits without a piece: every operation spends from one count, or from one bounded log. */
export const ONLY_SINGLE_COUNTS = MORE_THAN_SPENDING << 1;
export const ONLY_SINGLE_ROWS = MORE_THAN_SPENDING << 2;

/** How scripts count a level: the number of its kind, and the suffixes of its store keys. */
export interface Form {
  readonly pieces: number;
  readonly kind: number;
  readonly record: string | null; // suffix of the store key for its numbers; null: it has none
  readonly log: string | null; // suffix of the store key for its attempts; null: it has none
  readonly isReadAtOnce: boolean; // the log is read together with all records of the turn
}

const SUFFIX = {
  counter: "c",
  debt: "d",
  queue: "q",
  windows: "w",
  auxiliary: "s",
  set: "z",
  row: "r",
};

const CELLS = { log: null, isReadAtOnce: true };
const COUNTING: Form = { ...CELLS, pieces: bits(COUNTER), kind: 1, record: SUFFIX.counter };
const OWING: Form = { ...CELLS, pieces: bits(DEBT), kind: 2, record: SUFFIX.debt };
const QUEUEING: Form = { ...CELLS, pieces: bits(QUEUE), kind: 7, record: SUFFIX.queue };
const SLIDING: Form = { ...CELLS, pieces: bits(TWO_WINDOWS), kind: 3, record: SUFFIX.windows };

/** A sentinel needs the piece for allowances even if it is not smoothed. */
const formOfLog = (counting: "plain" | "smoothed" | "sentinel", isBounded: boolean): Form => ({
  pieces: bits(isBounded ? ROW : SORTED_SET, LOG, ...COUNTED[counting]),
  kind: KINDS[counting],
  record: counting === "plain" ? null : SUFFIX.auxiliary,
  log: isBounded ? SUFFIX.row : SUFFIX.set,
  isReadAtOnce: isBounded,
});

const COUNTED = { plain: [PLAIN_LOG], smoothed: [SMOOTHING], sentinel: [SMOOTHING, SENTINEL] };
const KINDS = { plain: 4, smoothed: 5, sentinel: 6 };

const formOfSet = (rule: Level["rule"]): Form =>
  formOfLog(rule === null ? "plain" : "smoothed", false);

/** The form of each algorithm. */
const FORMS: Readonly<Record<Algorithm, (rule: Level["rule"]) => Form>> = {
  fixed_window: () => COUNTING,
  sliding_log: formOfSet,
  non_transactional: formOfSet,
  sentinel: () => formOfLog("sentinel", false),
  drl: () => COUNTING,
  token_bucket: () => OWING,
  gcra: () => OWING,
  sliding_window_counter: () => SLIDING,
  bounded_log: (rule) => formOfLog(rule === null ? "plain" : "smoothed", true),
  leaky_bucket: () => QUEUEING,
};

export const formOf = ({ algorithm, rule }: Level): Form => FORMS[algorithm](rule);

/** All texts from which scripts are built, by file. */
export const SCRIPT_TEXTS = {
  counts: [COUNTS],
  "single-counts": [SINGLE_COUNTS],
  "single-rows": [SINGLE_ROWS],
  frame: [OPENING, CLOSING],
  records: [COUNTER, DEBT, QUEUE, TWO_WINDOWS],
  stamps: [SORTED_SET, ROW],
  logs: [LOG, PLAIN_LOG, SMOOTHING, SENTINEL],
} as const;
export type ScriptFile = keyof typeof SCRIPT_TEXTS;

/** Changes a piece, to build a mutant: a script that is known to be wrong. */
export type Rewrite = (piece: string) => string;

export function scriptOf(pieces: number, rewrite: Rewrite = (piece) => piece): string {
  return textsOf(pieces)
    .map((piece) => rewrite(piece))
    .join("");
}

function textsOf(pieces: number): readonly string[] {
  if (pieces === ONLY_SINGLE_COUNTS) return [SINGLE_COUNTS];
  if (pieces === ONLY_SINGLE_ROWS) return [OPENING, ROW, SINGLE_ROWS, ANSWERING];
  if (pieces === COUNTS_ALONE) return [COUNTS];
  return [OPENING, ...PIECES.filter((_, place) => (pieces & (1 << place)) !== 0), CLOSING];
}
