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
const MARK_EVERY = 16;

const wordsOf = (length: number): number => HEADER + Math.ceil(length / WORD);

export class NameTable {
  #count = 0;
  #decoded: string[] = []; // the first names; the others are decoded when they are needed
  #words = new Int32Array(8 * FIRST_SLOTS);
  #bytes = new Uint8Array(this.#words.buffer);
  #own = new DataView(this.#words.buffer);
  #source: Uint8Array = this.#bytes; // of the last name: usually a block of many lines
  #view: DataView = this.#own; // of the source
  #used = 0; // words
  #slots = new Int32Array(SLOT * FIRST_SLOTS);
  #marks = new Int32Array(FIRST_SLOTS); // the record of every sixteenth number: the others follow it

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
    let record = this.#marks[Math.floor(id / MARK_EVERY)]!;
    for (let skipped = id % MARK_EVERY; skipped > 0; skipped--)
      record += wordsOf(this.#words[record + LENGTH]!);
    const start = (record + HEADER) * WORD;
    return textOf(this.#bytes.subarray(start, start + this.#words[record + LENGTH]!));
  }

  /** `order`: the numbers of all names, in the order in which they are numbered anew. */
  renumber(order: Int32Array): void {
    const starts = new Int32Array(this.#count);
    for (let id = 0, record = 0; id < this.#count; id++) {
      starts[id] = (record + HEADER) * WORD;
      record += wordsOf(this.#words[record + LENGTH]!);
    }
    const table = new NameTable();
    for (const id of order) {
      const start = starts[id]!;
      const length = this.#words[start / WORD - HEADER + LENGTH]!;
      table.idOf(this.#bytes, start, start + length);
    }
    this.#decoded = [];
    this.#words = table.#words;
    this.#bytes = this.#source = table.#bytes;
    this.#own = this.#view = table.#own;
    this.#used = table.#used;
    this.#slots = table.#slots;
    this.#marks = table.#marks;
  }

  /** A new name has the next number. */
  idOf(bytes: Uint8Array, from: number, to: number): number {
    if (bytes !== this.#source) {
      this.#source = bytes;
      this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    }
    const view = this.#view;
    const hash = hashOf(view, from, to);
    const slots = this.#slots;
    const words = this.#words;
    const mask = slots.length - SLOT;
    for (let at = (hash * SLOT) & mask; ; at = (at + SLOT) & mask) {
      const record = slots[at + RECORD]! - 1;
      if (record < 0) return this.#add(bytes, from, to, hash, at);
      if (
        slots[at + HASH] === hash &&
        words[record + LENGTH] === to - from &&
        isSame(this.#own, (record + HEADER) * WORD, view, from, to)
      )
        return words[record + NUMBER]!;
    }
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, at: number): number {
    const id = this.#count++;
    const record = this.#used;
    this.#used += wordsOf(to - from);
    if (this.#used > this.#words.length) {
      const larger = new Int32Array(Math.ceil(1.5 * this.#used));
      larger.set(this.#words);
      this.#words = larger;
      this.#bytes = new Uint8Array(larger.buffer);
      this.#own = new DataView(larger.buffer);
    }
    this.#words[record + NUMBER] = id;
    this.#words[record + LENGTH] = to - from;
    const start = (record + HEADER) * WORD;
    for (let i = from; i < to; i++) this.#bytes[start + i - from] = bytes[i]!;
    if (id % MARK_EVERY === 0) {
      const mark = id / MARK_EVERY;
      if (mark === this.#marks.length)
        this.#marks = enlargeColumn(this.#marks, new Int32Array(2 * mark));
      this.#marks[mark] = record;
    }
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

const mix = (hash: number, word: number): number => {
  const mixed = Math.imul(hash ^ word, 0x9e3779b1);
  return mixed ^ (mixed >>> 15);
};

/** By words, of which the last one may overlap the one before it: names have few words and many bytes. */
function hashOf(view: DataView, from: number, to: number): number {
  let hash = to - from;
  const last = to - WORD;
  if (last < from) {
    for (let at = from; at < to; at++) hash = mix(hash, view.getUint8(at));
    return hash;
  }
  for (let at = from; at < last; at += WORD) hash = mix(hash, view.getInt32(at, true));
  return mix(hash, view.getInt32(last, true));
}

function isSame(own: DataView, start: number, view: DataView, from: number, to: number): boolean {
  const last = to - WORD;
  if (last < from) {
    for (let at = from; at < to; at++)
      if (own.getUint8(start + at - from) !== view.getUint8(at)) return false;
    return true;
  }
  for (let at = from; at < last; at += WORD)
    if (own.getInt32(start + at - from, true) !== view.getInt32(at, true)) return false;
  return own.getInt32(start + last - from, true) === view.getInt32(last, true);
}
