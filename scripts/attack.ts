// npm run attack: what an attacker and a bad day can do to a service.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isGood } from '../tests/attack/finding.ts';
import { runAttack } from '../tests/attack/run-attack.ts';
import { runCommand } from '../tests/fixtures/built-server.ts';
import { FIXTURE_DIR } from '../tests/fixtures/fixture.ts';

const HELP = `npm run attack -- [--requests N] [--connections N] [--kills N]

Attacks a service of its own, on a made-up data folder, with the limits that it has in production: hostile requests, slow
connections with few descriptors, pages, logins and keys by the hundred, forged forms, sessions, names and addresses, kill -9
of every kind of process while the clock jumps, a locked and a damaged inbox, two services on one data folder. Prints a line
for each with its figures, and ends with 1 where one does not hold. Ten to thirty minutes; npm test has it in a short form.
  --requests N      hostile requests (100000)
  --connections N   slow connections; pages are asked for over 400 (2000)
  --kills N         processes killed (200)
`;

const COUNTS = {
  requests: { default: '100000', most: 1_000_000 },
  connections: { default: '2000', most: 10_000 },
  kills: { default: '200', most: 1_000 },
} as const;
const PAGES = 400;
const LOGINS = 400;
const option = (name: keyof typeof COUNTS) =>
  ({ type: 'string', default: COUNTS[name].default }) as const;
const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    requests: option('requests'),
    connections: option('connections'),
    kills: option('kills'),
  },
});

/** A whole number within its bounds. Throws a sentence that says which. */
function toCount(name: keyof typeof COUNTS): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < 1 || number > COUNTS[name].most)
    throw new Error(`--${name}: give a whole number from 1 to ${COUNTS[name].most}`);
  return number;
}

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function attack(): Promise<void> {
  const plan = {
    requests: toCount('requests'),
    connections: toCount('connections'),
    pages: PAGES,
    logins: LOGINS,
    kills: toCount('kills'),
  };
  const data_dir = mkdtempSync(join(tmpdir(), 'hoy-attack-'));
  const settings = {
    data_dir,
    content_dir: FIXTURE_DIR,
    env: { SITE_URL: 'http://127.0.0.1:4399' },
  };
  try {
    say('Building a small release, some 30 s');
    const { code, output } = await runCommand('release', [], settings);
    if (code !== 0) throw new Error(`The release was not built:\n${output}`);
    const findings = await runAttack(settings, plan, say);
    const missed = findings.filter((finding) => !isGood(finding)).length;
    say(`${findings.length - missed} of ${findings.length} hold`);
    process.exitCode = missed > 0 ? 1 : 0;
  } finally {
    rmSync(data_dir, { recursive: true, force: true });
  }
}

if (values.help) say(HELP.trimEnd());
else await attack();
