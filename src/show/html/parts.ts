// What every part of a page is made of. All of it is text, made alike where the page is written and where it is read.
import { plural } from "../../kit/reading/legible.ts";
import type { ScenarioReport } from "../../lab/report/model.ts";
import { html, join, type Html, type Insertable } from "./html.ts";

export const formatCount = (count: number): string => count.toLocaleString("en-US");

/** Only what is nothing or all of it is `0 %` or `100 %`. */
export function shareOf(count: number, of: number): string {
  if (count === 0) return "0 %";
  if (count === of) return "100 %";
  const text = ((100 * count) / of).toFixed(1);
  return { "0.0": "<0.1 %", "100.0": ">99.9 %" }[text] ?? `${text} %`;
}

/** Of nothing there is no share. */
export const countWithShare = (count: number, of: number): string =>
  of === 0 ? formatCount(count) : `${formatCount(count)} (${shareOf(count, of)})`;

export const many = (count: number, one: string, several?: string): string =>
  `${formatCount(count)} ${plural(count, one, several)}`;

/** A sign in addition to the colour, for readers who do not see it. */
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

/** Behind a line that is to be run: its script copies the element before it. */
export const COPY = html` <button type="button" class="live" data-copy>Copy</button>`;

/** Two files may have one id, as in two trees of scenarios: a file whose path does not match its id gets an anchor from the path. */
export const anchorOf = ({ id, file }: Pick<ScenarioReport, "id" | "file">): string =>
  `s-${inAnchor(file === `scenarios/${id}.yaml` ? id : file)}`;

/** No two texts become one: an anchor has letters, digits, "-", "_" for "/", and any other sign by its number. */
const inAnchor = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9-]/gu, (sign) =>
    sign === "/" ? "_" : `.${sign.codePointAt(0)!.toString(16)}.`,
  );

/** Scenarios lie in folders by subject. */
export const folderOf = (id: string): string =>
  id.slice(0, Math.max(0, id.lastIndexOf("/"))) || "(no folder)";

/** One heading for each column. */
export const table = (
  heads: readonly Insertable[],
  rows: readonly (readonly Insertable[])[],
  name = "",
): Html =>
  html`<div class="scroll" tabindex="0"><table${name === "" ? null : html` class="${name}"`}><thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${join(
    // A cell and a row end where the next one begins: their end tags would be 60 kB of the page of the suite.
    rows.map((row) => html`<tr>${row.map((each) => html`<td>${each}`)}`),
    "\n",
  )}</tbody></table></div>`;

const LONGEST_CELL = 240;

export const cell = (text: string): string =>
  text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`;
