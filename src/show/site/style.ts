// The style of the site, in addition to that of reports.
import { HOME_STYLE } from "./home/style.ts";
import { TIMELINE_STYLE } from "./timeline/style.ts";

/** The style of documentation pages, whose lines have about 80 letters. */
const DOCUMENT_STYLE = `
.documents { display: grid; gap: 1rem 2.5rem; grid-template-columns: minmax(0, 1fr); padding-bottom: 4rem; }
.documents article { max-width: 50rem; min-width: 0; line-height: 1.6; }
.documents article :is(h2, h3, h4) { margin: 2rem 0 .5rem; } .documents article h1 { margin: 0 0 1rem; }
.documents article h2 { font-size: 1.35rem; padding-top: .6rem; border-top: 1px solid var(--line); }
.documents article h3 { font-size: 1.1rem; }
.documents article :is(p, ul, ol) { margin: .7rem 0; } .documents article li { margin: .3rem 0; } .documents article li :is(ul, p) { margin: .2rem 0; }
.documents article a:not(.anchor) { color: var(--name); }
.documents a.anchor { text-decoration: none; } .documents a.anchor:hover::after { content: " #"; color: var(--ink-soft); }
.documents article code { background: var(--panel); border-radius: 3px; padding: .08em .25em; }
.documents article img { max-width: 100%; height: auto; }
.documents th, .documents td { padding-right: 1rem; } .documents td { min-width: 4rem; }
.documents td code { overflow-wrap: anywhere; }
.code { position: relative; margin: .9rem 0; }
.code pre { margin: 0; padding: .7rem .9rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; }
.documents article pre code { padding: 0; background: none; font-size: .82rem; line-height: 1.5; overflow-wrap: normal; }
.code .copy { position: absolute; right: .4rem; top: .4rem; min-height: 1.6rem; padding: 0 .5rem; opacity: 0; }
.code:hover .copy, .code .copy:focus-visible { opacity: 1; }
.code .run { margin: .3rem 0 0; font-size: .87rem; }
nav.pages ul, nav.outline ul, ul.entries { list-style: none; margin: 0; padding: 0; }
nav.pages a, nav.outline a { display: block; padding: .2rem .6rem; text-decoration: none; color: var(--ink-soft); font-size: .9rem; border-radius: 4px; }
nav.pages .group { margin: .9rem 0 .2rem; padding: 0 .6rem; font-size: .8rem; font-weight: 600; color: var(--ink); }
nav.pages a:hover, nav.outline a:hover { color: var(--ink); } nav.pages a[aria-current] { background: var(--panel); color: var(--ink); font-weight: 600; }
ul.entries li { display: grid; grid-template-columns: minmax(0, 13rem) minmax(0, 1fr); gap: .2rem 1rem; padding: .35rem 0; border-bottom: 1px solid var(--line); }
.search { position: relative; margin-bottom: .6rem; } .search input { width: 100%; }
#found { position: absolute; z-index: 5; left: 0; width: min(34rem, calc(100vw - 1.6rem)); max-height: 70vh; overflow: auto; margin-top: .2rem;
  background: var(--page); border: 1px solid var(--ink-soft); border-radius: 6px; padding: .3rem; }
#found ol { list-style: none; margin: 0; padding: 0; } #found a { padding: .35rem .6rem; color: var(--ink); } #found a:is(:hover, :focus) { background: var(--panel); }
#found .excerpt { display: block; color: var(--ink-soft); font-size: .82rem; } #found p { margin: .4rem .6rem; }
.outline { display: none; }
@media (min-width: 64rem) {
  .documents { grid-template-columns: 14rem minmax(0, 1fr); }
  nav.pages { z-index: 4; position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); }
  nav.pages:has(details[open]) details { max-height: calc(100vh - 6rem); overflow: auto; }
  @media (scripting: enabled) { nav.pages summary { display: none; } }
}
@media (min-width: 84rem) {
  .documents { grid-template-columns: 14rem minmax(0, 50rem) 13rem; justify-content: center; }
  .outline { display: block; position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; border-left: 1px solid var(--line); }
}
.lead { font-size: 1.1rem; } .documents article .again { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; } .again code { overflow-wrap: anywhere; min-width: 0; }
.live-limit { padding: .4rem 1rem .6rem; margin: 1.2rem 0; } .documents article .live-limit h2 { margin: .2rem 0 .6rem; padding: 0; border: 0; } .live-limit .drawing:not(.drawn) { height: auto !important; } .live-limit figure { margin-top: .4rem; } .live-limit .counts { min-height: 1.6em; }
.live-limit form { grid-template-columns: repeat(auto-fill, minmax(min(100%, 10rem), 1fr)); }
.documents article pre { overflow: auto; max-height: 26rem; padding: .6rem .9rem; background: var(--panel); border: 1px solid var(--line); border-radius: 6px; font: .82rem/1.5 var(--mono); }
.documents article .requirement h3 { margin: 1.3rem 0 .3rem; } .requirement h3 .soft, .documents .verdicts { font-weight: 400; font-size: .9rem; } .proofs { display: flex; flex-wrap: wrap; gap: .1rem 1rem; font-size: .87rem; } ul.entries li:target { background: var(--panel); } ul.entries a { overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: .3rem 1.2rem; margin: 1rem 0; } .facts dt { color: var(--ink-soft); } .facts dd { margin: 0; overflow-wrap: anywhere; }
.costs td { white-space: nowrap; } .claims { min-width: 36rem; } .claims td:first-child { min-width: 11rem; } .claims td:last-child { min-width: 9rem; }
.documents .limiters .cell { margin-left: 0; } .documents article .cell h3 { margin-top: .8rem; }
.findings { columns: 2 30rem; column-gap: 2.5rem; margin: .6rem 0; padding-left: 1.6rem; } .findings li { break-inside: avoid; margin: 0 0 .7rem; } .findings .again { display: flex; flex-wrap: wrap; gap: .3rem .6rem; align-items: center; margin: .2rem 0 0; font-size: .87rem; } .wide-page :is(.findings, .lead + p) a { color: var(--name); } .documents blockquote { margin: .9rem 0; padding-left: .9rem; border-left: 3px solid var(--line); }
.wide-page { padding-bottom: 4rem; } .wide-page .head { display: flex; flex-wrap: wrap; gap: .3rem 2rem; align-items: center; justify-content: space-between; } .wide-page .head .search { flex: 0 1 20rem; margin: 0; } .wide-page #found { left: auto; right: 0; } .wide-page > h2 { margin-top: 2rem; }
@media (scripting: none) { .live-limit svg.marks { min-width: 40rem; } }
@media (max-width: 40rem) { header.site { gap: .1rem .8rem; } header.site .home { flex: 1; } header.site nav { order: 1; flex-basis: 100%; gap: 0 .9rem; } header.site nav a { font-size: .9rem; } .facts { grid-template-columns: minmax(0, 1fr); gap: 0; } .facts dd { margin-bottom: .5rem; } .live-limit { padding-inline: .7rem; } ul.entries li { grid-template-columns: minmax(0, 1fr); } }
@media print { header.site, nav.pages, nav.outline, .search, .live-limit form, .copy, .run { display: none !important; }
  .documents article pre { max-height: none; overflow: visible; white-space: pre-wrap; font-size: .7rem; } .documents article pre code { font-size: .7rem; } }
`;
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
.row { display: flex; flex-wrap: wrap; gap: .4rem .8rem; align-items: center; min-height: 2.2rem; margin-bottom: .5rem; font-size: .87rem; }
.row label { display: inline-flex; gap: .4rem; align-items: center; min-width: 0; }
.row p { margin: 0 auto 0 0; font-size: 1rem; }
#seed { width: 6rem; }
#editor { border: 1px solid var(--line); border-radius: 6px; background: var(--page); min-height: 18rem; overflow: hidden; }
.form { border: 1px solid var(--line); border-radius: 6px; padding: .2rem .7rem; margin-bottom: .5rem; }
.form form { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 8.5rem), 1fr)); gap: .3rem 1rem; padding-bottom: .5rem; }
.form select { width: 100%; min-width: 0; } .form label { display: grid; align-content: end; font-size: .82rem; min-width: 0; } .form output { color: var(--ink-soft); } .form input { padding: 0; width: 100%; min-height: 1.5rem; }
.form .wide { grid-column: 1 / -1; } #compare .sides { gap: .8rem 1rem; margin: .5rem 0; } #compare .drop { padding: .8rem; }
.hint { font-size: .82rem; }
.read, .write { min-width: 0; }
.read .scenario { content-visibility: visible; margin: 0 0 1rem; }
.read .scenario > p:has(> code), .read details.file, .read .about { display: none; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 0 1.5rem; } .sides > div { min-width: 0; }
.sides > div > h4 { font: 600 .87rem var(--mono); } .read .scenario:has(.sides) .choice > :is(label, button) { display: none; }
#result.old { opacity: .45; }
.problems { list-style: none; padding: 0; margin: 0 0 .8rem; } .problems li { padding: .25rem 0; }
.problems .error button { border-color: var(--fail); color: var(--fail); } .problems .warning button { border-color: var(--doubt); color: var(--doubt); }
.problems button { min-height: 1.6rem; padding: 0 .5rem; margin-right: .3rem; }
:is(#logs, #compare) pre { overflow-x: auto; margin: .3rem 0; font-size: .82rem; } #compare p { margin: .3rem 0; } #compare .result { font-weight: 600; } #logs input { min-height: 2rem; padding: 0 .4rem; }
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
${DOCUMENT_STYLE}${HOME_STYLE}${TIMELINE_STYLE}`;
