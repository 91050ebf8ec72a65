// The tables about outliers: who they are, and what each candidate needs and refuses apart from them.
import { cut, oneLine, thousands } from "../../kit/reading/legible.ts";
import type { TableColumn } from "../../kit/reading/table.ts";
import { nameOf, rateText } from "./answered.ts";
import type { UnansweredRecommendation } from "./result.ts";

interface TitledTable {
  readonly title: string;
  readonly columns: readonly TableColumn[];
  readonly named: 1 | 2; // columns that name a row
}

type Facts = Pick<UnansweredRecommendation, "advice" | "candidates">;

/** None if no window has outliers. */
export const outlierTables = (facts: Facts): readonly TitledTable[] => [
  ...clientTable(facts),
  ...effectTable(facts),
];

/** What each candidate needs without the outliers, and what it refuses at the rate of the answer. */
function effectTable({ advice, candidates }: Facts): readonly TitledTable[] {
  const rows = advice.flatMap(({ outliers, atRate, limit }) =>
    outliers === null
      ? []
      : atRate.map((each) => ({ ...each, limit, own: candidates[each.candidate]! })),
  );
  if (rows.length === 0) return [];
  const numbers = (title: string, of: (row: (typeof rows)[number]) => string): TableColumn => ({
    title,
    cells: rows.map(of),
    isNumber: true,
  });
  return [
    {
      title:
        "smallest rates without these clients, and what the advised limit would refuse by each algorithm",
      columns: [
        numbers(
          "limit",
          ({ rateOfOthers, limit }) => `${rateText(rateOfOthers)}/${limit.split("/")[1]}`,
        ),
        { title: "by", cells: rows.map(({ own }) => nameOf(own)), isNumber: false },
        numbers("advised", ({ limit }) => limit),
        numbers("others", ({ refusedOfOthers }) => thousands(refusedOfOthers)),
        numbers("outliers", ({ refused, refusedOfOthers }) => thousands(refused - refusedOfOthers)),
      ],
      named: 2,
    },
  ];
}

/** Of a log with many clients, 1 % are too many to list. The document has all of them. */
const MOST_OUTLIERS_LISTED = 20;

/** The clients that alone raise the limit of the first window. */
function clientTable({ advice: [first] }: Facts): readonly TitledTable[] {
  if (first === undefined || first.outliers === null) return [];
  const { clients } = first.outliers;
  const listed = clients.slice(0, MOST_OUTLIERS_LISTED);
  const title = `clients without which ${first.limit} meets the target`;
  return [
    {
      title:
        listed.length === clients.length
          ? title
          : `${thousands(clients.length)} ${title}, and these are the ${listed.length} with the highest peaks`,
      columns: [
        {
          title: "client",
          cells: listed.map(({ client }) => cut(oneLine(client))),
          isNumber: false,
        },
        {
          title: "requests",
          cells: listed.map((each) => thousands(each.requests)),
          isNumber: true,
        },
        { title: "peak", cells: listed.map(({ peak }) => rateText(peak)), isNumber: true },
        {
          title: "refused",
          cells: listed.map((each) => thousands(each.refused)),
          isNumber: true,
        },
      ],
      named: 1,
    },
  ];
}
