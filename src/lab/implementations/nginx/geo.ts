// `geo` of nginx: the value of a variable by an address.
import { networkOf, parseAddress } from "../../../limiter/core/address.ts";
import type { Directive } from "./parse.ts";
import type { Expression } from "./request.ts";

/** Some addresses of a `geo`, and how many bits they have in common. */
interface Network {
  readonly first: Uint8Array;
  readonly last: Uint8Array;
  readonly bits: number;
  readonly value: string;
}

/** What nginx takes for text that is no address. */
const NO_ADDRESS = parseAddress("255.255.255.255")!;

/** The most specific network decides, and of ranges the last one. */
export function geoOf(
  { words, block }: Directive,
  compile: (word: string) => Expression,
): Expression {
  const source = compile(words.length < 2 ? "$remote_addr" : words[0]!);
  let networks: Network[] = [];
  let otherwise = "";
  for (const { name, words: values } of block ?? []) {
    if (name === "default") otherwise = values[0] ?? "";
    else if (name === "delete") {
      const gone = entryOf(values[0] ?? "", "");
      networks = networks.filter(
        ({ first, bits }) => !areSame(first, gone?.first) || bits !== gone?.bits,
      );
    } else {
      const network = entryOf(name, values[0] ?? "");
      if (network !== null) networks.push(network);
    }
  }
  const specificFirst = networks.toReversed().toSorted((a, b) => b.bits - a.bits);
  return (at) => {
    const address = parseAddress(source(at)) ?? NO_ADDRESS;
    return specificFirst.find((network) => isIn(address, network))?.value ?? otherwise;
  };
}

function entryOf(text: string, value: string): Network | null {
  const range = /^([\d.]+)-([\d.]+)$/.exec(text);
  if (range !== null) {
    const [first, last] = [parseAddress(range[1]!), parseAddress(range[2]!)];
    return first === null || last === null ? null : { first, last, bits: 0, value };
  }
  const [address = "", prefix] = text.split("/");
  const bytes = parseAddress(address);
  if (bytes === null) return null;
  const length = address.includes(":") ? 128 : 32;
  const bits = 8 * bytes.length - length + Number(prefix ?? length);
  const first = networkOf(bytes, bits);
  const inside = networkOf(
    bytes.map(() => 255),
    bits,
  ); // ones where the network decides
  return { first, last: first.map((byte, at) => byte | (255 & ~inside[at]!)), bits, value };
}

const isIn = (address: Uint8Array, { first, last }: Network): boolean =>
  address.length === first.length && compare(first, address) <= 0 && compare(address, last) <= 0;

const areSame = (a: Uint8Array, b: Uint8Array | undefined): boolean =>
  b !== undefined && a.length === b.length && compare(a, b) === 0;

function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** Statements of a `geo` that are not evaluated. */
export const unreadGeo = ({ block }: Directive): readonly Directive[] =>
  (block ?? []).filter(({ name }) => name === "proxy" || name === "proxy_recursive");
