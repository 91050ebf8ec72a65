// Reads a world in a process of its own, and returns problems only.
import { loadSettings } from "#src/gateway/serving/load.node.ts";

const { errors } = loadSettings(new Map(), process.argv[2], "always");
process.send!(errors);
