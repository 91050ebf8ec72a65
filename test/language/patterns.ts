// What the words and names of Weir may not be (docs/inside/language.md). Each rule is one pattern over one kind of text.

/** Where a text stands in the project decides which rules it has to keep. */
export type TextKind = "identifier" | "function" | "type" | "prose" | "message";

export interface LanguageRule {
  readonly name: string;
  readonly kinds: readonly TextKind[];
  readonly pattern: RegExp;
  /** The advice that a finding prints. */
  readonly instead: string;
  /** Whether the rule holds in that file; unset: in all. */
  readonly holdsIn?: (path: string) => boolean;
}

const PROSE: readonly TextKind[] = ["prose", "message"];

export const rules: readonly LanguageRule[] = [
  {
    // "standing" is allowed: a column of history files, and public formats keep their names.
    name: "identifier of the dialect",
    kinds: ["identifier"],
    pattern:
      /^(told|tells?|telling|said|says?|heard|hear(s|ing)?|kept|meant|asks?|asked|asking|obey\w*|whose|who|whoever|behind|besides?|believe\w*|nobody|somebody|everybody|standings)$/i,
    instead: "name what it holds, or what it does",
  },
  {
    name: "function named by a participle",
    kinds: ["function"],
    pattern:
      /^(?!(need|feed|seed|speed|embed|exceed|proceed)(?=[A-Z]|$))(made|found|known|held|sent|given|taken|drawn|shown|written|seen|lost|left|built|[a-z]{2,}ed)(?=[A-Z]|$)/,
    instead: "a verb: createRecord, not recordMade",
  },
  {
    name: "type named by a participle",
    kinds: ["type"],
    pattern: /^(Told|Found|Kept|Known|Held|Played|Judged|Shown|Asked|Made|Seen|Place|Standing)$/,
    instead: "a noun that is there once in src, with its room: SqliteReply",
  },
  {
    name: "speech",
    kinds: PROSE,
    pattern:
      /(?<!the specification )(?<!did you )\b(told|tells?|telling|heard|hears?|obey(s|ed)?|believe[sd]?|says?|said|asks?|asked|meant)\b/gi,
    instead: "software reads, returns, reports, applies",
  },
  {
    name: "persons",
    kinds: PROSE,
    pattern:
      /\b(whoever|whom|(some|no|every)body)\b|(?<!\b(user|client|reader)s? )\bwho (is|are|has|asks?|waits?|calls?|needs?|wants?)\b/gi,
    instead: "the user, the client, the component",
  },
  {
    name: "posture",
    kinds: PROSE,
    pattern:
      /\b(lies|stands?|stood|beside)\b|\b(held against|at hand|behind the (answer|response))\b|(?<!when it )\b(comes?|came) to\b/gi,
    instead: "what a thing is or does, not where it lies",
  },
  {
    name: "style",
    kinds: PROSE,
    pattern:
      /\b(play(s|ed|ing)?|judge[sd]?|judging|picture|assertions?)\b|\bso many\b|\ba (text|sentence) says\b|(^\s*|[.:;]\s+)What (is|was|has|comes|stands)\b(?![^.;]*\?)/gi,
    instead: "the word of the glossary",
  },
  {
    name: "fault",
    kinds: PROSE,
    pattern: /(?<!\binjected )\bfaults?\b/gi,
    instead: "problem, error, bug; a fault is what a scenario injects",
    holdsIn: (path) => !path.startsWith("src/lab/sim/"),
  },
  {
    name: "word for a type",
    kinds: ["message"],
    pattern: /\b(whole numbers?|yes or no|members?|stamps?)\b|\b(a|as|is no|no) texts?\b(?!\/)/gi,
    instead: "string, integer, boolean, field, timestamp",
  },
];

/** A line of a page is no longer, outside tables, code and addresses. */
export const MOST_COLUMNS = 120;
/** A sentence of a page has no more words. */
export const MOST_WORDS = 30;
