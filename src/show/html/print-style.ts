/**
 * The style on paper, in light colours. Only scenarios that do not pass show their world and traffic; all others are
 * one line. Browsers omit backgrounds by default; elements whose colour has a meaning keep theirs.
 */
export const PRINT_STYLE = `
/* The widths of print, for the time before printing when the script draws the charts. */
.paper body { width: 48rem; } .paper .overview { display: none; } .paper .run { display: block; }
.paper .figures { gap: 0 .8rem; } .paper .figures > figure { flex-basis: 100%; min-width: 0; } .paper .figures > figure.small { flex-basis: 30%; }
@media print {
  :root { color-scheme: light; }
  .overview, .filter, .sorts, #scheme, button, .tools, .skip, details.file:not([open]), details.inside:not([open]), .numbers:not([open]) { display: none !important; }
  .run { display: block; } .figures { gap: 0 .8rem; } .figures > figure { flex-basis: 100%; min-width: 0; } .figures > figure.small { flex-basis: 30%; }
  .scenario { content-visibility: visible; }
  .grid, .grid.marks, .scroll, .list, .variants .cards, .cell pre { max-height: none; overflow: visible; } .scroll td { white-space: normal; } .grid th, .grid thead th { position: static; }
  .grid.marks thead th:not(:first-child), .grid.marks td { width: 1.4rem; min-width: 0; } .grid.marks tbody th { max-width: 10rem; overflow-wrap: anywhere; }
  .key i, .strip i, .grid td a, .requests i, mark { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  h1, h2, h3, h4, summary, .scenario > :is(.head, p), figcaption { break-after: avoid; }
  table.amounts :is(th, td) { min-width: 0; padding-right: .3rem; font-size: .65rem; white-space: normal; overflow-wrap: normal; }
  svg.marks { max-width: 100%; height: auto; } .drawing { height: auto !important; } /* it was drawn as wide as the window */
  tr, figure, .head, .verdict, summary, .facts > * { break-inside: avoid; }
  .scenario:has(.head .badge:not(.pass)) .words::details-content { display: block; content-visibility: visible; }
}
`;
