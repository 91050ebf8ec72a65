// Plain JavaScript, because its reader is the Node that is too old to strip types.
import { readFileSync } from "node:fs";

const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const pinned = `v${manifest.devDependencies.node}`;

if (process.version !== pinned) {
  process.stderr.write(
    `Weir is built and tested on Node ${pinned}, but this is Node ${process.version}: run "npm ci", which installs that Node beside the project, and start through npm ("npm start", "npm test").\n`,
  );
  process.exitCode = 1;
}
