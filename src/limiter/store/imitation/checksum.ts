// CRC-32 of a text, as zip files have it.

const REVERSED_POLYNOMIAL = 0xedb88320;

/** The CRC-32 of an ASCII text. Of any other character, only the lowest eight bits of its code are used. */
export function checksumOf(text: string): number {
  let sum = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    const byte = text.charCodeAt(at) & 0xff;
    sum ^= byte;
    for (let bit = 0; bit < 8; bit++)
      sum = (sum >>> 1) ^ ((sum & 1) === 1 ? REVERSED_POLYNOMIAL : 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
