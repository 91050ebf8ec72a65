// Only `html` and the XML of JUnit import this file: everything else writes markup with `html`, which cannot forget it.
import { legible } from "../../kit/reading/legible.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Safe between elements and inside a quoted attribute. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign]!);

/** A parser of XML turns a bare carriage return into a line feed, and rejects control characters. */
export const escapeXml = (text: string): string =>
  escapeHtml(legible(text)).replaceAll("\r", "&#13;");

export const escapeXmlAttribute = (text: string): string =>
  escapeXml(text).replaceAll("\t", "&#9;").replaceAll("\n", "&#10;");
