import { declarationsOf } from "../figures/colours.ts";
import { FONT } from "../figures/spec.ts";
import { DETAILS_STYLE } from "./details-style.ts";
import { FIRST_SCREEN_STYLE } from "./first-screen-style.ts";
import { LIMITERS_STYLE } from "./limiters-style.ts";
import { PRINT_STYLE } from "./print-style.ts";

export const LIGHT = `--page: #ffffff; --panel: #f6f7f9; --ink: #1c2430; --ink-soft: #566170; --line: #d9dee5; --on-bar: #ffffff;
  --focus: #1a5fb4; --marked: #fff3c4; --pass: #0f6e5c; --fail: #b3261e; --doubt: #7d5200; ${declarationsOf("light")}`;
export const DARK = `--page: #12161c; --panel: #1a2029; --ink: #e6eaf0; --ink-soft: #a3aebc; --line: #333c49; --on-bar: #10141a;
  --focus: #8ec3ff; --marked: #3d3413; --pass: #5cc9b0; --fail: #ff8a80; --doubt: #e6b450; ${declarationsOf("dark")}`;

/** The style of documents of measurements, in the colours of the page. */
const MEASURED_STYLE = `
.part + .part { margin-top: 3rem; border-top: 3px solid var(--line); padding-top: 1rem; }
.measured { margin-top: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.measured h2 { margin-top: 0; } .answer { margin: .35rem 0; max-width: 90ch; }
.doubts { border: 2px solid var(--doubt); } .doubts h2 { color: var(--doubt); } .doubts ul { margin: .4rem 0 0; padding-left: 1.2rem; }
.amounts th, .amounts td { min-width: 0; white-space: nowrap; text-align: right; padding-right: .5rem; font-size: .85rem; font-variant-numeric: tabular-nums; }
.amounts td small { color: var(--ink-soft); } .amounts thead th { white-space: normal; vertical-align: bottom; }
.amounts th:first-child, .amounts td:first-child { text-align: left; }
.amounts.two-names th:nth-child(2), .amounts.two-names td:nth-child(2) { text-align: left; }
.amounts.three-names th:nth-child(3), .amounts.three-names td:nth-child(3) { text-align: left; }
.circumstances td:first-child { min-width: 5rem; color: var(--ink-soft); overflow-wrap: normal; } .circumstances td { overflow-wrap: anywhere; }
.limit { margin-top: .6rem; } .limit input { width: 9rem; } .limit .still { display: none; }
.handle { position: absolute; top: 0; bottom: 0; width: 2rem; margin-left: -1rem; cursor: ew-resize; touch-action: none; }
@media (scripting: none) { .limit .still { display: inline; } }
@media (max-width: 40rem) { .measured { padding: .7rem; } }
/* On a narrow page each table row becomes lines: one with its names, then lines with four numbers each. */
@media (max-width: 34rem) {
  .two-names:not(.three-names), .two-names:not(.three-names) :is(thead, tbody) { display: block; }
  .two-names:not(.three-names) tr { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); border-bottom: 1px solid var(--line); padding: .3rem 0; }
  .two-names:not(.three-names) :is(th, td) { border: 0; padding: .1rem .3rem .1rem 0; white-space: normal; overflow-wrap: anywhere; font-size: .85rem; }
  .two-names:not(.three-names) th { font-size: .72rem; }
  .two-names:not(.three-names) :is(th, td):nth-child(2) { grid-column: 2 / -1; }
}
`;

