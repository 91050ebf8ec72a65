// Texts from files of whoever wrote them, as whoever reads them may be shown them.

/** The gap in the middle is of signs that end a line, and of those that change the order in which letters are shown. */
const ILLEGIBLE =
  /[^\t\n\r\u0020-\u007E\u00A0-\u2027\u202F-\u2065\u206A-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** What XML may not hold, and what a terminal would obey, is told by its number: as JSON has it, so that JSON means the same. */
export const legible = (text: string): string => text.replaceAll(ILLEGIBLE, byNumber);

/**
 * Nothing in it ends the line: what came behind would be taken for a line of ours, and a build server obeys lines that
 * begin with "::". GitHub's obeys "##[" wherever it stands.
 */
export const oneLine = (text: string): string =>
  legible(text)
    .replaceAll(/[\t\n\r]/g, (sign) => JSON.stringify(sign).slice(1, -1))
    .replaceAll(/(?<=#)#(?=\[)/g, byNumber);

function byNumber(sign: string): string {
  return String.raw`\u${sign.codePointAt(0)!.toString(16).padStart(4, "0")}`;
}

/** "1 request", "2 requests". */
export const many = (count: number, what: string): string =>
  `${count} ${what}${count === 1 ? "" : "s"}`;
