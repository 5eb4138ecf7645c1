// npm run nu: the HTML and CSS of every page of a running server by the Nu checker of the W3C.
import { parseArgs } from 'node:util';
import { checkPages } from '../tests/interop/nu-checker.ts';
import { findJava } from './find-java.ts';

const HELP = `npm run nu -- [URL]

Asks a running server (http://localhost:4321) for every page of its sitemap, what today's page leads to, the frame and a page
that is not there, and has them read by the Nu Html Checker (https://validator.github.io/validator/). The checker, 30 MB, comes
from npm for this once and is no dependency; Java is found, or installed with apt-get, which needs root and says so before.
Ends with 1 where something is wrong. What the checker does not know yet is named in tests/interop/nu-checker.ts.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
});

if (values.help) process.stdout.write(HELP);
else {
  const [base_url = 'http://localhost:4321'] = positionals;
  if (!URL.canParse(base_url))
    throw new Error(`URL: '${base_url}' is no address, give the server's`);
  const say = (line: string): void => void process.stdout.write(`${line}\n`);
  await findJava(say);
  const { pages, faults } = await checkPages(base_url);
  for (const fault of faults) say(fault);
  say(`${pages} pages read, ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
