// Test files share their modules when the code is changed by machine, and so would share the count of what
// their tests reach: each would report all that came before it once more.
import { beforeAll } from "vitest";

interface Counted {
  readonly mutantCoverage?: { perTest: object };
}

beforeAll(() => {
  const counted = Reflect.get(globalThis, "__stryker__") as Counted | undefined;
  if (counted?.mutantCoverage !== undefined) counted.mutantCoverage.perTest = {};
});
