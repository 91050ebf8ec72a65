// Names in a log, each with a number: of clients, or of the endpoints that they request. A name is compared as bytes, so
// that a string is created once for each name and not for each line.
import { enlargeColumn } from "./arrivals.ts";

/** Between the fields of one name, such as a client by two fields: no field has it. */
export const SEPARATOR = 31;

const FIRST_SLOTS = 1024;
const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const LATIN_1 = new TextDecoder("latin1");

/** Bytes that are no UTF-8 have a name too: replacement characters would give two clients one name. */
function textOf(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return LATIN_1.decode(bytes);
    throw error;
  }
}

/** A slot has the hash of a name and where its record is, so that most look-ups fetch two lines of memory. */
const SLOT = 2;
const HASH = 0;
const RECORD = 1; // in words, plus 1; 0: free

/** A record is the number of the name, its length in bytes, and its bytes. */
const NUMBER = 0;
const LENGTH = 1;
const HEADER = 2; // words
const WORD = 4; // bytes

export class NameTable {
  #count = 0;
  #decoded: string[] = []; // the first names; the others are decoded when they are needed
  #words = new Int32Array(8 * FIRST_SLOTS);
  #bytes = new Uint8Array(this.#words.buffer);
  #used = 0; // words
  #slots = new Int32Array(SLOT * FIRST_SLOTS);
  #records = new Int32Array(FIRST_SLOTS); // by number

  get count(): number {
    return this.#count;
  }

  /** All names by their numbers, as strings: of millions of names they take more memory than the records. */
  get names(): readonly string[] {
    while (this.#decoded.length < this.#count)
      this.#decoded.push(this.nameOf(this.#decoded.length));
    return this.#decoded;
  }

  nameOf(id: number): string {
    const record = this.#records[id]!;
    const start = (record + HEADER) * WORD;
    return textOf(this.#bytes.subarray(start, start + this.#words[record + LENGTH]!));
  }

  /** A new name has the next number. */
  idOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    hash ^= hash >>> 15;
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - SLOT;
    for (let at = (hash * SLOT) & mask; ; at = (at + SLOT) & mask) {
      const record = slots[at + RECORD]! - 1;
      if (record < 0) return this.#add(bytes, from, to, hash, at);
      if (
        slots[at + HASH] === hash &&
        words[record + LENGTH] === to - from &&
        isSame(this.#bytes, (record + HEADER) * WORD, bytes, from, to)
      )
        return words[record + NUMBER]!;
    }
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, at: number): number {
    const id = this.#count++;
    const record = this.#used;
    this.#used += HEADER + Math.ceil((to - from) / WORD);
    if (this.#used > this.#words.length) {
      const larger = new Int32Array(Math.ceil(1.5 * this.#used));
      larger.set(this.#words);
      this.#words = larger;
      this.#bytes = new Uint8Array(larger.buffer);
    }
    this.#words[record + NUMBER] = id;
    this.#words[record + LENGTH] = to - from;
    const start = (record + HEADER) * WORD;
    for (let i = from; i < to; i++) this.#bytes[start + i - from] = bytes[i]!;
    if (id === this.#records.length)
      this.#records = enlargeColumn(this.#records, new Int32Array(2 * id));
    this.#records[id] = record;
    this.#slots[at + HASH] = hash;
    this.#slots[at + RECORD] = record + 1;
    if (this.#count * SLOT > 0.7 * this.#slots.length) this.#enlargeSlots();
    return id;
  }

  #enlargeSlots(): void {
    const before = this.#slots;
    const slots = new Int32Array(2 * before.length);
    const mask = slots.length - SLOT;
    for (let from = 0; from < before.length; from += SLOT) {
      if (before[from + RECORD] === 0) continue;
      let at = (before[from + HASH]! * SLOT) & mask;
      while (slots[at + RECORD] !== 0) at = (at + SLOT) & mask;
      slots[at + HASH] = before[from + HASH]!;
      slots[at + RECORD] = before[from + RECORD]!;
    }
    this.#slots = slots;
  }
}

function isSame(
  own: Uint8Array,
  start: number,
  bytes: Uint8Array,
  from: number,
  to: number,
): boolean {
  for (let at = from; at < to; at++) if (own[start + at - from] !== bytes[at]) return false;
  return true;
}
