// The page /docs of a listener that serves no API at its root: links to the documents of its APIs.
import { INTERFACE } from "../interfaces.ts";
import { INTERFACES, type InterfaceName } from "../interface-name.ts";

/** Bases consist of letters, digits, dots, hyphens and slashes, so nothing has to be escaped. */
export function docsPage(bases: Readonly<Partial<Record<InterfaceName, string>>>): string {
  const items = INTERFACES.flatMap((name) => {
    const base = bases[name];
    if (base === undefined) return [];
    return [`<li><a href="${base}/docs">${INTERFACE[name].title}</a>: ${base}/docs</li>`];
  });
  const lines = [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    "<title>Weir: the interfaces of this listener</title></head><body>",
    "<h1>The interfaces of this listener</h1>",
    items.length === 0 ? "<p>There is none.</p>" : `<ul>${items.join("\n")}</ul>`,
    "<p>An interface with a port of its own has its document there.</p></body></html>",
  ];
  return `${lines.join("\n")}\n`;
}
