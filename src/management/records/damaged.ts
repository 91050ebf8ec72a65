// Documents that are none: written past Weir, or by a disk. What is made of them says so, and the rest goes on.
import { isObject, readJson, type JsonObject } from "../json.ts";

/** A sentence for whoever runs the gateway. The second argument tells a record's fault from an outage of all. */
export type TellOfRecords = (sentence: string, about?: "a record") => void;

/** Names something whose document is none. */
export type Damaged = (what: string) => void;

/** Null where it is no JSON, or no object. */
export function objectOf(text: string): JsonObject | null {
  const read = readJson(text);
  return "problems" in read || !isObject(read.value) ? null : read.value;
}

const MOST_TOLD = 10_000;

/** What is said of a record is told once, however often it is met, and whoever meets it. */
export function eachOnce(tell: TellOfRecords): TellOfRecords {
  const told = new Set<string>();
  return (sentence, about) => {
    if (about === undefined) return tell(sentence);
    if (told.has(sentence)) return;
    if (told.size >= MOST_TOLD) told.clear();
    told.add(sentence);
    tell(sentence, about);
  };
}

export function damagedIn(tellEach: TellOfRecords): Damaged {
  const tell = eachOnce(tellEach);
  return (what) => {
    const fix = "put a copy of it back, or delete it";
    tell(`records: ${what} is damaged, and left out: what it holds is no JSON; ${fix}`, "a record");
  };
}
