// The closed vocabulary of expectations: one entry a word, which the decoder, the editors' schema and
// the documentation all read. A new word needs a checker too, and its tests.
import { COST_WORDS } from "./cost-words.ts";
import { DELIVERY_WORDS } from "./delivery-words.ts";
import type { FieldWord } from "../../../kit/reading/record.ts";
import { REQUEST_WORDS } from "./request-words.ts";
import { STATE_WORDS } from "./state-words.ts";
import type { Measure } from "../types.ts";

export const EXPECTATION_WORDS: readonly FieldWord<Measure>[] = [
  ...REQUEST_WORDS,
  ...STATE_WORDS,
  ...DELIVERY_WORDS,
  ...COST_WORDS,
];
