// `npm run one-file -- FOLDER`: makes the single executables of the tarball in a folder, each a Node with the tarball inside.
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { rolldown } from "rolldown";
import { Failure, isFailure } from "../../src/kit/reading/failure.ts";
import { run } from "../run.node.ts";
import { DIGEST, TARBALL } from "./program.ts";
import { filesOf } from "./unpack.node.ts";

const ROOT = join(import.meta.dirname, "../..");

/** Packages of the npm registry with the Node that the project is pinned to, and what the lock file would have of them. */
export const NODES = {
  version: "24.21.0",
  integrity: {
    x64: "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
    arm64:
      "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  },
} as const;

type Architecture = keyof typeof NODES.integrity;

/** Node looks for this text to know whether it contains a program. */
const FUSE = "NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2";

/** Where the download fails, a registry of one's own or npm's cache has to have the package. */
export function checkNode(name: string, packed: Buffer, integrity: string): Failure | null {
  const found = `sha512-${createHash("sha512").update(packed).digest("base64")}`;
  return found === integrity
    ? null
    : new Failure(
        `${name} has the checksum ${found}, and not ${integrity} of build/one-file/make.node.ts: it is not the released Node`,
      );
}

function fetchNode(architecture: Architecture, folder: string): Buffer | Failure {
  const name = `node-linux-${architecture}@${NODES.version}`;
  const pack = ["pack", "--silent", "--prefer-offline", "--pack-destination", folder, name];
  const file = run(ROOT, "npm", ...pack);
  if (isFailure(file))
    return new Failure(`npm has no ${name}, from the network or its cache`, file.message);
  const packed = readFileSync(join(folder, file));
  const problem = checkNode(name, packed, NODES.integrity[architecture]);
  return problem ?? filesOf(packed).get("bin/node") ?? new Failure(`${name} has no bin/node`);
}

/** Writes the blob with the first code and the tarball, which is the same for each architecture. */
async function writeBlob(
  tarball: string,
  version: string,
  folder: string,
): Promise<string | Failure> {
  const bundled = await rolldown({
    cwd: ROOT,
    platform: "node",
    input: join(import.meta.dirname, "start.node.ts"),
  });
  const main = "start.cjs"; // the blob has this path, so that one of a temporary folder would differ in each build
  await bundled.write({ file: join(folder, main), format: "cjs" });
  await bundled.close();
  const sha256 = createHash("sha256").update(readFileSync(tarball)).digest("hex");
  const digest = join(folder, DIGEST);
  writeFileSync(digest, `${version}-${sha256.slice(0, 16)}`);
  const output = join(folder, "weir.blob");
  const config = join(folder, "sea.json");
  const settings = {
    main,
    output,
    disableExperimentalSEAWarning: true,
    assets: { [TARBALL]: tarball, [DIGEST]: digest },
  };
  writeFileSync(config, JSON.stringify(settings));
  const made = run(folder, process.execPath, "--experimental-sea-config", config);
  return isFailure(made) ? made : output;
}

/** Returns the names of the executables. */
async function makeAll(folder: string): Promise<readonly string[] | Failure> {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const tarball = join(folder, `weir-${version}.tgz`);
  if (!existsSync(tarball))
    return new Failure(`there is no ${tarball}; npm pack --pack-destination ${folder} makes it`);
  const work = mkdtempSync(join(tmpdir(), "weir-one-file-"));
  try {
    const blob = await writeBlob(tarball, version, work);
    if (isFailure(blob)) return blob;
    const names: string[] = [];
    for (const architecture of Object.keys(NODES.integrity) as Architecture[]) {
      const node = fetchNode(architecture, work);
      if (isFailure(node)) return node;
      const file = join(work, architecture);
      writeFileSync(file, node, { mode: 0o755 });
      const postject = join(ROOT, "node_modules/.bin/postject");
      const injected = run(work, postject, file, "NODE_SEA_BLOB", blob, "--sentinel-fuse", FUSE);
      if (isFailure(injected)) return injected;
      const name = `weir-${version}-linux-${architecture}`;
      copyFileSync(file, join(folder, name));
      names.push(name);
    }
    return names;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  const folder = process.argv[2] === undefined ? undefined : resolve(process.argv[2]);
  const made =
    folder === undefined
      ? new Failure("name the folder of the tarball, such as release")
      : await makeAll(folder);
  if (isFailure(made)) {
    for (const problem of made.problems) console.error(`one-file: ${problem}`);
    process.exitCode = 1;
  } else console.log(made.join("\n"));
}
