// The style of the playground: its examples, its timeline and its form.

export const TIMELINE_STYLE = `
.playground { display: grid; gap: 1rem clamp(1rem, 2vw, 2.5rem); grid-template-columns: minmax(0, 1fr); }
.examples ul { display: grid; grid-auto-flow: column; grid-auto-columns: minmax(6.3rem, 1fr); gap: .5rem; margin: 0; padding: 2px 2px .4rem; list-style: none; overflow-x: auto; }
.examples button { display: grid; gap: .25rem; width: 100%; height: 100%; align-content: start; padding: .35rem .45rem; text-align: left; font-size: .8rem; line-height: 1.25; }
.examples button[aria-pressed=true] { border-color: var(--focus); box-shadow: inset 0 0 0 1px var(--focus); }
.thumbnail { display: grid; gap: 3px; } .thumbnail svg { display: block; width: 100%; height: 1.3rem; border-bottom: 1px solid var(--line); fill: none; }
:is(.thumbnail, .timeline) .admitted { stroke: var(--admitted); } :is(.thumbnail, .timeline) .delayed { stroke: var(--name); } :is(.thumbnail, .timeline) .refused { stroke: var(--refused); }
:is(.thumbnail, .timeline) .rejected { stroke: var(--doubt); } :is(.thumbnail, .timeline) .lost { stroke: var(--ink); }
.timeline { display: grid; gap: .5rem; grid-template-columns: minmax(0, 1fr); } .timeline > * { margin: 0; } .timeline .title { font-size: .95rem; min-height: 1.5em; }
.timeline.old .graph, .timeline.old .amounts { opacity: .45; }
.stage { position: relative; overflow: clip; overflow-clip-margin: .6rem; } .stage .lane { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; justify-content: space-between; }
.stage .lane h3 { font-size: 1rem; } .stage .amounts { margin: 0; color: var(--ink-soft); font-variant-numeric: tabular-nums; } .stage .amounts b { font-size: 1.5rem; line-height: 1.2; color: var(--ink); }
.stage .graph { flex: 0 0 100%; height: clamp(4.5rem, 17vh, 15rem); margin-bottom: .5rem; cursor: crosshair; touch-action: pan-y; user-select: none; }
.stage .lane:nth-child(n + 3) .graph, .stage .lane:first-child:nth-last-child(n + 3) .graph, .stage .lane:nth-child(2):nth-last-child(n + 2) .graph { height: clamp(3.5rem, 10vh, 6rem); }
.stage .graph svg { clip-path: none; } .graph .filled { stroke: var(--ink); }
.later { position: absolute; inset: 0 0 0 var(--at, 100%); background: color-mix(in srgb, var(--page) 80%, transparent); border-left: 2px solid var(--focus); margin-left: -1px; pointer-events: none; }
.ring { position: absolute; width: .9rem; height: .9rem; border: 2px solid var(--ink); border-radius: 50%; background: color-mix(in srgb, var(--page) 35%, transparent); transform: translate(-50%, 50%); pointer-events: none; }
.stage input[type=range] { display: block; width: calc(100% + 1rem); max-width: none; margin: 0 -.5rem; padding: 0; min-height: 1.3rem; height: 1.3rem; accent-color: var(--focus); }
.stage .ticks span:is(:first-child, :last-child) { transform: translateX(-50%); } .stage .ticks span:first-child { transform: none; } .stage .ticks span.end { transform: translateX(-100%); }
.flags { position: relative; } .flags::before { content: none; }
.flag { position: absolute; display: inline-flex; white-space: nowrap; border: 1px solid var(--doubt); border-radius: 4px; background: var(--page); font-size: .78rem; z-index: 2; }
.flag::after { content: ""; position: absolute; top: 100%; left: -1px; width: max(2px, var(--lasts, 0px)); height: var(--reach); background: color-mix(in srgb, var(--doubt) 16%, transparent); border-left: 2px solid var(--doubt); pointer-events: none; }
.flag.left::after { left: auto; right: -1px; }
.flag button { border: 0; background: none; min-height: 1.5rem; padding: 0 .35rem; font-size: inherit; } .flag .move { cursor: ew-resize; touch-action: none; color: var(--doubt); font-weight: 600; } .flag .remove { padding-left: 0; }
.timeline .row { margin: 0; min-height: 0; } .steps output { min-width: 4.2em; font-variant-numeric: tabular-nums; font-weight: 600; }
.inject b { font-variant-numeric: tabular-nums; } .inject .change { display: inline-flex; flex-wrap: wrap; gap: .4rem; align-items: center; } .inject input { width: 4.5rem; } .inject button { border-style: dashed; border-color: var(--doubt); }
.timeline .keys { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .82rem; } .timeline .keys i { display: inline-block; width: .7em; height: .7em; margin-right: .3em; }
.keys i.delayed { background: var(--name); } .keys i.rejected { background: var(--doubt); } .keys i.lost { width: .25em; background: var(--ink); }
.timeline p b.refused, .amounts .refused { color: var(--fail); } .timeline p b.lost, .amounts .lost { color: var(--ink); font-weight: 600; } .amounts .rejected { color: var(--doubt); }
.timeline [data-part=reason] p { margin: .2rem 0; max-width: 90ch; } .timeline [data-part=reason] code { overflow-wrap: anywhere; }
.tabs { display: flex; gap: .2rem; margin-right: auto; } .tabs button { border-radius: 5px 5px 0 0; border-bottom-width: 2px; } .tabs button[aria-selected=true] { border-bottom-color: var(--focus); font-weight: 600; }
.write fieldset { display: contents; } .write .form { padding: .7rem; } #no-form { margin: 0; } .write .form form { gap: .7rem 1rem; padding: 0; }
@media (min-width: 64rem) {
  .playground { grid-template-columns: minmax(0, 1fr) clamp(20rem, 27vw, 34rem); align-items: start; }
  .examples { grid-column: 1 / -1; } .write { position: sticky; top: .5rem; grid-column: 2; grid-row: 2 / span 2; } .watch { grid-row: 2; } .read { grid-row: 3; }
  #editor { height: calc(100vh - 9rem); } .cm-editor .cm-scroller { max-height: none; }
}
`;
