/** The style of the details of a verdict or a refusal. */
export const DETAILS_STYLE = `
.verdicts th { overflow-wrap: normal; }
.facts { display: grid; grid-template-columns: minmax(6rem, max-content) minmax(0, 1fr); gap: .2rem 1rem; margin: .4rem 0 .8rem; font-size: .92rem; }
.facts dt { color: var(--ink-soft); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.facts button { min-height: 1.7rem; padding: 0 .5rem; }
.facts ul, .words ul { margin: 0; padding-left: 1.1rem; }
.refusal, .merges > :not(summary), .words > :not(summary) { margin-left: 1rem; }
.refusal > summary { width: auto; }
.addressed { border-left: 3px solid var(--accent); padding-left: .8rem; }
.totals { font-variant-numeric: tabular-nums; }
.refusal .status, .rejections .status { display: inline-block; min-width: 4.5em; font-weight: 600; color: var(--ink); }
.verdict { border-left: 3px solid currentColor; padding-left: .8rem; margin: .8rem 0; }
.verdict > * { color: var(--ink); } .verdict p { font-weight: 600; }
.words h4, .merges h4 { margin: .6rem 0 .2rem; }
code.line { user-select: all; }
mark { background: color-mix(in srgb, var(--doubt) 22%, transparent); color: inherit; border-radius: 2px; padding: 0 .15em; }
/* On a narrow page each expectation is a block with labels, because the columns would not fit. */
@media (max-width: 40rem) {
  .verdicts thead { display: none; }
  .verdicts tr { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr); padding: .3rem 0; border-bottom: 1px solid var(--line); }
  .verdicts td { border: 0; padding: .1rem 0; min-width: 0 !important; }
  .verdicts td:nth-child(n + 3) { grid-column: 1 / -1; display: grid; grid-template-columns: subgrid; } .verdicts td::before { color: var(--ink-soft); }
  .verdicts td:nth-child(3)::before { content: "expected"; } .verdicts td:nth-child(4)::before { content: "observed"; } .verdicts td:nth-child(5)::before { content: "examined"; }
}
@media (max-width: 34rem) { .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: .4rem; } }
`;
