// The report as the page's script unpacks it: without sentences that the page has as text, and with columns of lists
// in place of the names of their fields, because the page of the suite has a bound (decision 047).
import type { Report, ScenarioReport, VariantReport } from "../../lab/report/model.ts";
import type {
  FillersReport,
  RefusalReport,
  RefusedRequest,
} from "../../lab/report/model-refusals.ts";

type PackedFillers = readonly [
  flow: string,
  fromUs: number,
  toUs: number,
  count: number,
  what: FillersReport["what"],
];
type Explained = NonNullable<RefusedRequest["explained"]>;
/** Without the sentence: it differs from that of the entry's first request only in its times. */
type PackedRequest = readonly [
  row: number,
  request: string | null,
  atUs: number,
  explained:
    | readonly [agrees: Explained["agrees"], passesAtUs: number | null, missedByUs: number | null]
    | null,
];
type PackedRefusal = Omit<RefusalReport, "filledBy" | "cited" | "last"> & {
  readonly last: PackedRequest | null;
  readonly cited: readonly PackedRequest[];
  readonly filledBy: readonly PackedFillers[];
};

/** A report whose refusals have another form. */
type With<Refusal> = Omit<Report, "scenarios"> & {
  readonly scenarios: readonly (Omit<ScenarioReport, "variants"> & {
    readonly variants: readonly (Omit<VariantReport, "refusals"> & {
      readonly refusals: Omit<VariantReport["refusals"], "entries"> & {
        readonly entries: readonly Refusal[];
      };
    })[];
  })[];
};
export type PackedRun = With<PackedRefusal>;

export const packRun = (run: Report): PackedRun =>
  changeRefusals(
    { ...run, scenarios: run.scenarios.map((scenario) => ({ ...scenario, answer: undefined })) },
    ({ filledBy, last, cited, ...entry }): PackedRefusal => ({
      ...entry,
      last: last === null ? null : packRequest(last),
      cited: cited.map(packRequest),
      filledBy: filledBy.map(({ flow, fromUs, toUs, count, what }) => [
        flow,
        fromUs,
        toUs,
        count,
        what,
      ]),
    }),
  );

export const unpackRun = (run: PackedRun): Report =>
  changeRefusals(run, ({ filledBy, last, cited, ...entry }) => ({
    ...entry,
    last: last === null ? null : unpackRequest(last),
    cited: cited.map(unpackRequest),
    filledBy: filledBy.map(([flow, fromUs, toUs, count, what]) => ({
      flow,
      fromUs,
      toUs,
      count,
      what,
    })),
  }));

const packRequest = ({ row, request, atUs, explained }: RefusedRequest): PackedRequest => [
  row,
  request,
  atUs,
  explained === null ? null : [explained.agrees, explained.passesAtUs, explained.missedByUs],
];

function unpackRequest([row, request, atUs, explained]: PackedRequest): RefusedRequest {
  const [agrees, passesAtUs, missedByUs] = explained ?? ["open", null, null];
  return {
    row,
    request,
    atUs,
    explained: explained === null ? null : { agrees, text: "", passesAtUs, missedByUs },
  };
}

function changeRefusals<From, To>(run: With<From>, change: (entry: From) => To): With<To> {
  return {
    ...run,
    scenarios: run.scenarios.map((scenario) => ({
      ...scenario,
      variants: scenario.variants.map((variant) => ({
        ...variant,
        refusals: { ...variant.refusals, entries: variant.refusals.entries.map(change) },
      })),
    })),
  };
}
