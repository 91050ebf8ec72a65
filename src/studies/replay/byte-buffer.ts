// Bytes that are assembled for a line. The buffer is reused, so that a line leaves no garbage to collect.
export class ByteBuffer {
  /** A larger array replaces this one when it is full. */
  bytes = new Uint8Array(256);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  add(bytes: Uint8Array, from: number, to: number): void {
    this.#makeRoom(to - from);
    this.bytes.set(bytes.subarray(from, to), this.length);
    this.length += to - from;
  }

  addByte(byte: number): void {
    this.#makeRoom(1);
    this.bytes[this.length++] = byte;
  }

  #makeRoom(length: number): void {
    if (this.length + length <= this.bytes.length) return;
    const larger = new Uint8Array(2 * (this.bytes.length + length));
    larger.set(this.bytes);
    this.bytes = larger;
  }
}
