import { declared } from "../figures/colours.ts";
import { FONT } from "../figures/font.ts";
import { DETAILS_STYLE } from "./details-style.ts";

/** The look of a page. Charts take their colours from here, so both schemes are one drawing. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --ink: #1c2430; --ink-soft: #5a6573; --line: #d9dee5;
  --on-bar: #ffffff;
  ${declared("light")}
  --pass: #1d7a3e; --fail: #b3261e; --doubt: #8a5a00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181f; --panel: #1c222b; --ink: #e6eaf0; --ink-soft: #9fabba; --line: #333c49;
    --on-bar: #10141a;
    ${declared("dark")}
    --pass: #66c98a; --fail: #ff8a80; --doubt: #e6b450;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 ${FONT}; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; }
h2 { font-size: 1.15rem; margin: 0; }
a { color: inherit; }
p { margin: .4rem 0; }
.soft { color: var(--ink-soft); }
.ids, code { font: .85em ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; }
section { margin-top: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.badge { display: inline-block; min-width: 5.2em; padding: 0 .5em; border: 1px solid currentColor; border-radius: 4px;
  font-size: .8rem; font-weight: 600; text-align: center; }
.pass { color: var(--pass); } .fail, .error { color: var(--fail); }
.vacuous, .inconclusive, .unsupported { color: var(--doubt); }
.head { display: flex; gap: .8rem; align-items: baseline; }
.head .badge { flex: none; }
figure { margin: .8rem 0 0; overflow-x: auto; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 1rem; color: var(--ink-soft); font-size: .85rem; margin-bottom: .3rem; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; vertical-align: -.05em; background: currentColor; border-radius: 2px; }
.key i:is(.line, .dashed, .dotted, .limit, .mark) { height: 0; width: 1.6em; vertical-align: .25em; background: none; border-radius: 0; border-top: 2px solid currentColor; }
.key i.dashed, .key i.limit { border-top-style: dashed; }
.key i.dotted { border-top-style: dotted; }
.key i.mark { width: 0; height: 1em; vertical-align: -.1em; border-top: 0; border-left: 2px dashed currentColor; }
.key i:is(.span, .broad) { width: 1.6em; opacity: .4; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 13.5rem), 1fr)); gap: 0 1rem; }
.figures > figure { grid-column: 1 / -1; min-width: 0; }
.figures > figure.small { grid-column: auto; display: grid; grid-row: span 2; grid-template-rows: subgrid; align-items: start; }
svg.marks { display: block; max-width: 100%; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-top: .8rem; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--ink-soft); }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { min-width: 5rem; overflow-wrap: anywhere; }
td:nth-child(2), td:nth-child(3), td:nth-child(4) { min-width: 9rem; }
summary { cursor: pointer; margin-top: .6rem; color: var(--ink-soft); }
@media print { section { break-inside: avoid; } }
${DETAILS_STYLE}`;
