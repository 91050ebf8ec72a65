// Networks of addresses in the conditions of configurations, such as 10.0.0.0/8.
import { networkOf, parseAddress } from "../../limiter/core/address.ts";

/** A test of an address, or null if the text is no address or network. */
export function parseNetwork(text: string): ((address: string) => boolean) | null {
  const [first = "", prefix, ...rest] = text.split("/");
  const bytes = parseAddress(first);
  if (bytes === null || rest.length > 0) return null;
  const most = 8 * bytes.length;
  const bits = prefix === undefined ? most : Number(prefix);
  if (!/^\d+$/.test(prefix ?? "0") || bits > most) return null;
  const wanted = networkOf(bytes, bits).join(".");
  return (address) => {
    const own = parseAddress(address);
    return own?.length === bytes.length && networkOf(own, bits).join(".") === wanted;
  };
}
