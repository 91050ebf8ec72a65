// Cells of a matrix are reached by arrow keys, and are one stop of the tabulator, not a thousand.
import { hideTip, showTip } from "./notices.ts";

const STEPS: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

export function grid(scroller: HTMLElement): void {
  const rows = [...scroller.querySelectorAll<HTMLTableRowElement>("tbody tr")];
  const links = [...scroller.querySelectorAll("a")];
  for (const link of links.slice(1)) link.tabIndex = -1;
  const near = (link: HTMLElement): void => {
    const { right, bottom } = link.getBoundingClientRect();
    const heading = link.closest("tr")!.querySelector("th span")!.textContent;
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

/** The next cell that way that is not empty. */
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
