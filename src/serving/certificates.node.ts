// The certificates that the settings name, read and checked before anything is served with them.
import { line, type InForce } from "../settings/read.ts";
import type { Settings } from "../settings/table.ts";
import { datesProblem, problemOf, type Certificate } from "../gateway/http/tls.node.ts";
import { readText } from "../reading/text-file.node.ts";
import { whyNotPrivate } from "./whether-private.node.ts";

/** Null: plain HTTP. */
export type Certificates = Readonly<Record<"listen" | "admin", Certificate | null>>;

/** What a listener takes of the new ones: it does not change between HTTP and TLS. */
export const renewed = (old: Certificates, next: Certificates): Certificates => ({
  listen: old.listen && (next.listen ?? old.listen),
  admin: old.admin && (next.admin ?? old.admin),
});

export interface CertificatesRead {
  readonly certificates: Certificates;
  readonly faults: readonly string[];
  readonly warnings: readonly string[];
}

export function readCertificates(
  settings: Settings,
  { origins }: InForce,
  nowMs = Date.now(),
): CertificatesRead {
  const faults: string[] = [];
  const warnings: string[] = [];
  const textOf = (name: `${"listen" | "admin"}.tls_${"cert" | "key"}`): string | null => {
    const file = settings[name];
    if (file === null) return null;
    const read = readText(file);
    const open = "text" in read && name.endsWith("_key") ? whyNotPrivate(file) : null;
    if (open !== null) {
      const [message, fix] = open.split("; ", 2);
      faults.push(line(origins[name].words, "SET-CERTIFICATE", message!, fix));
      return null;
    }
    if ("text" in read) return read.text;
    faults.push(`${read.fault}; ${origins[name].words} names it`);
    return null;
  };
  const certificateOf = (of: keyof Certificates): Certificate | null => {
    const names = { cert: `${of}.tls_cert`, key: `${of}.tls_key` } as const;
    const { [names.cert]: certFile, [names.key]: keyFile } = settings;
    if ((certFile === null) !== (keyFile === null)) {
      const [there, missing] =
        certFile === null ? [names.key, names.cert] : [names.cert, names.key];
      const message = `${there} is set without ${missing}, and a certificate needs its key`;
      faults.push(line(origins[there].words, "SET-TOGETHER", message, `set ${missing}`));
    }
    const [cert, key] = [textOf(names.cert), textOf(names.key)];
    if (cert === null || key === null) return null;
    const problem = problemOf({ cert, key });
    if (problem !== null) {
      const { words } = origins[names[problem.of]];
      const message = `${settings[names[problem.of]]} ${problem.message}`;
      faults.push(line(words, "SET-CERTIFICATE", message, problem.fix));
      return null;
    }
    const dates = datesProblem({ cert, key }, nowMs);
    if (dates !== null) {
      const fix = "renew it, and a reload takes it up";
      warnings.push(
        line(origins[names.cert].words, "SET-CERTIFICATE", `${certFile} ${dates}`, fix),
      );
    }
    return { cert, key };
  };
  const certificates = { listen: certificateOf("listen"), admin: certificateOf("admin") };
  return { certificates, faults, warnings };
}
