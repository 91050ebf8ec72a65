// Shows how the clients of each candidate are served: the distribution, and the clients that were served least.
import { percent, thousands } from "../../kit/reading/legible.ts";
import type { MeasuredSection } from "../../lab/report/measured.ts";
import type { UnansweredTry, TryRow } from "./result.ts";
import { countDrawn, durationText, nameOfTried } from "./text.ts";

type Quantiles = TryRow["perClient"]["distribution"]["requests"];

const SHOWN = [
  "least",
  "p10",
  "median",
  "p90",
  "most",
] as const satisfies readonly (keyof Quantiles)[];

const MEASURES = [
  { of: "servedShare", title: "served share", text: percent },
  { of: "successUs", title: "time to success", text: durationText },
  { of: "attempts", title: "attempts", text: thousands },
  { of: "gaveUp", title: "gave up", text: thousands },
] as const;

export const clientsSection = (result: UnansweredTry): MeasuredSection => ({
  title: "Clients",
  notes: [
    ...(countDrawn(result) === 1 ? [] : [`The clients of the draw of seed ${result.seed}.`]),
    "Each row is a figure of all clients: a tenth of them has at most the value of p10, and half at most the median. The time to success of a client is the median of its requests.",
  ],
  figures: [],
  tables: [
    {
      heads: ["candidate", "of each client", ...SHOWN],
      rows: result.candidates.flatMap((row) =>
        MEASURES.map(({ of, title, text }) => [
          nameOfTried(row, result),
          title,
          ...SHOWN.map((at) => valueText(row.perClient.distribution[of][at], text)),
        ]),
      ),
      folded: null,
      names: 2,
    },
    {
      heads: [
        "candidate",
        "client",
        "requests",
        "attempts",
        "admitted",
        "gave up",
        "served share",
        "time to success",
      ],
      rows: result.candidates.flatMap((row) =>
        row.perClient.worst.map((one) => [
          nameOfTried(row, result),
          String(one.client),
          ...[one.requests, one.attempts, one.admitted, one.gaveUp].map(thousands),
          percent(one.servedShare),
          durationText(one.successUs),
        ]),
      ),
      folded: "The clients with the smallest served share, at most 20 of each candidate",
      names: 2,
    },
  ],
});

const valueText = (value: number | null, text: (value: number) => string): string =>
  value === null ? "never" : text(value);
