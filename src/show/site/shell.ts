// What every page of the site has around its content. Relative addresses work on any host and in any folder.
import { html, type Html } from "../html/html.ts";
import type { PreviewRect } from "./previews/preview.ts";

export interface SitePage {
  readonly path: string; // from the root of the site, such as "playground/index.html"
  readonly place: SitePlace | null; // null if it is not a page of the main menu
  readonly title: string;
  readonly about: string; // one sentence, for search engines and previews
  readonly scripts: readonly string[]; // names in the folder assets
  readonly contents: Html;
  readonly preview?: readonly PreviewRect[]; // unset: that of the first page
}

const PLACES = {
  Playground: "playground/",
  Algorithms: "algorithms/",
  Implementations: "implementations/",
  Documentation: "docs/",
} as const;
export type SitePlace = keyof typeof PLACES;

/** Pages of the site load nothing from elsewhere. The editor inserts its style into the page. */
const POLICY =
  "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/** The relative path from a page to the root of the site. */
export const rootFrom = (path: string): string => "../".repeat(path.split("/").length - 1) || "./";

/** `preview` is the path of an image, from the root of the site. */
export function sitePageHtml(
  { path, place, title, about, scripts, contents }: SitePage,
  preview: string,
): Html {
  const root = rootFrom(path);
  const links = Object.entries(PLACES).map(
    ([name, folder]) =>
      html`<a href="${root}${folder}"${name === place && html` aria-current="page"`}>${name}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="description" content="${about}">
<meta property="og:site_name" content="Weir">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:image" content="${root}${preview}">
<meta name="twitter:card" content="summary_large_image">
<link rel="icon" href="data:,">
<title>${title}</title>
<link rel="stylesheet" href="${root}assets/site.css">
<script src="${root}assets/scheme.js"></script>
${scripts.map((script) => html`<script type="module" src="${root}assets/${script}"></script>`)}
</head>
<body data-root="${root}">
<a class="skip" href="#contents">Skip to the contents</a>
<header class="site"><a class="home" href="${root}">Weir</a><nav aria-label="Site">${links}</nav></header>
<main id="contents" tabindex="-1">
${contents}
</main>
</body>
</html>
`;
}

const IMAGE = /(?<=<meta property="og:image" content=")(?:\.\.?\/)+/;

/** A page that will be hosted at that address: other sites need whole addresses for a preview of a link. */
export const withAddress = (page: string, path: string, address: string): string =>
  page
    .replace(IMAGE, () => address)
    .replace(/(?=<meta property="og:title")/, () =>
      String(
        html`<meta property="og:url" content="${address}${path.replace(/(^|\/)index\.html$/, "$1")}">\n`,
      ),
    );
