// Which requirement was asked of which algorithm, and what came of it: the worst that was found, with the way to it.
import { WORST_FIRST } from "../result-text.ts";
import type { Report, RequirementReport, ScenarioReport, VerdictReport } from "../model.ts";
import { hashOf, NOWHERE } from "./address.ts";
import { html, join, type Html } from "./html.ts";
import { anchorOf, counted, many, signOf } from "./parts.ts";

export interface Column {
  readonly driver: string;
  readonly algorithm: string; // "": requests met no budget
}

/** What was found where it was worst, in how many variants, and how many were asked. */
export interface Evidence {
  readonly outcome: VerdictReport["outcome"];
  readonly scenario: Pick<ScenarioReport, "id" | "file">;
  readonly variant: string;
  readonly line: number;
  readonly alike: number;
  readonly variants: number;
}

export interface MatrixRow {
  readonly requirement: RequirementReport;
  readonly cells: readonly (Evidence | null)[]; // null: it was not asked
}

export interface Area {
  readonly name: string; // what the ids begin with
  readonly rows: readonly MatrixRow[];
  readonly unasked: readonly RequirementReport[];
}

export interface Matrix {
  readonly columns: readonly Column[];
  readonly areas: readonly Area[];
}

const isWorse = (a: string, b: string): boolean =>
  WORST_FIRST.findIndex((each) => each === a) < WORST_FIRST.findIndex((each) => each === b);

export function matrixOf({ requirements, scenarios }: Report): Matrix {
  const columns = new Map<string, Column>();
  const found = new Map<string, Map<string, Evidence>>(); // by requirement, by column
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
          const asked = (known?.variants ?? 0) + 1;
          cells.set(
            column,
            known === undefined || isWorse(outcome, known.outcome)
              ? { outcome, scenario: { id, file }, variant: name, line, alike: 1, variants: asked }
              : {
                  ...known,
                  alike: known.alike + Number(outcome === known.outcome),
                  variants: asked,
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
      unasked: members.filter(({ id }) => !found.has(id)),
    })),
  };
}

/** By requirement: what one variant says of it. */
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

/** By driver, then by name; whatever met no budget comes last. */
const inOrder = (a: Column, b: Column): number =>
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
  const asked = matrix.areas.flatMap(({ rows }) => rows);
  const all = asked.length + matrix.areas.flatMap(({ unasked }) => unasked).length;
  // Whoever tests limits of his own asked for none of them.
  if (asked.length === 0)
    return html`<section class="matrix" aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<details><summary>No expectation names a requirement of the specification</summary>
${join(
  matrix.areas.map((area) => areaHtml(area, matrix.columns)),
  "\n",
)}
</details></section>`;
  return html`<section class="matrix" aria-labelledby="requirements"><h2 id="requirements">Requirements</h2>
<p class="soft">${counted(asked.length)} of ${many(all, "requirement")} were asked. A cell is the worst that was found with that algorithm, and in how many variants; it leads to the first of them. Where nothing was asked it is empty.</p>
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

function areaHtml(area: Area, columns: readonly Column[]): Html {
  const { name, rows, unasked } = area;
  const outcomes = Map.groupBy(rows, worstOf);
  const counts = WORST_FIRST.flatMap((outcome) => {
    const count = outcomes.get(outcome)?.length ?? 0;
    return count === 0
      ? []
      : [html`<span class="${outcome}">${signOf(outcome)} ${counted(count)} ${outcome}</span>`];
  });
  const strip = rows.map((row) => html`<i class="${worstOf(row)}">${signOf(worstOf(row))}</i>`);
  const isOpen = rows.some((row) => worstOf(row) !== "pass");
  return html`<details class="area" id="r-${name}"${isOpen ? " open" : ""}><summary><b>${name}</b> ${NAMES[name] ?? ""} <span class="soft">${many(rows.length + unasked.length, "requirement")}</span> <span class="counts">${join(counts, " ")}</span><span class="strip" aria-hidden="true">${strip}</span></summary>
${rows.length === 0 ? null : gridHtml(area, columns)}
${
  unasked.length === 0
    ? null
    : html`<details class="unasked"${unasked.length <= FEW_UNASKED ? " open" : ""}><summary>Not asked: ${counted(unasked.length)}</summary><p class="soft">${join(
        unasked.map(({ id, text }) => html`<span id="r-${id}" title="${text}">${id}</span>`),
        ", ",
      )}</p></details>`
}
</details>`;
}

/** Columns without a cell in this area are left out: what is not asked needs no room. */
function gridHtml({ name, rows }: Area, columns: readonly Column[]): Html {
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

/** One that fails among many that pass is no cell of failures. */
function cellHtml(id: string, { algorithm }: Column, found: Evidence | null): Html {
  if (found === null) return html`<td></td>`;
  const { outcome, scenario, variant, line, alike, variants } = found;
  const to = hashOf({ ...NOWHERE, anchor: anchorOf(scenario), variant, line });
  const some = outcome === "pass" ? "" : `${counted(alike)} of `;
  const said = `${id}, ${algorithm === "" ? "no limit met" : algorithm}: ${some}${many(variants, "variant")} ${HAPPENS[outcome][alike === 1 ? 0 : 1]}; leads to ${alike === 1 ? "it" : "the first"}, in ${scenario.id}`;
  return html`<td><a class="${outcome}" href="${to}" aria-label="${said}">${signOf(outcome)}<small>${some}${counted(variants)}</small></a></td>`;
}
