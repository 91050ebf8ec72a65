// Premises of the sentences about written files: which programs miss the target, and for which times the limits are.
import { FILES, withAdvice, type Document } from "./recommend-documents.ts";
import { THREE, type BrokenPremise } from "./recommend-premises.ts";

type File = Document["files"][number];
type Translation = NonNullable<File["translation"]>;
const fileFor = (to: string, change: Partial<Translation>): File => ({
  file: `${to}/limit`,
  isWritten: true,
  about: "",
  translation: { to, effect: null, mostClients: null, hasAll: true, ...change },
});
const MISSES = { effect: { refused: 9, requests: 99, refusedClients: 1, isMet: false } };
/** HAProxy refuses too much. */
const MISSED = { ...THREE, files: [...FILES, fileFor("haproxy", MISSES)] };
/** Requests of a second may come at once. */
const TIMED = withAdvice(
  { ...THREE, timestamps: "whole seconds", files: FILES },
  { rate: 5, placedRate: 8 },
);

export const BROKEN_BY_FILES: readonly BrokenPremise[] = [
  ["translation", "a program misses the target", MISSED, { ...THREE, files: FILES }, /^$/],
  [
    "translation",
    "one misses it",
    MISSED,
    { ...MISSED, files: [MISSED.files.at(-1)!, fileFor("nginx", MISSES)] },
    /^Of --to, haproxy and nginx miss the target\.$/,
  ],
  [
    "translation",
    "it has all limits, and all clients",
    MISSED,
    {
      ...MISSED,
      files: [
        fileFor("envoy", { mostClients: 20 }),
        fileFor("nginx", { hasAll: false }),
        { ...fileFor("tyk", { hasAll: false }), isWritten: false },
      ],
    },
    /^Of --to, envoy limits 20 clients at once; nginx lacks a limit; tyk is not written\.$/,
  ],
  ["timing", "times within a second matter", TIMED, withAdvice(TIMED, { placedRate: 5 }), /^$/],
  ["timing", "files are written", TIMED, { ...TIMED, files: [] }, /^$/],
  [
    "timing",
    "a rate is enough",
    TIMED,
    withAdvice(TIMED, { placedRate: null }),
    /^The files have 5 per 4 seconds, .+; for some other times no limit is enough\.$/,
  ],
];
