// The front server on the made-up town, for clients and suites that are not ours.
import { startFake } from '../server/fake-release.ts';

/** More than any suite asks in a minute. */
const RATES = { address: 1_000_000, key: 1_000_000 };

/**
 * A listening server; `url` is its MCP endpoint under the name that browsers and suites use for
 * this machine.
 */
export async function startServing() {
  const fake = await startFake(RATES);
  return { url: `http://localhost:${fake.port}/mcp`, fake };
}
