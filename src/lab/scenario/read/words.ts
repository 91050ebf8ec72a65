// The closed vocabulary of expectations, one entry for each word. The decoder, the editors' schema and the
// documentation all read it. A new word also needs a checker and tests.
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
