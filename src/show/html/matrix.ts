// Requirements by algorithm: the worst outcome in each cell, with a link to its evidence.
import { WORST_FIRST } from "../result-text.ts";
import type {
  Report,
  RequirementReport,
  ScenarioReport,
  VerdictReport,
} from "../../lab/report/model.ts";
import { hashOf, NOWHERE } from "./address.ts";
import { html, join, type Html } from "./html.ts";
import { anchorOf, formatCount, many, signOf } from "./parts.ts";

interface MatrixColumn {
  readonly driver: string;
  readonly algorithm: string; // "" if requests met no budget
}

/** The worst outcome, the number of variants with it, and the number of variants tested. */
interface CellEvidence {
  readonly outcome: VerdictReport["outcome"];
  readonly scenario: Pick<ScenarioReport, "id" | "file">;
  readonly variant: string;
  readonly line: number;
  readonly alike: number;
  readonly variants: number;
}

interface MatrixRow {
  readonly requirement: RequirementReport;
  readonly cells: readonly (CellEvidence | null)[]; // null if no expectation tests the requirement
}

interface Area {
  readonly name: string; // common prefix of the ids
  readonly rows: readonly MatrixRow[];
  readonly untested: readonly RequirementReport[];
}

export interface Matrix {
  readonly columns: readonly MatrixColumn[];
  readonly areas: readonly Area[];
}

const isWorse = (a: string, b: string): boolean =>
  WORST_FIRST.findIndex((each) => each === a) < WORST_FIRST.findIndex((each) => each === b);

export function matrixOf({ requirements, scenarios }: Report): Matrix {
  const columns = new Map<string, MatrixColumn>();
  const found = new Map<string, Map<string, CellEvidence>>(); // by requirement, then by column
  for (const { id, file, variants } of scenarios)
    for (const { name, driver, algorithms, verdicts } of variants) {
      const worst = worstOfEach(verdicts);
      for (const algorithm of algorithms.length === 0 ? [""] : algorithms) {
        const column = `${driver} ${algorithm}`;
        for (const [requirement, { outcome, line }] of worst) {
          columns.set(column, { driver, algorithm });
          let cells = found.get(requirement);
          if (cells === undefined) found.set(requirement, (cells = new Map()));
          const known = cells.get(column);
          const tested = (known?.variants ?? 0) + 1;
          cells.set(
            column,
            known === undefined || isWorse(outcome, known.outcome)
              ? { outcome, scenario: { id, file }, variant: name, line, alike: 1, variants: tested }
              : {
                  ...known,
                  alike: known.alike + Number(outcome === known.outcome),
                  variants: tested,
                },
          );
        }
      }
    }
  const ordered = [...columns].toSorted(([, a], [, b]) => inOrder(a, b));
  const areas = Map.groupBy(requirements, ({ id }) => id.split("-")[0]!);
  return {
    columns: ordered.map(([, column]) => column),
    areas: [...areas].map(([name, members]) => ({
      name,
      rows: members.flatMap((requirement) => {
        const cells = found.get(requirement.id);
        return cells === undefined
          ? []
          : [{ requirement, cells: ordered.map(([key]) => cells.get(key) ?? null) }];
      }),
      untested: members.filter(({ id }) => !found.has(id)),
    })),
  };
}

/** The worst verdict of a variant for each requirement. */
function worstOfEach(verdicts: readonly VerdictReport[]): ReadonlyMap<string, VerdictReport> {
  const worst = new Map<string, VerdictReport>();
  for (const verdict of verdicts)
    for (const requirement of verdict.proves) {
      const known = worst.get(requirement);
      if (known === undefined || isWorse(verdict.outcome, known.outcome))
        worst.set(requirement, verdict);
    }
  return worst;
}

/** Sorts columns by driver, then by algorithm; the column without a budget is the last of its driver. */
const inOrder = (a: MatrixColumn, b: MatrixColumn): number =>
  Number(a.driver > b.driver) - Number(a.driver < b.driver) ||
  Number(a.algorithm === "") - Number(b.algorithm === "") ||
  Number(a.algorithm > b.algorithm) - Number(a.algorithm < b.algorithm);

const NAMES: Readonly<Record<string, string>> = {
  LIM: "Limits",
  EPT: "Endpoints",
  ALG: "Algorithms",
  SMO: "Smoothing",
  HDR: "Headers",
  EVT: "Events",
  MGT: "Management",
};

