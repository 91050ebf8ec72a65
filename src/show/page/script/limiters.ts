// Filters the table of foreign limiters and its evidence, and opens the evidence that a cell links to.
import { many } from "../../html/parts.ts";

const FIELDS = ["group", "clock", "verdict", "behaviour"] as const;
type Wanted = Readonly<Record<(typeof FIELDS)[number], string>>;

const matches = (wanted: string, value: string | undefined): boolean =>
  wanted === "" || wanted === value;

export function filterLimiters(section: HTMLElement): void {
  const form = section.querySelector<HTMLFormElement>("form")!;
  const clear = form.querySelector<HTMLButtonElement>("[type=reset]")!;
  const hits = form.querySelector("output")!;
  const all = (selector: string, within: Element = section): readonly HTMLElement[] => [
    ...within.querySelectorAll<HTMLElement>(selector),
  ];
  const rows = all("tr[data-limiter]");
  const details = all(".limiter");

  /** Whether a limiter is shown: it needs the wanted kind and clock, and a cell with the wanted verdict. */
  const isWanted = (limiter: HTMLElement, wanted: Wanted): boolean =>
    matches(wanted.group, limiter.dataset["group"]) &&
    matches(wanted.clock, limiter.dataset["clock"]) &&
    all("[data-verdict]", limiter).some((cell) => isWantedCell(cell, wanted));

  const filter = (wanted: Wanted): void => {
    for (const limiter of [...rows, ...details]) limiter.hidden = !isWanted(limiter, wanted);
    for (const group of all("tbody"))
      group.hidden = all("tr[data-limiter]", group).every((row) => row.hidden);
    for (const each of all("th[data-behaviour], td[data-behaviour]"))
      each.hidden = !matches(wanted.behaviour, each.dataset["behaviour"]);
    for (const cell of all("td[data-verdict]"))
      cell.classList.toggle("other", !matches(wanted.verdict, cell.dataset["verdict"]));
    for (const cell of all(".cell")) cell.hidden = !isWantedCell(cell, wanted);
    const shown = rows.filter((row) => !row.hidden).length;
    const isAny = FIELDS.every((name) => wanted[name] === "");
    hits.textContent = isAny
      ? many(rows.length, "implementation")
      : `${shown} of ${many(rows.length, "implementation")}`;
    clear.hidden = isAny;
  };
  const readWanted = (): Wanted =>
    Object.fromEntries(
      FIELDS.map((name) => [name, (form.elements.namedItem(name) as HTMLSelectElement).value]),
    ) as unknown as Wanted;
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("change", () => filter(readWanted()));
  form.addEventListener("reset", () => setTimeout(() => filter(readWanted()))); // runs after the fields have been reset
  const open = (): void => {
    const cell = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (cell === null || !cell.classList.contains("cell")) return;
    cell.closest("details")!.open = true;
    cell.scrollIntoView();
    cell.focus({ preventScroll: true });
  };
  addEventListener("hashchange", open);
  open();
}

const isWantedCell = ({ dataset }: HTMLElement, { verdict, behaviour }: Wanted): boolean =>
  matches(verdict, dataset["verdict"]) && matches(behaviour, dataset["behaviour"]);
