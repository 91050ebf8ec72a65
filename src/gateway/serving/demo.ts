// The world of `weir serve` without settings: an API, a key, and an upstream that echoes.
import type { TextOfFile } from "../settings/read.ts";

export const DEMO_WORLD: TextOfFile = {
  file: "(demo)",
  text: `apis:
  orders:
    listen: /orders
    endpoints:
      - { path: /export, method: GET, rate: 1, per: 60 }
keys:
  demo-key: { key_id: demo, apis: [orders], rate: 5, per: 10 }
gateway: { algorithm: fixed_window }
`,
};

/** Commands to try. The last one is refused if all run in this order within a minute. */
export function demoLines(url: string): readonly string[] {
  const key = "-H 'Authorization: demo-key'";
  return [
    `curl -i ${url}/orders ${key}`,
    `curl -i ${url}/orders`,
    `curl -i ${url}/orders/export ${key}`,
    `curl -i ${url}/orders/export ${key}`,
  ];
}

export const DEMO_NOTES: readonly string[] = [
  "200: 5 in 10 s",
  "401: no key",
  "200: 1 a minute",
  "429: the same once more; Retry-After has the wait",
];

/** A command that explains a decision, for users who can read the secret of the admin API. */
export const demoDryRun = (admin: string, secretFile: string): string =>
  `curl -s ${admin}/admin/dry-run -H "Admin-Auth: $(cat ${secretFile})" -d '{"path": "/orders/export", "key": "demo"}'`;

/** A command that changes the key's rate from the next request on. */
export const demoChange = (adminInterface: string, secretFile: string): string =>
  `curl -s -X PUT ${adminInterface}/admin/org/keys/demo -H "Admin-Auth: $(cat ${secretFile})" -H 'Content-Type: application/json' -d '{"rate": 50}'`;
