import * as fc from "fast-check";

const SURROGATES = { first: 0xd800, count: 0x800 };
const LAST = 0x10ffff;

/**
 * The unit of strings that may have any character: draws and shrinks as fast-check's own unit "binary", which makes a table
 * of all 1.1 million characters in each process, and takes a second for it.
 */
export const ANY_CHARACTER: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: LAST - SURROGATES.count })
  .map(
    (index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count),
    (text) => {
      const code =
        typeof text === "string" && text.isWellFormed() ? text.codePointAt(0) : undefined;
      if (code === undefined || text !== String.fromCodePoint(code))
        throw new Error("no character");
      return code < SURROGATES.first ? code : code - SURROGATES.count;
    },
  );
