/** The look of a page. Charts take their colours from here, so both schemes are one drawing. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --panel: #f6f7f9; --ink: #1c2430; --ink-soft: #5a6573; --line: #d9dee5;
  --admitted: #2f7fb8; --refused: #d4571b; --quota: #a8397f; --other: #7a6a58; --on-bar: #ffffff;
  --allowance: #1c2430; --up: #2c8a4b; --down: #8250b4;
  --pass: #1d7a3e; --fail: #b3261e; --doubt: #8a5a00;
  --series-1: #0b62a4; --series-2: #c8500a; --series-3: #007d5a; --series-4: #b03a8a;
  --series-5: #7a6200; --series-6: #6a4fc0; --series-7: #16808f; --series-8: #30363f;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14181f; --panel: #1c222b; --ink: #e6eaf0; --ink-soft: #9fabba; --line: #333c49;
    --admitted: #5aa9e0; --refused: #f08449; --quota: #dd7fb9; --other: #b8a48c; --on-bar: #10141a;
    --allowance: #f2f4f7; --up: #63c985; --down: #b794e0;
    --pass: #66c98a; --fail: #ff8a80; --doubt: #e6b450;
    --series-1: #5aa9e0; --series-2: #f08449; --series-3: #3fc79a; --series-4: #e58cc8;
    --series-5: #d6b94a; --series-6: #b5a0f5; --series-7: #6fd0de; --series-8: #d5dbe3;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, "Segoe UI", "Noto Sans", Arial, sans-serif; }
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
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .35em; border-radius: 2px; }
svg.marks { display: block; max-width: 100%; min-width: 34rem; height: auto; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-top: .8rem; font-size: .9rem; }
th { text-align: left; font-weight: 600; color: var(--ink-soft); }
th, td { padding: .25rem .6rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { min-width: 5rem; overflow-wrap: anywhere; }
td:nth-child(2), td:nth-child(3), td:nth-child(4) { min-width: 9rem; }
summary { cursor: pointer; margin-top: .6rem; color: var(--ink-soft); }
@media print { section { break-inside: avoid; } }
`;
