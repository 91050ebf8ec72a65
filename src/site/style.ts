// The look of the site, over that of reports.
export const SITE_STYLE = `
:root { --name: #0b62a8; }
@media screen and (prefers-color-scheme: dark) { :root:not([data-scheme=light]) { --name: #7cc0f4; } }
@media screen { :root[data-scheme=dark] { --name: #7cc0f4; } }
header.site { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; align-items: center; max-width: none; padding-block: .45rem;
  border-bottom: 1px solid var(--line); }
header.site .home { font-weight: 700; text-decoration: none; font-size: 1.05rem; }
header.site nav { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; flex: 1; }
header.site nav a { text-decoration: none; color: var(--ink-soft); padding: .25rem 0; }
header.site nav a:hover, header.site nav a[aria-current] { color: var(--ink); }
header.site nav a[aria-current] { box-shadow: 0 2px 0 var(--focus); }
main:has(> .playground) { max-width: none; padding-top: .8rem; }
.playground { display: grid; gap: 1rem; }
.row { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; min-height: 2.2rem; margin-bottom: .5rem; font-size: .87rem; }
.row label { display: inline-flex; gap: .4rem; align-items: center; min-width: 0; }
.row p { margin: 0 auto 0 0; font-size: 1rem; }
#example { width: min(17rem, 60vw); } #seed { width: 6rem; }
#editor { border: 1px solid var(--line); border-radius: 6px; background: var(--page); min-height: 18rem; overflow: hidden; }
.hint { font-size: .82rem; }
.read, .write { min-width: 0; }
.read .scenario { content-visibility: visible; margin: 0 0 1rem; }
.read .scenario > p:has(> code), .read details.file, .read .about { display: none; }
#result.old { opacity: .45; }
.problems { list-style: none; padding: 0; margin: 0 0 .8rem; } .problems li { padding: .25rem 0; }
.problems .error button { border-color: var(--fail); color: var(--fail); } .problems .warning button { border-color: var(--doubt); color: var(--doubt); }
.problems button { min-height: 1.6rem; padding: 0 .5rem; margin-right: .3rem; }
#digests { font-size: .87rem; padding-left: 1.2rem; }
.cm-editor { height: 100%; font-size: .84rem; background: var(--page); color: var(--ink); }
.cm-editor.cm-focused { outline: 2px solid var(--focus); outline-offset: -2px; }
.cm-editor .cm-scroller { font: inherit; font-family: var(--mono); line-height: 1.5; max-height: 70vh; }
.cm-editor .cm-gutters { background: var(--panel); color: var(--ink-soft); border-right: 1px solid var(--line); }
.cm-editor .cm-activeLine, .cm-editor .cm-activeLineGutter { background: var(--panel); }
.cm-editor .cm-cursor { border-left-color: var(--ink); }
.cm-editor .cm-selectionBackground, .cm-editor.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground { background: var(--marked); }
.cm-editor .cm-tooltip { background: var(--page); color: var(--ink); border: 1px solid var(--ink-soft); border-radius: 5px; max-width: min(34rem, 92vw); }
.cm-editor .about-field, .cm-editor .cm-completionInfo { padding: .35rem .6rem; font: .82rem/1.45 system-ui, sans-serif; white-space: normal; }
.cm-editor .cm-tooltip-autocomplete ul li[aria-selected] { background: var(--focus); color: var(--page); }
.cm-editor .cm-diagnostic { font-family: system-ui, sans-serif; }
@media (min-width: 64rem) {
  .playground { grid-template-columns: minmax(22rem, 2fr) minmax(0, 3fr); align-items: start; }
  .write { position: sticky; top: .5rem; }
  #editor { height: calc(100vh - 11rem); } .cm-editor .cm-scroller { max-height: none; }
}
`;
