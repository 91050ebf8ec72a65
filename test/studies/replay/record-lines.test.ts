import * as fc from "fast-check";
import { expect, test } from "vitest";
import { RecordLines } from "#src/studies/replay/record-lines.ts";
import { quotesOf } from "#src/studies/replay/separated.ts";
import { holds } from "../../runs.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

interface ReadLines {
  readonly records: readonly string[];
  readonly unreadable: readonly number[];
}

/** As a log has them: blocks of whole lines. `isRecord` is what a reader makes of a line. */
function readLines(
  text: string,
  linesOfBlock: number,
  isRecord: (record: string) => boolean,
): ReadLines {
  const records: string[] = [];
  const unreadable: number[] = [];
  const reading = new RecordLines(quotesOf(","), {
    read: (bytes, from, to) => {
      const record = decoder.decode(bytes.subarray(from, to));
      if (isRecord(record)) records.push(record);
      return isRecord(record);
    },
    noteUnreadable: (_, number) => unreadable.push(number),
  });
  const lines = text.split("\n");
  for (let first = 0; first < lines.length; first += linesOfBlock) {
    const some = lines.slice(first, first + linesOfBlock);
    const block = encoder.encode(some.join("\n"));
    let from = 0;
    for (const [index, line] of some.entries()) {
      const to = from + encoder.encode(line).length;
      reading.add(block, from, to, first + index + 1);
      from = to + 1;
    }
  }
  reading.end();
  return { records, unreadable };
}

const value = fc.oneof(
  fc.stringMatching(/^[a-z]{0,5}$/),
  fc.stringMatching(/^[a-z][a-z"]{0,4}$/), // a quote within a value is no more than a letter
  fc.stringMatching(/^[a-z ,"\n]{0,8}$/).map((text) => `"${text.replaceAll('"', '""')}"`),
);
const record = fc.array(value, { minLength: 2, maxLength: 4 }).map((values) => values.join(","));

test("records are read whole, wherever values in quotes have line breaks and blocks end", () => {
  let long = 0;
  holds(
    fc.property(
      fc.array(record, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 5 }),
      (all, size) => {
        expect(readLines(all.join("\n"), size, () => true)).toEqual({
          records: all,
          unreadable: [],
        });
        if (all.some((each) => each.includes("\n"))) long++;
      },
    ),
    300,
  );
  expect(long).toBeGreaterThan(30);
});

test("a quote that nothing closes is one damaged line, and the lines after it are read", () => {
  const isRecord = (text: string): boolean => /^\d,(?:[a-z]*|"[^"]*")$/.test(text);
  const text = ["1,a", '2,"open', "3,b", '4,"c', 'd"', "5,e", '6,"open'].join("\n");
  for (const size of [1, 2, 7])
    expect(readLines(text, size, isRecord)).toEqual({
      records: ["1,a", "3,b", '4,"c\nd"', "5,e"],
      unreadable: [2, 7],
    });
});

test("a value without an end is given up after 100 lines or 64 KiB", () => {
  const isRecord = (text: string): boolean => !text.includes("open");
  const few = readLines(`"open\n${"a\n".repeat(98)}b"`, 50, () => true);
  expect(few.records).toHaveLength(1);
  const many = readLines(`"open\n${"a\n".repeat(99)}b"`, 50, isRecord);
  expect(many).toMatchObject({ records: { length: 100 }, unreadable: [1] });
  const large = readLines(`"open\n${"a".repeat(1 << 16)}\nb"`, 50, isRecord);
  expect(large).toMatchObject({ records: { length: 2 }, unreadable: [1] });
});
