// Exports the records as a world file. The gateway may be running at the same time.
import { Document, visit } from "yaml";
import { exportWorld } from "../gateway/management/export-world.ts";
import { isFailure } from "../kit/reading/failure.ts";
import { legible, many } from "../kit/reading/legible.ts";
import type { Action } from "./arguments.ts";
import { EXIT } from "./exit.ts";
import { loadSettings } from "../gateway/serving/load.node.ts";
import { openSecrets, withRecords } from "./records-for-command.node.ts";

const WITHOUT = `# Keys have their ids and no credentials, so after an import they do not authenticate: weir export --secrets writes hashes of
# the credentials.
`;
const WITH = `# Keys have their ids. Each secret_hash replaces a credential, and needs the same secrets.key.
`;

export const exportRecords: Action = async ({ values, switches }, terminal) => {
  const { out, err } = terminal;
  const loaded = loadSettings(values, undefined, "never");
  return withRecords(loaded, terminal, async (records) => {
    const withSecrets = switches.has("secrets");
    const secrets = withSecrets ? await openSecrets(loaded.sound!.settings, records, err) : null;
    if (isFailure(secrets)) {
      err(`weir export: ${secrets.message}`);
      return EXIT.usage;
    }
    const { world, left } = await exportWorld(records, secrets);
    out(((withSecrets ? WITH : WITHOUT) + yamlOf(world)).trimEnd());
    const present = Object.entries(left).filter(([, count]) => count > 0);
    if (present.length > 0)
      err(
        `weir export: a world file cannot hold ${present.map(([name, n]) => many(n, name.replace(/s$/, ""))).join(", ")}`,
      );
    return EXIT.passed;
  });
};

/** Escapes text, because writers of records choose it, and a terminal may show the export. */
function yamlOf(world: object): string {
  const document = new Document(world);
  visit(document, {
    Scalar: (_, scalar) => {
      const { value } = scalar;
      if (typeof value === "string" && legible(value) !== value) scalar.type = "QUOTE_DOUBLE";
    },
  });
  return legible(document.toString({ lineWidth: 0 }));
}
