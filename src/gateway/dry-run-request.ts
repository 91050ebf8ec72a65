// What the body of a dry run has to say: every fault at once, and no guess at what was meant.
import type { DryRunRequest } from "./dry-run.ts";

const MEMBERS = ["method", "path", "key", "credential"] as const;

/** The request, or what is wrong with it, one sentence each. */
export function readDryRunRequest(raw: unknown): DryRunRequest | readonly string[] {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw))
    return ['a dry run is an object such as {"method": "GET", "path": "/orders", "key": "alice"}'];
  const given: Readonly<Record<string, unknown>> = { ...raw };
  const faults: string[] = [];
  for (const name of Object.keys(given))
    if (!MEMBERS.some((known) => known === name))
      faults.push(`${JSON.stringify(name)} is not a field here; known: ${MEMBERS.join(", ")}`);
  const text = (name: (typeof MEMBERS)[number]): string | null => {
    const value = given[name] ?? null;
    if (value === null || (typeof value === "string" && value !== "")) return value;
    faults.push(`${name} is text that is not empty`);
    return null;
  };
  const method = text("method") ?? "GET";
  const path = text("path");
  const key = text("key");
  const credential = text("credential");
  if (path === null) faults.push("path says where the request goes, such as /orders");
  else if (!path.startsWith("/")) faults.push("path starts with /");
  if (key !== null && credential !== null)
    faults.push("key and credential name the same thing twice: keep one of them");
  return faults.length > 0 || path === null ? faults : { method, path, key, credential };
}
