// The certificates that the settings name, read and checked before a listener uses them.
import { isFailure } from "../../kit/reading/failure.ts";
import { formatError, formatWarning, type EffectiveSettings } from "../settings/read.ts";
import type { Settings } from "../settings/table.ts";
import { datesProblem, problemOf, type Certificate } from "../http/tls.node.ts";
import { readText } from "../../kit/reading/text-file.node.ts";
import { findPrivacyProblem } from "./file-privacy.node.ts";

/** The certificate of each listener; null: the listener uses plain HTTP. */
export type Certificates = Readonly<Record<"listen" | "admin", Certificate | null>>;

/** The certificates after a reload; a listener does not change between HTTP and TLS. */
export const replaceCertificates = (old: Certificates, next: Certificates): Certificates => ({
  listen: old.listen && (next.listen ?? old.listen),
  admin: old.admin && (next.admin ?? old.admin),
});

interface CertificatesRead {
  readonly certificates: Certificates;
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

export function readCertificates(
  settings: Settings,
  { origins }: EffectiveSettings,
  nowMs = Date.now(),
): CertificatesRead {
  const errors: string[] = [];
  const warnings: string[] = [];
  const textOf = (name: `${"listen" | "admin"}.tls_${"cert" | "key"}`): string | null => {
    const file = settings[name];
    if (file === null) return null;
    const read = readText(file);
    const open = !isFailure(read) && name.endsWith("_key") ? findPrivacyProblem(file) : null;
    if (open !== null) {
      const [message, fix] = open.split("; ", 2);
      errors.push(formatError(origins[name].words, "SET-CERTIFICATE", message!, fix));
      return null;
    }
    if (!isFailure(read)) return read;
    errors.push(`${read.message}; ${origins[name].words} names it`);
    return null;
  };
  const certificateOf = (of: keyof Certificates): Certificate | null => {
    const names = { cert: `${of}.tls_cert`, key: `${of}.tls_key` } as const;
    const { [names.cert]: certFile, [names.key]: keyFile } = settings;
    if ((certFile === null) !== (keyFile === null)) {
      const [present, missing] =
        certFile === null ? [names.key, names.cert] : [names.cert, names.key];
      const message = `${present} is set without ${missing}, and a certificate needs its key`;
      errors.push(formatError(origins[present].words, "SET-TOGETHER", message, `set ${missing}`));
    }
    const [cert, key] = [textOf(names.cert), textOf(names.key)];
    if (cert === null || key === null) return null;
    const problem = problemOf({ cert, key });
    if (problem !== null) {
      const { words } = origins[names[problem.of]];
      const message = `${settings[names[problem.of]]} ${problem.message}`;
      errors.push(formatError(words, "SET-CERTIFICATE", message, problem.fix));
      return null;
    }
    const dates = datesProblem({ cert, key }, nowMs);
    if (dates !== null) {
      const fix = "renew it, then reload";
      warnings.push(
        formatWarning(origins[names.cert].words, "SET-CERTIFICATE", `${certFile} ${dates}`, fix),
      );
    }
    return { cert, key };
  };
  const certificates = { listen: certificateOf("listen"), admin: certificateOf("admin") };
  return { certificates, errors, warnings };
}
