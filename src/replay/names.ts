// Names in a log, each with a number: of clients, or of the endpoints that they request. A name is compared as bytes, so
// that a string is created once for each name and not for each line.
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

export class NameTable {
  readonly names: string[] = [];
  #bytes = new Uint8Array(16 * FIRST_SLOTS);
  #ends = new Float64Array(FIRST_SLOTS); // where each name ends; it begins at the end before it
  #hashes = new Int32Array(FIRST_SLOTS);
  #slots = new Int32Array(FIRST_SLOTS); // the number of a name plus 1; 0: free

  /** A new name has the next number. */
  idOf(bytes: Uint8Array, from: number, to: number): number {
    let hash = 0x811c9dc5 | 0;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ bytes[at]!, 0x01000193);
    hash ^= hash >>> 15;
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = this.#slots[slot]! - 1;
      if (id < 0) return this.#add(bytes, from, to, hash, slot);
      if (this.#hashes[id] === hash && this.#isNamed(id, bytes, from, to)) return id;
    }
  }

  #isNamed(id: number, bytes: Uint8Array, from: number, to: number): boolean {
    const start = id === 0 ? 0 : this.#ends[id - 1]!;
    if (this.#ends[id]! - start !== to - from) return false;
    const own = this.#bytes;
    for (let at = 0; at < to - from; at++) if (own[start + at] !== bytes[from + at]) return false;
    return true;
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): number {
    const id = this.names.length;
    const name = bytes.subarray(from, to);
    const start = id === 0 ? 0 : this.#ends[id - 1]!;
    if (start + name.length > this.#bytes.length) {
      const larger = new Uint8Array(2 * this.#bytes.length + name.length);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(name, start);
    this.#ends[id] = start + name.length;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    this.names.push(textOf(name));
    if (2 * this.names.length > this.#slots.length) this.#enlarge();
    return id;
  }

  #enlarge(): void {
    const slots = new Int32Array(2 * this.#slots.length);
    const mask = slots.length - 1;
    for (let id = 0; id < this.names.length; id++) {
      let slot = this.#hashes[id]! & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
    const ends = new Float64Array(slots.length);
    ends.set(this.#ends);
    this.#ends = ends;
    const hashes = new Int32Array(slots.length);
    hashes.set(this.#hashes);
    this.#hashes = hashes;
  }
}
