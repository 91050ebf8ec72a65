// The packages whose code is in dist. An installation has no other copy of their licences, and no other list of them
// that a scanner reads.
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string | null; // an expression of SPDX
  readonly text: string;
}

/** Its static files are those of another package, which it pins for its own build and which is not installed. */
const COPYING = "@fastify/swagger-ui";
const COPIED = "swagger-ui-dist";
const COPIED_LICENCE = "Apache-2.0";

/** The packages of these modules, in the order of their folders. Two folders may have the same version. */
export function packagesOf(modules: Iterable<string>): readonly BundledPackage[] {
  const folders = new Set([...modules].flatMap(folderOf));
  const packages = [...folders].toSorted().flatMap(readPackages);
  return [...new Map(packages.map((bundled) => [purlOf(bundled), bundled])).values()];
}

function folderOf(module: string): readonly string[] {
  const [folder] = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+(?=[\\/])/.exec(module) ?? [];
  return folder === undefined ? [] : [folder];
}

function readPackages(folder: string): readonly BundledPackage[] {
  const { name, version, license, devDependencies } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Manifest & { readonly devDependencies?: Readonly<Record<string, string>> };
  const [file] = globSync("{LICENSE,LICENCE,License,license,licence}*", { cwd: folder }).toSorted();
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  const own = { name, version, licence: license ?? null, text };
  if (name !== COPYING) return [own];
  const copied = devDependencies?.[COPIED];
  if (copied === undefined || !/^\d/.test(copied))
    throw new Error(
      `${COPYING} pins no version of ${COPIED}, so the bill of materials cannot name the one that is served`,
    );
  return [own, { name: COPIED, version: copied, licence: COPIED_LICENCE, text: "" }];
}

/** Each package with its version and licence, then the text of the licence. */
export const licencesOf = (packages: readonly BundledPackage[]): string =>
  packages
    .map(
      ({ name, version, licence, text }) =>
        `${name}@${version} (${licence ?? "no licence"})\n\n${text}\n`,
    )
    .join("\n");

const purlOf = ({ name, version }: Pick<Manifest, "name" | "version">): string =>
  `pkg:npm/${name.replace("@", "%40")}@${version}`;

/** Without a time or a number of its own, so that two builds of the same sources are equal. */
export function billOfMaterials(root: string, packages: readonly BundledPackage[]): string {
  const {
    name,
    version,
    license = "UNLICENSED",
  } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  const purl = purlOf({ name, version });
  const bill = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": purl,
        name,
        version,
        licenses: licensesOf(license),
        purl,
      },
    },
    components: packages.map(componentOf),
    dependencies: [{ ref: purl, dependsOn: packages.map(purlOf) }],
    // The list of what is used by what is not complete: all of it is inside one package.
    compositions: [{ aggregate: "incomplete", dependencies: [purl] }],
  };
  return `${JSON.stringify(bill, null, 1)}\n`;
}

function componentOf(bundled: BundledPackage): object {
  const [group, name] = /^(?:(@[^/]+)\/)?(.+)$/.exec(bundled.name)!.slice(1);
  const purl = purlOf(bundled);
  return {
    type: "library",
    "bom-ref": purl,
    ...(group !== undefined && { group }),
    name,
    version: bundled.version,
    ...(bundled.licence !== null && { licenses: licensesOf(bundled.licence) }),
    purl,
  };
}

/** SPDX has no identifier for a program without a licence. */
const licensesOf = (licence: string): readonly object[] => [
  /[ (]/.test(licence)
    ? { expression: licence }
    : { license: licence === "UNLICENSED" ? { name: licence } : { id: licence } },
];
