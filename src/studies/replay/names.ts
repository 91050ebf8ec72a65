// Numbers names of a log: clients, or the endpoints that they request. Names are compared as bytes, so that a string is
// created once for each name and not for each line.
import { enlargeColumn } from "./arrivals.ts";

/** Separates the fields of one name, such as a client by two fields. No field has this byte. */
export const SEPARATOR = 31;

const FIRST_SLOTS = 1024;
const UTF_8 = new TextDecoder("utf-8", { fatal: true });
const LATIN_1 = new TextDecoder("latin1");

/** Reads bytes that are no UTF-8 as Latin-1: replacement characters could give two clients one name. */
function textOf(bytes: Uint8Array): string {
  try {
    return UTF_8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return LATIN_1.decode(bytes);
    throw error;
  }
}

/** The hash function FNV-1a. */
export function hashOf(name: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < name.length; at++)
    hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** Method and path of a target, without its query and the fields of its sender. */
export const endpointName = (target: string): string =>
  target.split(String.fromCodePoint(SEPARATOR), 1)[0]!.split("?", 1)[0]!;

/** Words of a slot: a name's hash and the position of its record. So most look-ups fetch only two cache lines. */
const SLOT = 2;
const HASH = 0;
const RECORD = 1; // position of the record in words, plus 1; 0: the slot is free

/** A record has the number of the name, its length and its bytes. The length of a short name takes one byte. */
const NUMBER = 0;
const TEXT = 1;
const LONG = 255; // marks a long name, whose length is the next word
const WORD = 4; // bytes
const MARK_EVERY = 16;

/** Records are in pages, which are never copied: copying a growing table would take twice its memory. */
const PAGE_BITS = 18;
const PAGE = 1 << PAGE_BITS; // words

/** Words of an entry of the queue: the hash of a name, and the start and the end of the name's words. */
const QUEUED = 3;
const QUEUED_HASH = 0;
const QUEUED_START = 1; // in #queuedWords
const QUEUED_END = 2;

/** Bytes of names one after the other, and the end of each. */
export interface PackedNames {
  readonly bytes: Uint8Array;
  readonly ends: Int32Array;
}

export class NameTable {
  #count = 0;
  #decoded: string[] = []; // the first names as strings; others are decoded when needed
  #pages = [new Int32Array(PAGE)];
  #used = 0; // words in use in the last page
  #slots = new Int32Array(SLOT * FIRST_SLOTS);
  #marks = new Int32Array(FIRST_SLOTS); // positions of every sixteenth record, where a search for another begins
  #queued = 0;
  #queue = new Int32Array(QUEUED * FIRST_SLOTS);
  #queuedWords = new Int32Array(8 * FIRST_SLOTS);
  #queuedEnd = 0; // words in use in #queuedWords

  get count(): number {
    return this.#count;
  }

