// The rule that an expected failure has one form: `Failure` of src/kit/reading/failure.ts
// (docs/decisions/036-one-form-of-failure.md).

const FIELD = "(?:problems?|errors?|missing|wrong|faults?|failure|reason|why)";
const ONLY_FIELD = String.raw`\{\s*(?:readonly\s+)?${FIELD}\??:\s*(?:readonly\s+)?string(?:\[\])?[;,]?\s*\}`;
const VALUE = String.raw`(?:(?!Failure\b)[A-Z]\w*(?:<[^<>()]*>)?|number|readonly \w+\[\])(?: \| null)?`;

/** Each other form of a failure: an object with its text alone, a guard of such an object, a text in place of a value. */
const OTHER_FORMS: readonly RegExp[] = [
  new RegExp(String.raw`\|\s*${ONLY_FIELD}|${ONLY_FIELD}\s*\|`, "g"),
  /"(?:problems?|missing|wrong|faults?|failure)" in \w+/g,
  new RegExp(String.raw`\)\s*:\s*(?:Promise<)?${VALUE} \| (?:readonly string\[\]|string\b)`, "g"),
];

/** `code` has no comments. */
export function failureProblems(path: string, code: string): readonly string[] {
  return OTHER_FORMS.flatMap((form) =>
    [...code.matchAll(form)].map(({ 0: found, index }) => {
      const line = code.slice(0, index).split("\n").length;
      const shown = found.replaceAll(/\s+/g, " ");
      return `${path}:${line} has a failure of another form (${shown}): return a Failure of src/kit/reading/failure.ts`;
    }),
  );
}
