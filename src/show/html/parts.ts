// The building blocks of all parts of a page. The build and the page's script render them in the same way.
import { plural } from "../../kit/reading/legible.ts";
import type { ScenarioReport } from "../../lab/report/model.ts";
import { html, join, type Html, type Insertable } from "./html.ts";

export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** A share in percent. "0 %" means exactly none and "100 %" exactly all: no other share is rounded to them. */
export function shareOf(count: number, of: number): string {
  if (count === 0) return "0 %";
  if (count === of) return "100 %";
  const text = ((100 * count) / of).toFixed(1);
  return { "0.0": "<0.1 %", "100.0": ">99.9 %" }[text] ?? `${text} %`;
}

/** A count with its share of the total, such as "3 (12 %)"; without the share if the total is 0. */
export const countWithShare = (count: number, of: number): string =>
  of === 0 ? formatCount(count) : `${formatCount(count)} (${shareOf(count, of)})`;

export const many = (count: number, one: string, several?: string): string =>
  `${formatCount(count)} ${plural(count, one, several)}`;

/** The sign of each outcome, for readers who cannot see its colour. */
const SIGNS: Readonly<Record<string, string>> = {
  fail: "✕",
  error: "!",
  vacuous: "∅",
  inconclusive: "?",
  unsupported: "–",
  pass: "✓",
};

export const signOf = (outcome: string): string => SIGNS[outcome] ?? "·";

export const badge = (outcome: string): Html =>
  html`<span class="badge ${outcome}"><i aria-hidden="true">${signOf(outcome)}</i>${outcome}</span>`;

/** A button after a command. The page's script copies the element before the button. */
export const COPY = html` <button type="button" class="live" data-copy>Copy</button>`;

/** The scenario's anchor, from its id; from its path if the path differs, because two files may share an id. */
export const anchorOf = ({ id, file }: Pick<ScenarioReport, "id" | "file">): string =>
  `s-${inAnchor(file === `scenarios/${id}.yaml` ? id : file)}`;

/** Keeps letters, digits and "-"; replaces "/" by "_" and others by their code, so that no two texts are equal. */
const inAnchor = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9-]/gu, (sign) =>
    sign === "/" ? "_" : `.${sign.codePointAt(0)!.toString(16)}.`,
  );

/** The folder of a scenario, which groups scenarios by subject. */
export const folderOf = (id: string): string =>
  id.slice(0, Math.max(0, id.lastIndexOf("/"))) || "(no folder)";

/** `heads` has one heading for each column. */
export const table = (
  heads: readonly Insertable[],
  rows: readonly (readonly Insertable[])[],
  name = "",
): Html =>
  html`<div class="scroll" tabindex="0"><table${name === "" ? null : html` class="${name}"`}><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${join(
    // End tags of cells and rows are omitted: they would add 60 kB to the page of the suite.
    rows.map((row) => html`<tr>${row.map((each) => html`<td>${each}`)}`),
    "\n",
  )}</tbody></table></div>`;

const LONGEST_CELL = 240;

export const cell = (text: string): string =>
  text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
