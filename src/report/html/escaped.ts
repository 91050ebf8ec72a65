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

const ILLEGIBLE = /[^\t\n\r\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** What XML may not hold, and what a terminal would obey, is told by its number. */
export const legible = (text: string): string =>
  text.replaceAll(
    ILLEGIBLE,
    (sign) => String.raw`\u${sign.codePointAt(0)!.toString(16).padStart(4, "0")}`,
  );

/** Text as it may stand in XML; every reader turns what is not told by its number into something else. */
export const xmlEscaped = (text: string): string =>
  escaped(legible(text)).replaceAll("\r", "&#13;");

export const xmlAttribute = (text: string): string =>
  xmlEscaped(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
