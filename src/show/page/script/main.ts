// The script of a page. It draws visible charts and opens details, from documents packed into the page, and sends no
// requests.
import type { Templates } from "../../figures/templates.ts";
import type { Packed } from "../../html/page.ts";
import { unpackColumn, type PackedColumn } from "../../html/columns.ts";
import { numbersHtml } from "../../html/numbers.ts";
import { figureNamed } from "../../html/scenario.ts";
import type { Figure } from "../../figures/drawable-of.ts";
import { browse } from "./browse.ts";
import { charts, nameOfFigure } from "./charts.ts";
import { copying } from "./copying.ts";
import { filterLimiters } from "./limiters.ts";
import { appendTo } from "./insert.ts";
import { followLimits } from "./limit.ts";
import { openRefusals } from "./refusals.ts";
import { scheme } from "./scheme.ts";
import { showNotice, hideTip, showTip } from "./notices.ts";

const textOf = (id: string): string => document.getElementById(id)!.textContent;

function begin({ run, figures }: Packed): void {
  const figureOf = (name: string): Figure | undefined =>
    figures[name] ?? (run === null ? undefined : figureNamed(run, name));
  const drawing = charts(figureOf, JSON.parse(textOf("templates")) as Templates);
  document.addEventListener(
    "toggle",
    ({ target }) => {
      if (!(target instanceof HTMLDetailsElement) || target.childElementCount > 1) return;
      const figure = figureOf(nameOfFigure(target));
      if (figure !== undefined) appendTo(target, numbersHtml(figure));
    },
    true,
  );
  followLimits(figureOf);
  drawing.lookAt(document);
  if (run !== null) browse(run, drawing, openRefusals(run, drawing.lookAt));
}

async function read(): Promise<Packed | null> {
  try {
    return await unpack(textOf("packed"));
  } catch {
    // The browser's own message ("Failed to fetch") would only mislead.
    document.documentElement.dataset["unreadable"] = "";
    showNotice(
      "The data of this page cannot be read: the file is damaged or incomplete. Charts are missing, and search and selection do not work.",
    );
    return null;
  }
}

/** Unpacks the documents of the page; throws if the page was damaged. */
async function unpack(base64: string): Promise<Packed> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index++) bytes[index] = text.charCodeAt(index);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const column = (await new Response(stream).json()) as PackedColumn;
  return unpackColumn(column)[0] as Packed;
}

scheme();
copying();
for (const scroller of document.querySelectorAll<HTMLElement>(".grid")) grid(scroller);
for (const section of document.querySelectorAll<HTMLElement>("[data-limiters]"))
  filterLimiters(section);
const packed = await read();
if (packed !== null) begin(packed);
document.getElementById("unfinished")!.remove();

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

function grid(scroller: HTMLElement): void {
  const rows = [...scroller.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  const links = [...scroller.querySelectorAll("a")];
  for (const link of links.slice(1)) link.tabIndex = -1;
  const near = (link: HTMLElement): void => {
    const { right, bottom } = link.getBoundingClientRect();
    const row = link.closest("tr")!.querySelector("th")!;
    const heading = row.querySelector("span")?.textContent ?? row.title;
    showTip(`${link.getAttribute("aria-label")}\n${heading}`, right - 14, bottom - 10);
  };
  scroller.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    const link = (event.target as Element).closest("a");
    if (step === undefined || link === null) return;
    event.preventDefault();
    const next = after(rows, link, step);
    if (next === null) return;
    link.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  });
  const showHeading = ({ target }: Event): void => {
    const link = (target as Element).closest("a");
    if (link === null) hideTip();
    else near(link);
  };
  scroller.addEventListener("focusin", showHeading);
  scroller.addEventListener("pointerover", showHeading);
  scroller.addEventListener("focusout", hideTip);
  scroller.addEventListener("pointerleave", hideTip);
  scroller.addEventListener("scroll", hideTip, { passive: true });
}

/** The next non-empty cell in that direction. */
function after(
  rows: readonly HTMLTableRowElement[],
  link: HTMLElement,
  [down, right]: readonly [number, number],
): HTMLElement | null {
  const cell = link.closest("td")!;
  let row = rows.indexOf(link.closest("tr")!) + down;
  let column = cell.cellIndex + right;
  while (row >= 0 && row < rows.length && column > 0 && column < rows[row]!.cells.length) {
    const next = rows[row]!.cells[column]!.querySelector("a");
    if (next !== null) return next;
    row += down;
    column += right;
  }
  return null;
}