/** The style of a page. Its variables colour the charts, so one chart serves both schemes. */
export const STYLE = `
:root { color-scheme: light dark; --mono: ui-monospace, "Cascadia Mono", "DejaVu Sans Mono", monospace; ${LIGHT} }
@media screen and (prefers-color-scheme: dark) { :root:not([data-scheme=light]) { ${DARK} } }
@media screen { :root[data-scheme=dark] { color-scheme: dark; ${DARK} } }
:root[data-scheme=light] { color-scheme: light; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
@media (scripting: none) { .live, figure:has(> .drawing:empty) { display: none !important; } }
:root[data-unreadable] :is(.live, figure:has(> .drawing:empty)) { display: none !important; }
html { scroll-padding-top: 1rem; overflow-wrap: anywhere; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 ${FONT}; }
main, body > header, body > footer { max-width: 150rem; margin: 0 auto; padding: 0 clamp(.8rem, 2vw, 2rem); }
main { padding-top: 1.2rem; outline: none; }
body > footer { padding-block: 2rem; }
h1 { font-size: clamp(1.35rem, 1rem + 1.6vw, 2.1rem); line-height: 1.2; margin: 0 3.5rem .4rem 0; font-weight: 650; letter-spacing: -.01em; }
h2 { font-size: 1.2rem; margin: 0 0 .3rem; }
h3 { font-size: 1.05rem; margin: 0; }
h4 { font-size: .95rem; margin: 1rem 0 .2rem; }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
p { margin: .4rem 0; }
a, code, span, b { unicode-bidi: isolate; } /* a name that turns the writing around turns no more than itself */
code, .ids { font: .87em var(--mono); }
small { font-size: .8em; font-weight: normal; }
summary { cursor: pointer; color: var(--ink-soft); width: fit-content; padding: .15rem 0; }
summary:hover { color: var(--ink); }
button, select, input { font: inherit; font-size: .87rem; color: inherit; background: var(--page); border: 1px solid var(--line);
  border-radius: 5px; padding: .25rem .55rem; min-height: 2rem; max-width: 100%; }
button { cursor: pointer; } button:hover { border-color: var(--ink-soft); }
.soft { color: var(--ink-soft); }
.sr { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -99rem; z-index: 9; background: var(--page); padding: .5rem 1rem; border: 1px solid var(--line); }
.skip:focus { left: .5rem; top: .5rem; }
.badge { display: inline-flex; gap: .4em; align-items: baseline; padding: 0 .5em; border: 1px solid currentColor; border-radius: 4px;
  font-size: .8rem; font-weight: 600; white-space: nowrap; }
.badge i, li i, .counts i { font-style: normal; }
.pass { color: var(--pass); } .fail, .error { color: var(--fail); }
.vacuous, .inconclusive, .unsupported { color: var(--doubt); }
.notice { border: 1px solid var(--line); border-left: 4px solid var(--doubt); border-radius: 4px; background: var(--panel);
  color: var(--ink); padding: .6rem .9rem; margin: 0 0 1rem; }
.notice > p, .notice ul { margin: 0; }
main > .notice, .top > .notice { margin-right: 4.5rem; }
/* The notice is fixed and appears after 4 s, so that nothing moves or flashes if the script starts in time. */
#unfinished { position: fixed; inset: auto 1rem 1rem; z-index: 9; margin: 0; visibility: hidden; animation: appear 0s 4s forwards; }
@keyframes appear { to { visibility: visible; } }
@media print { #unfinished { position: static; visibility: visible; } }
@media (scripting: none) { #unfinished { display: none; } }
.notice.fail { border-color: var(--fail); background: var(--marked); font-size: 1.1rem; }

.top { position: relative; padding-bottom: 1rem; }
.top .counts { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-size: 1.05rem; margin: 0 0 .6rem; }
.top dl { display: flex; flex-wrap: wrap; gap: .4rem 2rem; margin: 0 0 .6rem; }
.top dt { color: var(--ink-soft); font-size: .8rem; } .top dd { margin: 0; }
.top .worst { margin: .2rem 0 .8rem; padding-left: 1.2rem; } .top .worst span { color: var(--ink-soft); }
.again code { background: var(--panel); border: 1px solid var(--line); border-radius: 4px; padding: .2rem .5rem; }
/* The parts fill columns of equal length, as many as the width has room for. */
.about-run:has(> figure) { columns: 3 34rem; column-gap: 2rem; } .about-run > :is(figure, dl, .again) { break-inside: avoid; }
.about-run > figure { margin-top: 0; padding-bottom: .6rem; }
.intro { columns: 2 36rem; column-gap: 2rem; } .intro > p { break-inside: avoid-column; }
#scheme { position: absolute; right: max(clamp(.8rem, 2vw, 2rem), calc(50% - 73rem)); top: 1.1rem; z-index: 3; }

.matrix, .run { padding: 1.2rem 0; }
.area > summary { width: auto; display: flex; flex-wrap: wrap; gap: .1rem .9rem; align-items: baseline; color: var(--ink); padding: .3rem 0; }
.area > summary::before { content: "▸"; width: .8em; color: var(--ink-soft); } .area[open] > summary::before { content: "▾"; }
.area > summary b { font-family: var(--mono); min-width: 2.4em; }
.area > summary .counts { margin-left: auto; display: inline-flex; gap: .9rem; font-size: .87rem; }
.strip { display: flex; flex-wrap: wrap; gap: 2px; flex: 0 0 27rem; align-self: center; }
.strip i { width: .85rem; height: .85rem; border-radius: 2px; font: 700 .6rem/.85rem var(--mono); text-align: center;
  background: currentColor; -webkit-text-fill-color: var(--page); } .strip i.pass { opacity: .55; }
.area { border-bottom: 1px solid var(--line); }
.grid { max-height: 34rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px; margin: .2rem 0 .8rem; }
.grid table { margin: 0; border-collapse: separate; border-spacing: 0; width: 100%; }
.grid th, .grid td { background: var(--page); padding: .25rem .5rem; min-width: 0; }
.grid thead th { position: sticky; top: 0; z-index: 2; background: var(--panel); font-size: .78rem; vertical-align: bottom; width: 5.2rem; text-align: center; }
.grid thead th small { display: block; }
.grid th:first-child { position: sticky; left: 0; z-index: 1; text-align: left; width: auto; min-width: 6.2rem; border-right: 1px solid var(--line); }
.grid thead th:first-child { z-index: 3; }
.grid tbody th { font-weight: normal; color: var(--ink); } .grid tbody th b { font: 600 .87em var(--mono); }
.grid .tier { color: var(--ink-soft); }
.grid tbody th span { display: block; font-size: .87rem; color: var(--ink-soft); max-width: 46rem; }
.grid tbody td { text-align: center; padding: 0; height: 1px; }
.grid td a { display: flex; align-items: center; justify-content: center; gap: .35em; height: 100%; min-height: 1.9rem; text-decoration: none; font-weight: 700; }
.grid td a small { color: var(--ink-soft); }
.grid td a:hover, .grid tr:hover > * { background: var(--panel); }
.grid td a.fail, .grid td a.error { background: var(--fail); color: var(--page); } .grid td a.fail small, .grid td a.error small { color: inherit; }
.grid td a.vacuous, .grid td a.inconclusive { background: var(--marked); }
.grid td a:focus-visible { outline-offset: -2px; }

.overview form { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .3rem .6rem; align-items: center; font-size: .87rem; }
.overview form label { color: var(--ink-soft); }
.overview .nothing { grid-column: 1 / -1; margin: 0; }
.overview .hits { grid-column: 1 / -1; display: flex; gap: .6rem; align-items: center; min-height: 2rem; margin: 0; }
.list { border: 1px solid var(--line); border-radius: 6px; overflow: auto; max-height: 50vh; }
.group h3 { position: sticky; top: 0; background: var(--panel); font-size: .8rem; padding: .2rem .6rem; z-index: 1; }
.list ul { list-style: none; margin: 0; padding: 0; }
.list a { display: flex; gap: .5rem; padding: .16rem .6rem; text-decoration: none; font-size: .85rem; line-height: 1.35; }
.list a:hover { background: var(--panel); } .list [aria-current] { background: var(--marked); }
.list a > span:last-child { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.list a i { flex: none; width: 1em; font-weight: 700; }
@media (min-width: 64rem) {
  .run { display: grid; grid-template-columns: 21rem minmax(0, 1fr); gap: 0 1.5rem; align-items: start; }
  .run > h2 { grid-column: 1 / -1; }
  .overview { position: sticky; top: 0; height: 100vh; display: flex; flex-direction: column; gap: .5rem; padding: .6rem 0; }
  .list { flex: 1; max-height: none; }
}
.scenario { margin-bottom: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel);
  content-visibility: auto; contain-intrinsic-size: auto 30rem; outline: none; }
.scenario:focus-visible, .scenario.here { border-color: var(--focus); }
.head { display: flex; gap: .8rem; align-items: baseline; } .head .badge { flex: none; } .head a { text-decoration: none; }
.about { max-width: 60rem; margin-top: 0; }
.choice { display: flex; flex-wrap: wrap; gap: .4rem; align-items: center; margin-top: .6rem; }
.choice label { min-width: 0; }
.variants .cards { max-height: max(30rem, 80vh); overflow: auto; }
figure { margin: .8rem 0 0; position: relative; min-width: 0; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 1rem; color: var(--ink-soft); font-size: .85rem; margin-bottom: .3rem; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; vertical-align: -.05em; background: currentColor; border-radius: 2px; }
.key i:is(.line, .dashed, .dotted, .limit, .mark) { height: 0; width: 1.6em; vertical-align: .25em; background: none; border-radius: 0; border-top: 2px solid currentColor; }
.key i.dashed, .key i.limit { border-top-style: dashed; }
.key i.dotted { border-top-style: dotted; }
.key i.mark { width: 0; height: 1em; vertical-align: -.1em; border-top: 0; border-left: 2px dashed currentColor; }
.key i:is(.span, .broad) { width: 1.6em; opacity: .4; }
/* The charts of a row fill it, and their axes are aligned at the bottom. */
.figures { display: flex; flex-wrap: wrap; align-items: flex-end; gap: 0 1rem; }
.figures:has(> figure > details[open]) { align-items: flex-start; }
.figures > figure { flex: 1 1 min(100%, 56rem); } .figures > figure.small { flex-basis: min(100%, 13.5rem); }
/* Small charts are compared with each other: all have one width, also in the last row, and no large one is next to them. */
.figures:not(:has(> figure:not(.small))), .measured .figures:has(> .small) { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, max(13.5rem, clamp(100% / var(--columns) - 1rem, (var(--columns) * 14.5rem - 100%) * 999, 100% / var(--fewer) - 1rem))), 1fr)); align-items: end; }
.figures:not(:has(> figure:not(.small))) { max-width: calc(var(--columns) * 34rem); }
.figures:has(> .small):has(> figure > details[open]) { align-items: start; }
.figures > figure.small { min-width: 0; }
.measured .figures:has(> .small) > figure:not(.small) { grid-column: 1 / -1; }
.common { display: flex; flex-wrap: wrap; gap: 0 1rem; color: var(--ink-soft); font-size: .85rem; margin: .8rem 0 -.4rem; }
.key > .admitted { color: var(--admitted); } .key > .refused { color: var(--refused); }
.drawing { overflow-x: auto; overflow-y: hidden; position: relative; }
.drawing.wrong { border: 1px dashed var(--fail); color: var(--fail); padding: 1rem; overflow: auto; }
svg.marks { display: block; }
.drawing:not(.drawn) > svg.marks { max-width: 100%; height: auto; }
.tools { position: absolute; right: 0; display: flex; gap: .2rem; background: var(--panel); border-radius: 5px; z-index: 2; }
.tools button { min-height: 1.8rem; padding: 0 .5rem; }
.brush { position: absolute; top: 0; bottom: 0; background: var(--focus); opacity: .18; pointer-events: none; }
#tip { position: fixed; z-index: 8; max-width: min(26rem, calc(100vw - 1rem)); background: var(--page); color: var(--ink);
  border: 1px solid var(--ink-soft); border-radius: 5px; padding: .35rem .6rem; font-size: .82rem; white-space: pre-line; pointer-events: none; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-top: .8rem; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--ink-soft); }
.scroll:not(.grid) thead th { overflow-wrap: break-word; }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { min-width: 5rem; overflow-wrap: anywhere; }
.verdicts td:nth-child(2), .verdicts td:nth-child(3), .verdicts td:nth-child(4) { min-width: 9rem; }
tr.here > *, .verdict.here { background: var(--marked); }
.numbers .scroll { max-height: 20rem; overflow: auto; } .numbers table { font-variant-numeric: tabular-nums; font-size: .82rem; }
.source { margin: .3rem 0 0; padding: .5rem .5rem .5rem 3.2rem; max-height: 34rem; overflow: auto; background: var(--page); border: 1px solid var(--line);
  border-radius: 5px; font-size: .87rem; } .source li::marker { color: var(--ink-soft); font-family: var(--mono); font-size: .8em; }
.source code { white-space: pre-wrap; } .source .marked { background: var(--marked); } .source .marked span { float: right; font-size: .8rem; padding: 0 .4rem; }
@media (max-width: 60rem) { .strip { flex-basis: 100%; } }
@media (max-width: 40rem) {
  .grid tbody th span, .grid .tier { display: none; }
  .area > summary .counts { margin-left: 0; }
  .scenario { padding: .7rem; }
}
${FIRST_SCREEN_STYLE}${DETAILS_STYLE}${MEASURED_STYLE}${LIMITERS_STYLE}${PRINT_STYLE}`;