  /** All names by number, as strings. Strings of millions of names take more memory than the records. */
  get names(): readonly string[] {
    while (this.#decoded.length < this.#count)
      this.#decoded.push(this.nameOf(this.#decoded.length));
    return this.#decoded;
  }

  nameOf(id: number): string {
    return textOf(this.#bytesOf(this.#recordOf(id)));
  }

  /** Packs the names from a number on. */
  packFrom(first: number): PackedNames {
    const names: Uint8Array[] = [];
    const ends = new Int32Array(this.#count - first);
    let end = 0;
    let record = first < this.#count ? this.#recordOf(first) : 0;
    for (let id = first; id < this.#count; id++) {
      const bytes = this.#bytesOf(record);
      names.push(bytes);
      ends[id - first] = end += bytes.length;
      if (id + 1 < this.#count) record = this.#recordAfter(record, id);
    }
    const bytes = new Uint8Array(end);
    for (const [index, name] of names.entries()) bytes.set(name, ends[index]! - name.length);
    return { bytes, ends };
  }

  /** Renumbers all names: the name with the number `order[i]` gets the number i. */
  renumber(order: Int32Array): void {
    const records = new Int32Array(this.#count);
    for (let id = 1; id < this.#count; id++)
      records[id] = this.#recordAfter(records[id - 1]!, id - 1);
    const table = new NameTable();
    for (const id of order) {
      const bytes = this.#bytesOf(records[id]!);
      table.idOf(bytes, 0, bytes.length);
    }
    this.#decoded = [];
    this.#pages = table.#pages;
    this.#used = table.#used;
    this.#slots = table.#slots;
    this.#marks = table.#marks;
  }

  /** Returns the number of a name; a new name gets the next number. The queue must be empty. */
  idOf(bytes: Uint8Array, from: number, to: number): number {
    this.queue(bytes, from, to);
    this.#queued = this.#queuedEnd = 0;
    return this.#find(0);
  }

  /** Queues a name. `takeQueued` writes the numbers of all queued names. */
  queue(bytes: Uint8Array, from: number, to: number): void {
    const length = to - from;
    const start = this.#queuedEnd;
    this.#makeRoom(start + WORD + (length >> 2));
    const words = this.#queuedWords;
    let at = from;
    let end = start;
    let word = length;
    if (length >= LONG) words[end++] = LONG;
    else for (let shift = 8; shift < 32 && at < to; at++, shift += 8) word |= bytes[at]! << shift;
    words[end++] = word;
    let hash = mix(0, word);
    for (; at + WORD <= to; at += WORD) {
      word = bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
      words[end++] = word;
      hash = mix(hash, word);
    }
    if (at < to) {
      word = 0; // the last word of a text is padded with zeros
      for (let shift = 0; at < to; at++, shift += 8) word |= bytes[at]! << shift;
      words[end++] = word;
      hash = mix(hash, word);
    }
    const queue = this.#queue;
    const entry = QUEUED * this.#queued++;
    queue[entry + QUEUED_HASH] = hash;
    queue[entry + QUEUED_START] = start;
    queue[entry + QUEUED_END] = end;
    this.#queuedEnd = end;
  }

  /**
   * Writes the numbers of the queued names. Most of a large table is not in the processor's cache. So all slots are
   * fetched first and all records then: fetches that do not depend on each other overlap.
   */
  takeQueued(ids: Int32Array): void {
    const queued = this.#queued;
    const queue = this.#queue;
    const slots = this.#slots;
    const mask = slots.length - SLOT;
    for (let i = 0; i < queued; i++) {
      const hash = queue[QUEUED * i + QUEUED_HASH]!;
      let at = (hash * SLOT) & mask;
      while (slots[at + HASH] !== hash && slots[at + RECORD] !== 0) at = (at + SLOT) & mask;
      ids[i] = slots[at + RECORD]! - 1;
    }
    for (let i = 0; i < queued; i++) {
      const record = ids[i]!;
      ids[i] = record < 0 ? -1 : this.#numberIn(record, QUEUED * i);
    }
    // Only new names, and the few whose hash another name has, have no number yet.
    for (let i = 0; i < queued; i++) if (ids[i]! < 0) ids[i] = this.#find(QUEUED * i);
    this.#queued = this.#queuedEnd = 0;
  }

  /** Finds or adds a queued name, and returns its number. */
  #find(entry: number): number {
    const hash = this.#queue[entry + QUEUED_HASH]!;
    const slots = this.#slots;
    const mask = slots.length - SLOT;
    for (let at = (hash * SLOT) & mask; ; at = (at + SLOT) & mask) {
      const record = slots[at + RECORD]! - 1;
      if (record < 0) return this.#add(entry, at);
      const number = slots[at + HASH] === hash ? this.#numberIn(record, entry) : -1;
      if (number >= 0) return number;
    }
  }

  /** The number in a record; -1: the record has another name. */
  #numberIn(record: number, entry: number): number {
    const page = this.#pages[record >> PAGE_BITS]!;
    const at = record & (PAGE - 1);
    const words = this.#queuedWords;
    const start = this.#queue[entry + QUEUED_START]!;
    const end = this.#queue[entry + QUEUED_END]!;
    for (let i = start; i < end; i++) if (page[at + TEXT + i - start] !== words[i]) return -1;
    return page[at + NUMBER]!;
  }

  /** Adds a queued name in the free slot `at`. */
  #add(entry: number, at: number): number {
    const start = this.#queue[entry + QUEUED_START]!;
    const end = this.#queue[entry + QUEUED_END]!;
    const words = TEXT + end - start;
    let page = this.#pages.at(-1)!;
    if (this.#used + words > page.length) {
      page = new Int32Array(Math.max(PAGE, words));
      this.#pages.push(page);
      this.#used = 0;
    }
    const id = this.#count++;
    const record = (this.#pages.length - 1) * PAGE + this.#used;
    page[this.#used + NUMBER] = id;
    page.set(this.#queuedWords.subarray(start, end), this.#used + TEXT);
    this.#used += words;
    if (id % MARK_EVERY === 0) {
      const mark = id / MARK_EVERY;
      if (mark === this.#marks.length)
        this.#marks = enlargeColumn(this.#marks, new Int32Array(2 * mark));
      this.#marks[mark] = record;
    }
    this.#slots[at + HASH] = this.#queue[entry + QUEUED_HASH]!;
    this.#slots[at + RECORD] = record + 1;
    if (this.#count * SLOT > 0.7 * this.#slots.length) this.#enlargeSlots();
    return id;
  }

  #recordOf(id: number): number {
    let record = this.#marks[Math.floor(id / MARK_EVERY)]!;
    for (let number = id - (id % MARK_EVERY); number < id; number++)
      record = this.#recordAfter(record, number);
    return record;
  }

  /** The record of the next number: it follows this one, or begins the next page. */
  #recordAfter(record: number, number: number): number {
    const { start, length } = this.#spanOf(record);
    const page = record >> PAGE_BITS;
    const next = record + TEXT + Math.ceil((start + length) / WORD);
    const isInPage = next >> PAGE_BITS === page;
    return isInPage && this.#pages[page]![next & (PAGE - 1)] === number + 1
      ? next
      : (page + 1) * PAGE;
  }

  /** Where the bytes of a name are in its record, after the number. */
  #spanOf(record: number): { readonly start: number; readonly length: number } {
    const page = this.#pages[record >> PAGE_BITS]!;
    const at = (record & (PAGE - 1)) + TEXT;
    const length = page[at]! & LONG;
    return length < LONG ? { start: 1, length } : { start: 2 * WORD, length: page[at + 1]! };
  }

  #bytesOf(record: number): Uint8Array {
    const page = this.#pages[record >> PAGE_BITS]!;
    const at = (record & (PAGE - 1)) + TEXT;
    const { start, length } = this.#spanOf(record);
    const bytes = new Uint8Array(length);
    for (let i = 0; i < length; i++)
      bytes[i] = page[at + Math.floor((start + i) / WORD)]! >>> (8 * ((start + i) % WORD));
    return bytes;
  }

  /** Makes room for one more queued name, whose words end at `end`. */
  #makeRoom(end: number): void {
    if (end > this.#queuedWords.length)
      this.#queuedWords = enlargeColumn(this.#queuedWords, new Int32Array(2 * end));
    const { length } = this.#queue;
    if (QUEUED * (this.#queued + 1) > length)
      this.#queue = enlargeColumn(this.#queue, new Int32Array(2 * length));
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
