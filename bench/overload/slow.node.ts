// An upstream that works at so many requests at a time, and takes the same time for each; the rest waits its turn. Its
// capacity is known without being measured. Sends its address to the process that has started it.
import { createServer, type ServerResponse } from "node:http";
import { listen } from "../../src/bench/controls/listening.node.ts";

const [slots, serviceMs] = process.argv.slice(2).map(Number) as [number, number];
const waiting: ServerResponse[] = [];
let busy = 0;

function work(): void {
  while (busy < slots && waiting.length > 0) {
    const to = waiting.shift()!;
    if (to.destroyed) continue;
    busy++;
    setTimeout(() => {
      busy--;
      to.end("{}");
      work();
    }, serviceMs);
  }
}

const url = await listen(
  createServer((_, to) => {
    waiting.push(to);
    work();
  }),
);
process.send!(url.href);
