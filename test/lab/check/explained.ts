// Explanations of rows of small histories, as tests write them.
import { explain, type Explanation } from "#src/lab/check/explain.ts";
import type { GatewayOptions } from "#src/limiter/core/config.ts";
import { limitOf } from "#src/limiter/core/limit.ts";
import { historyOf, type HistoryText } from "../../histories/history.ts";
import { key, type VariantText, type WorldText } from "../../histories/world.ts";
import { oracleWorld } from "../oracle/evaluate.ts";

export const explainRow = (world: VariantText, history: HistoryText, row: number): Explanation =>
  explain(historyOf(history), oracleWorld(world), row);
export const under = (
  algorithm: GatewayOptions["algorithm"],
  rate: number,
  per: number,
): WorldText => ({
  keys: [key("alice", { limit: limitOf(rate, per) })],
  options: { algorithm },
});
export const fillersText = ({ filledBy: fillers }: Explanation): string =>
  fillers.map(({ row, refused }) => `${row}${refused ? " refused" : ""}`).join(", ");
