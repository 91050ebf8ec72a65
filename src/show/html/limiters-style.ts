/** The style of the table of foreign limiters and of its evidence. */
export const LIMITERS_STYLE = `
.limiters h2 { margin-top: 1.4rem; }
.good { color: var(--pass); } .bad { color: var(--fail); } .doubtful { color: var(--doubt); } .faint { color: var(--ink-soft); }
.filter { display: flex; flex-wrap: wrap; gap: .4rem 1rem; align-items: end; font-size: .87rem; margin: .4rem 0 .6rem; }
.filter label { color: var(--ink-soft); display: grid; gap: .15rem; min-width: 0; } .filter .hits { margin: 0; min-height: 2rem; display: flex; gap: .6rem; align-items: center; }
.grid.marks { max-height: 80vh; width: fit-content; max-width: 100%; }
.grid.marks table { width: auto; } .grid.marks th:first-child { overflow-wrap: normal; }
.grid.marks thead th:not(:first-child) { width: 2rem; min-width: 2rem; padding: .5rem .2rem; height: 14.5rem; }
.grid.marks thead th span { writing-mode: vertical-rl; transform: rotate(180deg); white-space: nowrap; font-weight: 500; }
.grid.marks tbody th { max-width: 18rem; } .grid.marks tbody th > a { font: .8rem var(--mono); text-decoration: none; }
.grid.marks .group > * { background: var(--panel); height: auto; } .grid.marks .group th { font-weight: 600; padding-top: .7rem; }
.grid.marks td { min-width: 2rem; } .grid.marks td a { min-height: 1.7rem; font-family: var(--mono); }
.grid.marks td a.bad { background: var(--fail); color: var(--page); } .grid.marks td a.doubtful { background: var(--marked); }
.grid.marks td.other a { visibility: hidden; }
.legend { list-style: none; margin: .2rem 0 .6rem; padding: 0; display: flex; flex-wrap: wrap; gap: .1rem 1.2rem; font-size: .87rem; color: var(--ink-soft); }
.legend b { font-family: var(--mono); }
.limiter { border-bottom: 1px solid var(--line); }
.limiter > summary { width: auto; display: flex; flex-wrap: wrap; gap: .1rem .8rem; align-items: baseline; color: var(--ink); padding: .35rem 0; }
.limiter > summary::before { content: "▸"; width: .8em; color: var(--ink-soft); } .limiter[open] > summary::before { content: "▾"; }
.limiter .counts { margin-left: auto; display: inline-flex; gap: .7rem; font-family: var(--mono); font-size: .87rem; }
.cell { margin: .6rem 0 .9rem 1rem; padding: .1rem .8rem; border-left: 3px solid var(--line); outline: none; scroll-margin-top: 1rem; }
.cell:target, .cell:focus { border-left-color: var(--focus); background: var(--panel); }
.cell h3 .badge { white-space: normal; } .cell h3 { display: flex; flex-wrap: wrap; gap: .2rem .7rem; align-items: baseline; font-size: 1rem; }
.cell blockquote { margin: .4rem 0; padding-left: .8rem; border-left: 2px solid var(--line); font-style: italic; } .cell cite { font-style: normal; color: var(--ink-soft); font-size: .87rem; display: block; }
.cell pre { margin: .3rem 0; padding: .5rem .8rem; max-height: 24rem; overflow: auto; background: var(--page); border: 1px solid var(--line); border-radius: 5px; font: .82rem/1.45 var(--mono); }
/* Where the whole table fits, its heads stay at the top of the window, and no box scrolls inside the page. */
@media screen and (min-width: 64rem) { .grid.marks { max-height: none; overflow: visible; } .grid.marks td a { scroll-margin-top: 16rem; } }
@media (min-width: 90rem) { .grid.marks thead th:not(:first-child) { width: 3rem; min-width: 3rem; } }
@media (max-width: 40rem) { .grid.marks tbody th { min-width: 8rem; max-width: 8.5rem; } .grid.marks tbody th:first-child { overflow-wrap: anywhere; } .limiter .counts { margin-left: 0; } .cell { margin-left: 0; } .filter select { max-width: 44vw; } }
`;
