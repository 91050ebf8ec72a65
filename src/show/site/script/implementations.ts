// The table of implementations with its filter. Without a script it is a table whose cells are links.
import { filterLimiters } from "../../page/script/limiters.ts";

const section = document.querySelector<HTMLElement>("[data-limiters]")!;
filterLimiters(section);

// Keeps a focused cell visible next to the row and column names, which stay while the table scrolls.
section.addEventListener("focusin", ({ target }) => {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>("td") : null;
  const grid = cell?.closest<HTMLElement>(".grid");
  if (cell === null || grid === null || grid === undefined) return;
  const name = cell.parentElement!.firstElementChild as HTMLElement;
  const hidden = name.getBoundingClientRect().right - cell.getBoundingClientRect().left;
  if (hidden > 0) grid.scrollLeft -= hidden;
});
