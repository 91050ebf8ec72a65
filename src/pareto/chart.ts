// Accuracy against cost, as Vega-Lite: a drawing for each fleet, made from the document alone.
import { standingsOf } from "./front.ts";
import type { ParetoResult } from "./result.ts";

export interface ParetoChart {
  readonly title: string;
  readonly spec: object; // the parts of its own: size, data, layers
}

const AXIS = { type: "quantitative", scale: { zero: true } } as const;

export const chartsOf = (result: ParetoResult): readonly ParetoChart[] =>
  standingsOf(result).map(({ gateways, standings }) => {
    const values = standings.map(({ algorithm, errors, metrics, isOnFront }) => ({
      algorithm,
      what: isOnFront ? "on the front" : "beaten",
      errors: errors.median,
      low: errors.low,
      high: errors.high,
      operations: metrics.operations.median,
    }));
    const x = { ...AXIS, field: "operations", title: "store operations per request" };
    const y = { ...AXIS, field: "errors", title: "wrong decisions, %" };
    const color = {
      field: "what",
      type: "nominal",
      scale: {
        domain: ["on the front", "beaten"],
        range: ["var(--admitted)", "var(--other)"],
      },
      legend: null,
    };
    return {
      title: `${gateways} ${gateways === 1 ? "gateway" : "gateways"}: wrong decisions against store operations; who is on the front is blue`,
      spec: {
        height: 320,
        data: { values },
        layer: [
          {
            mark: { type: "rule", strokeWidth: 1 },
            encoding: { x, y: { ...y, field: "low" }, y2: { field: "high" }, color },
          },
          { mark: { type: "point", filled: true, size: 60 }, encoding: { x, y, color } },
          {
            mark: { type: "text", align: "left", dx: 8, angle: -15, fontSize: 11 },
            encoding: { x, y, text: { field: "algorithm" }, color },
          },
        ],
      },
    };
  });
