// Rows of the table of variants, by the column whose head is clicked: the largest first, then the smallest.

export function sortOnClick(around: Document | HTMLElement): void {
  around.addEventListener("click", ({ target }) => {
    const head = target instanceof Element ? target.closest(".sort")?.closest("th") : null;
    if (head) sortBy(head);
  });
}

function sortBy(head: HTMLTableCellElement): void {
  const isDescending = head.getAttribute("aria-sort") !== "descending";
  const body = head.closest("table")!.tBodies[0]!;
  const valueOf = (row: HTMLTableRowElement): string => row.cells[head.cellIndex]!.textContent;
  const rows = [...body.rows].toSorted((a, b) => compare(valueOf(a), valueOf(b)));
  body.append(...(isDescending ? rows.toReversed() : rows));
  for (const other of head.parentElement!.children) other.removeAttribute("aria-sort");
  head.setAttribute("aria-sort", isDescending ? "descending" : "ascending");
}

/** A count before its share, or a name. */
const numberOf = (text: string): number => Number.parseFloat(text.replaceAll(",", ""));

function compare(a: string, b: string): number {
  const [first, second] = [numberOf(a), numberOf(b)];
  const difference = first - second;
  return Number.isNaN(difference) ? a.localeCompare(b) : difference;
}
