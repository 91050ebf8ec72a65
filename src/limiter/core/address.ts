// Client addresses of budgets that count by address (LIM-C17), and of scenarios (`from:`). All spellings of an
// address get the same text here, so that they count as one client.

/** The 4 or 16 bytes of an address; null for other text. An IPv4 address inside IPv6 (`::ffff:10.0.0.7`) has 4. */
export function parseAddress(text: string): Uint8Array | null {
  const bare = text.split("%", 1)[0]!; // the zone of a link-local address names an interface of this machine
  const bytes = bare.includes(":") ? parseIpv6(bare) : parseIpv4(bare);
  return bytes?.length === 16 && MAPPED.every((byte, i) => bytes[i] === byte)
    ? bytes.slice(12)
    : bytes;
}

const MAPPED = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255] as const;

/** Rejects parts with leading zeros, because some parsers read `010` as 8. */
function parseIpv4(text: string): Uint8Array | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text);
  const parts = match?.slice(1) ?? [];
  const isSound = parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d*)$/.test(part));
  return isSound && parts.every((part) => Number(part) < 256)
    ? Uint8Array.from(parts, Number)
    : null;
}

function parseIpv6(text: string): Uint8Array | null {
  const tail = /^(.*:)(\d+\.[\d.]*)$/.exec(text);
  const ipv4 = tail === null ? undefined : parseIpv4(tail[2]!);
  if (ipv4 === null) return null;
  const groupsOf = (part: string): string[] => (part === "" ? [] : part.split(":"));
  const written = ipv4 === undefined ? text : `${tail![1]!}${asGroups(ipv4)}`;
  const halves = written.split("::");
  if (halves.length > 2) return null;
  const before = groupsOf(halves[0]!);
  const after = halves.length === 2 ? groupsOf(halves[1]!) : [];
  const left = 8 - before.length - after.length;
  if (halves.length === 2 ? left < 1 : left !== 0) return null;
  const groups = [...before, ...Array.from({ length: left }, () => "0"), ...after];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return null;
  return Uint8Array.from(
    groups.flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 255];
    }),
  );
}

const asGroups = (ipv4: Uint8Array): string =>
  [0, 2].map((i) => (ipv4[i]! * 256 + ipv4[i + 1]!).toString(16)).join(":");

/** The address in the form of RFC 5952: small letters, no leading zeros, the longest run of zero groups left out. */
export function formatAddress(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join(".");
  const groups = Array.from({ length: 8 }, (_, i) => bytes[2 * i]! * 256 + bytes[2 * i + 1]!);
  let [best, length] = [0, 1];
  for (let start = 0; start < 8; start++) {
    let end = start;
    while (end < 8 && groups[end] === 0) end++;
    if (end - start > length) [best, length] = [start, end - start];
  }
  const text = (part: readonly number[]): string =>
    part.map((group) => group.toString(16)).join(":");
  return length === 1
    ? text(groups)
    : `${text(groups.slice(0, best))}::${text(groups.slice(best + length))}`;
}

/** The first address of the network with `bits` bits that contains this address. */
export const networkOf = (bytes: Uint8Array, bits: number): Uint8Array =>
  bytes.map((byte, i) => byte & (0xff00 >> Math.min(8, Math.max(0, bits - 8 * i))));

/** The address at an index of a network, counted from its first address. */
export function addressAt(first: Uint8Array, place: number): Uint8Array {
  const bytes = first.slice();
  for (let i = bytes.length - 1, left = place; i >= 0 && left > 0; i--) {
    const sum = bytes[i]! + (left % 256);
    bytes[i] = sum % 256;
    left = Math.floor(left / 256) + Math.floor(sum / 256);
  }
  return bytes;
}
