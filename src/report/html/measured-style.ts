/** The look of documents of measurements, in the page's own colours. */
export const MEASURED_STYLE = `
.part + .part { margin-top: 3rem; border-top: 3px solid var(--line); padding-top: 1rem; }
.measured { margin-top: 1rem; padding: 1rem; border: 1px solid var(--line); border-radius: 8px; background: var(--panel); }
.measured h2 { margin-top: 0; }
.doubts { border: 2px solid var(--doubt); } .doubts h2 { color: var(--doubt); } .doubts ul { margin: .4rem 0 0; padding-left: 1.2rem; }
.amounts th, .amounts td { min-width: 0; white-space: nowrap; text-align: right; padding-right: .9rem; font-variant-numeric: tabular-nums; }
.amounts th:first-child, .amounts td:first-child { text-align: left; }
.amounts.two-names th:nth-child(2), .amounts.two-names td:nth-child(2) { text-align: left; }
.circumstances td:first-child { min-width: 5rem; color: var(--ink-soft); overflow-wrap: normal; } .circumstances td { overflow-wrap: anywhere; }
@media (max-width: 40rem) { .measured { padding: .7rem; } }
`;