export function matrixHtml(matrix: Matrix): Html {
  const tested = matrix.areas.flatMap(({ rows }) => rows);
  const all = tested.length + matrix.areas.flatMap(({ untested }) => untested).length;
  // The table is collapsed, because scenarios of users need not name requirements.
  if (tested.length === 0)
    return html`<section class="matrix" aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<details><summary>No expectation names a requirement of the specification</summary>
${join(
  matrix.areas.map((area) => areaHtml(area, matrix.columns)),
  "\n",
)}
</details></section>`;
  return html`<section class="matrix" aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<p class="soft">${formatCount(tested.length)} of ${many(all, "requirement")} were tested. A cell has the worst outcome with that algorithm and the number of variants with it, and links to the first of them. It is empty where no expectation tests the requirement.</p>
${join(
  matrix.areas.map((area) => areaHtml(area, matrix.columns)),
  "\n",
)}
</section>`;
}

const worstOf = ({ cells }: MatrixRow): string => {
  const outcomes: string[] = cells.flatMap((each) => (each === null ? [] : [each.outcome]));
  return WORST_FIRST.find((each) => outcomes.includes(each)) ?? "pass";
};

const FEW_UNASKED = 8;

function areaHtml(area: Area, columns: readonly MatrixColumn[]): Html {
  const { name, rows, untested } = area;
  const outcomes = Map.groupBy(rows, worstOf);
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = outcomes.get(outcome)?.length ?? 0;
    return count === 0
      ? []
      : [html`<span class="${outcome}">${signOf(outcome)} ${formatCount(count)} ${outcome}</span>`];
  });
  const strip = rows.map((row) => html`<i class="${worstOf(row)}">${signOf(worstOf(row))}</i>`);
  const isOpen = rows.some((row) => worstOf(row) !== "pass");
  return html`<details class="area" id="r-${name}"${isOpen ? " open" : ""}><summary><b>${name}</b> ${NAMES[name] ?? ""} <span class="soft">${many(rows.length + untested.length, "requirement")}</span> <span class="counts">${join(counts, " ")}</span><span class="strip" aria-hidden="true">${strip}</span></summary>
${rows.length === 0 ? null : gridHtml(area, columns)}
${
  untested.length === 0
    ? null
    : html`<details class="untested"${untested.length <= FEW_UNASKED ? " open" : ""}><summary>Not tested: ${formatCount(untested.length)}</summary><p class="soft">${join(
        untested.map(({ id, text }) => html`<span id="r-${id}" title="${text}">${id}</span>`),
        ", ",
      )}</p></details>`
}
</details>`;
}

/** Omits columns that have no cell in this area. */
function gridHtml({ name, rows }: Area, columns: readonly MatrixColumn[]): Html {
  const shown = columns.flatMap((column, at) =>
    rows.some(({ cells }) => cells[at] !== null) ? [{ column, at }] : [],
  );
  const areSeveral = new Set(columns.map(({ driver }) => driver)).size > 1;
  const heads = shown.map(
    ({ column: { driver, algorithm } }) =>
      html`<th scope="col">${algorithm === "" ? "no limit met" : join(algorithm.split("_"), html`_<wbr>`)}${areSeveral ? html`<small>${driver}</small>` : null}</th>`,
  );
  const body = rows.map(
    ({ requirement: { id, tier, text }, cells }) =>
      html`<tr><th scope="row" id="r-${id}"><b>${id}</b> <small class="tier">${tier}</small> <span>${text}</span></th>${shown.map(
        ({ column, at }) => cellHtml(id, column, cells[at]!),
      )}</tr>`,
  );
  return html`<div class="scroll grid" tabindex="0" role="region" aria-label="${name}, by algorithm"><table><thead><tr><th scope="col">requirement</th>${heads}</tr></thead><tbody>
${join(body, "\n")}
</tbody></table></div>`;
}

const HAPPENS: Readonly<Record<VerdictReport["outcome"], readonly [one: string, more: string]>> = {
  fail: ["fails", "fail"],
  error: ["has an error", "have an error"],
  vacuous: ["is vacuous", "are vacuous"],
  inconclusive: ["is inconclusive", "are inconclusive"],
  pass: ["passes", "pass"],
};

/** Shows how many variants have the worst outcome: one failure among many passes must not look like many. */
function cellHtml(id: string, { algorithm }: MatrixColumn, found: CellEvidence | null): Html {
  if (found === null) return html`<td></td>`;
  const { outcome, scenario, variant, line, alike, variants } = found;
  const to = hashOf({ ...NOWHERE, anchor: anchorOf(scenario), variant, line });
  const some = outcome === "pass" ? "" : `${formatCount(alike)} of `;
  const label = `${id}, ${algorithm === "" ? "no limit met" : algorithm}: ${some}${many(variants, "variant")} ${HAPPENS[outcome][alike === 1 ? 0 : 1]}; links to ${alike === 1 ? "it" : "the first"}, in ${scenario.id}`;
  return html`<td><a class="${outcome}" href="${to}" aria-label="${label}">${signOf(outcome)}<small>${some}${formatCount(variants)}</small></a></td>`;
}
