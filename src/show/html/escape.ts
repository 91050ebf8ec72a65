// Only `html` and the JUnit writer import this file. All other code writes markup with `html`, which always escapes.
import { legible } from "../../kit/reading/legible.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Escapes text for use between elements and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** Escapes text for XML: parsers convert a bare carriage return to a line feed and reject control characters. */
export const escapeXml = (text: string): string =>
  escapeHtml(legible(text)).replaceAll("\r", "&#13;");

export const escapeXmlAttribute = (text: string): string =>
  escapeXml(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
