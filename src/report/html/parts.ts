// What every part of a page is made of. All of it is text, made alike where the page is written and where it is read.
import { escaped } from "./escaped.ts";

export const many = (count: number, what: string): string =>
  `${count.toLocaleString("en-US")} ${what}${count === 1 ? "" : "s"}`;

export const badge = (outcome: string): string =>
  `<span class="badge ${outcome}">${outcome}</span>`;

export const anchorOf = (id: string): string => `s-${id.replaceAll(/[^A-Za-z0-9-]/g, "-")}`;

/** Cells ready to stand in the page; a heading in front. */
export const table = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  name = "",
): string =>
  `<div class="scroll"><table${name === "" ? "" : ` class="${name}"`}><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join("")}</tr></thead>
<tbody>${rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`).join("\n")}</tbody></table></div>`;

const LONGEST_CELL = 240;

export const cell = (text: string): string =>
  escaped(text.length <= LONGEST_CELL ? text : `${text.slice(0, LONGEST_CELL - 1)}…`);
