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
