import { legible } from "../../reading/legible.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text as it may stand in a page, inside an attribute too. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** Text as it may stand in XML; every reader turns what is not told by its number into something else. */
export const xmlEscaped = (text: string): string =>
  escaped(legible(text)).replaceAll("\r", "&#13;");

export const xmlAttribute = (text: string): string =>
  xmlEscaped(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
