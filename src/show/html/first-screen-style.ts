/** The style of the numbers, sparklines and tabs at the start of a run. */
export const FIRST_SCREEN_STYLE = `
.requests { margin: .4rem 0 .9rem; }
.requests .bar { display: flex; gap: 2px; height: .9rem; border-radius: 4px; overflow: hidden; } .bar i { flex: 0 0 2px; }
:is(.bar, .requests h2) i.admitted { background: var(--admitted); } :is(.bar, .requests h2) i.refused { background: var(--refused); }
:is(.bar, .requests h2) i.rejected { background: var(--rejected-other); }
:is(.bar, .requests h2) i.lost { background: var(--lost); }
.requests .tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr)); gap: .3rem 1.4rem; margin-top: .5rem; }
.requests h2 { font-size: .87rem; font-weight: 600; color: var(--ink-soft); margin: 0; }
.requests h2 i { display: inline-block; width: .7em; height: .7em; border-radius: 2px; margin-right: .4em; }
.requests p { margin: 0; font-variant-numeric: tabular-nums; } .requests b { font-size: 1.35rem; font-weight: 650; }
.requests ul { list-style: none; margin: .1rem 0 0; padding: 0; font-size: .84rem; line-height: 1.4; }
.apart { max-width: 62rem; } .apart-most > p { margin: 0; } .apart-most ul { margin: .2rem 0 .7rem; padding-left: 1.2rem; font-size: .92rem; }
.apart-most li { break-inside: avoid; margin-bottom: .2rem; }
.head > .spark { width: 9rem; height: 1.6rem; }
.top .worst { columns: 2 26rem; column-gap: 2.5rem; } .top .worst li { break-inside: avoid; }
@media (min-width: 64rem) { .run.alone { display: block; } }
.alone .overview { display: none; }
@media (max-width: 40rem) { .head { flex-wrap: wrap; } .head h3 { flex: 1 1 12rem; } }
.grid tbody th { scroll-margin-top: 5rem; }
.top .worst p { margin: 0 0 .3rem; font-size: .9rem; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; }
.spark { display: block; width: 4.5rem; height: 1.15rem; flex: none; margin-left: auto; background: color-mix(in srgb, var(--line) 40%, transparent); }
.spark .admitted { fill: var(--admitted); } .spark .refused { fill: var(--refused); } .spark .rejected { fill: var(--rejected-other); } .spark .lost { fill: var(--lost); }
.cards { list-style: none; margin: .4rem 0 0; padding: 2px; display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 16rem), 1fr)); gap: .6rem; }
.cards > li { border: 1px solid var(--line); border-radius: 6px; padding: .5rem .7rem; background: var(--page); break-inside: avoid; min-width: 0; }
.cards .spark { width: 100%; height: 3rem; }
.cards .axis { display: flex; justify-content: space-between; color: var(--ink-soft); font-size: .75rem; }
.cards dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(6.4rem, 1fr)); gap: .2rem .8rem; margin: .3rem 0 0; font-variant-numeric: tabular-nums; }
.cards dt { color: var(--ink-soft); font-size: .75rem; } .cards dd { margin: 0; font-size: .9rem; }
.sort[data-order=ascending]::after { content: " ↑"; } .sort[data-order=descending]::after { content: " ↓"; }
.tabs { display: flex; gap: .3rem; border-bottom: 1px solid var(--line); }
.tabs a { padding: .45rem 1rem; text-decoration: none; border: 1px solid transparent; border-bottom: 0; border-radius: 6px 6px 0 0; }
.tabs a:hover { background: var(--panel); } .tabs a[aria-current] { border-color: var(--line); background: var(--panel); font-weight: 600; }
#scenarios, #requirements { scroll-margin-top: 4rem; }
@media screen { [data-tab=scenarios] .matrix, [data-tab=requirements] .run { display: none; } }
@media print { .tabs { display: none; } .spark path { print-color-adjust: exact; -webkit-print-color-adjust: exact; } }
`;
