// The style of the first page, whose experiments fill a screen each.

export const HOME_STYLE = `
.home-page { max-width: clamp(78rem, 62vw, 120rem); margin-inline: auto; padding-bottom: 4rem; }
.home-page .weir { margin: 0; font-size: .9rem; }
.experiment { display: grid; gap: clamp(.5rem, 1.6vh, 1.1rem); align-content: center; padding-block: clamp(.4rem, 1.5vh, 1.5rem) 1.5rem; }
.experiment + .experiment { min-height: min(94vh, 50rem); border-top: 1px solid var(--line); }
.experiment :is(h1, h2) { font-size: clamp(1.4rem, 1rem + 2vw, 3rem); line-height: 1.15; font-weight: 700; letter-spacing: -.02em; margin: 0; text-wrap: balance; }
.experiment p { margin: 0; } .experiment .question p { margin-top: .3rem; font-size: clamp(.95rem, .9rem + .3vw, 1.15rem); }
.lanes { display: grid; gap: 1rem clamp(1.2rem, 4vw, 4rem); grid-template-columns: repeat(2, minmax(0, 1fr)); }
.lane { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: end; gap: .2rem 1rem; align-content: start; }
.lane > :not(h3, .amount) { grid-column: 1 / -1; }
.lane h3 { font-size: clamp(1rem, .9rem + .5vw, 1.3rem); line-height: 1.25; }
.lane .amount { text-align: right; color: var(--ink-soft); white-space: nowrap; } .lane .amount b { font-size: clamp(2.6rem, 1.6rem + 4.4vw, 5.2rem); line-height: .9; font-weight: 750; letter-spacing: -.03em; font-variant-numeric: tabular-nums; color: var(--pass); }
.lane .amount.bad b { color: var(--fail); }
.lane .why { min-height: 3em; }
.graph { position: relative; height: clamp(3.6rem, 17vh, 11rem); border-bottom: 2px solid var(--line); }
.graph svg { display: block; width: 100%; height: 100%; fill: none; clip-path: inset(0 calc(100% - var(--shown, 100%)) 0 0); }
.graph .admitted { stroke: var(--admitted); } .graph .refused { stroke: var(--refused); } .graph .offered { stroke: var(--offered); }
.graph .edge { position: absolute; inset-block: -.3rem 0; border-left: 2px dashed var(--ink); }
.moving .graph::after { content: ""; position: absolute; inset-block: 0; left: var(--shown); border-left: 2px solid var(--focus); }
.ticks { position: relative; height: 1.3em; font-size: .8rem; color: var(--ink-soft); } .ticks span { position: absolute; transform: translateX(-50%); white-space: nowrap; }
.ticks span:first-child { transform: none; } .ticks span:last-child { transform: translateX(-100%); }
.knob label { display: flex; justify-content: space-between; gap: 0 1rem; font-weight: 600; } .knob output { flex: none; font-variant-numeric: tabular-nums; }
.knob input { display: block; width: 100%; padding: 0; margin: 0; accent-color: var(--focus); cursor: grab; } .knob input:active { cursor: grabbing; }
.stream { position: relative; container-type: inline-size; margin-top: .5rem; } .stream .graph { height: clamp(2.6rem, 8vh, 4.6rem); }
.stream input { position: absolute; inset: -.35rem 0 -.2rem; height: auto; min-height: 0; appearance: none; background: none; border: 0; }
.stream input::-webkit-slider-runnable-track { height: 100%; }
.stream input::-webkit-slider-thumb { appearance: none; box-sizing: border-box; width: calc(100cqw / 3); height: 100%; border: 2px solid var(--focus); border-radius: .5rem; background: color-mix(in srgb, var(--focus) 12%, transparent); }
.stream input::-moz-range-thumb { box-sizing: border-box; width: calc(100cqw / 3); height: 100%; border: 2px solid var(--focus); border-radius: .5rem; background: color-mix(in srgb, var(--focus) 12%, transparent); }
.experiment .lesson { border-left: 4px solid var(--focus); padding-left: .8rem; font-size: clamp(1rem, .95rem + .4vw, 1.25rem); font-weight: 600; }
.experiment .after { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; align-items: center; } .experiment .after a { color: var(--name); }
.keys i { display: inline-block; width: .7em; height: .7em; margin-left: .5em; } .keys .admitted { background: var(--admitted); } .keys .refused { background: var(--refused); }
.own { border-top: 1px solid var(--line); padding-block: 1.5rem 2.5rem; } .own h2, .more h2 { font-size: clamp(1.3rem, 1rem + 1.2vw, 1.9rem); }
.drop, .drop > form { display: grid; grid-template-columns: minmax(0, 1fr); } .drop { gap: .6rem; align-content: start; min-width: 0; padding: clamp(.8rem, 2vw, 1.4rem); border: 2px dashed var(--line); border-radius: .8rem; }
.drop p { margin: 0; } .drop .result { font-size: 1.1rem; font-weight: 600; } .drop textarea, .drop noscript pre { display: block; box-sizing: border-box; width: 100%; margin: .3rem 0 0; padding: .6rem; font: .82rem/1.5 var(--mono); color: inherit; background: var(--panel); border: 1px solid var(--line); border-radius: 5px; resize: vertical; white-space: pre; overflow: auto; }
.drop input[type=file] { width: 100%; } .drop .form { padding: .4rem .8rem; }
.more { border-top: 1px solid var(--line); padding-top: 1.5rem; } .more li { margin: .4rem 0; }
@media (max-width: 48rem) { .lanes { grid-template-columns: minmax(0, 1fr); } .graph { height: clamp(3.2rem, 10vh, 5rem); } .lane .why { min-height: 0; } .experiment p, .knob label { font-size: .93rem; line-height: 1.35; } .lane .amount b { font-size: 2.4rem; } .home-page .weir { font-size: .82rem; } }
`;
