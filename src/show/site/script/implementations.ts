// The table of implementations with its filter. Without a script it is a table whose cells are links.
import { filterLimiters } from "../../page/script/limiters.ts";

const section = document.querySelector<HTMLElement>("[data-limiters]")!;
filterLimiters(section);

// A cell that is reached by keyboard is not below the names of rows and columns, which stay while the table is scrolled.
section.addEventListener("focusin", ({ target }) => {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>("td") : null;
  const grid = cell?.closest<HTMLElement>(".grid");
  if (cell === null || grid === null || grid === undefined) return;
  const name = cell.parentElement!.firstElementChild as HTMLElement;
  const hidden = name.getBoundingClientRect().right - cell.getBoundingClientRect().left;
  if (hidden > 0) grid.scrollLeft -= hidden;
});
