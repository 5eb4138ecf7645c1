// npm run attack: what an attacker and a bad day can do to a service.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { attackReleases } from '../tests/attack/attack-releases.ts';
import { type Finding, isGood } from '../tests/attack/finding.ts';
import { runAttack } from '../tests/attack/run-attack.ts';
import { runCommand } from '../tests/fixtures/built-server.ts';
import { FIXTURE_DIR } from '../tests/fixtures/fixture.ts';

const HELP = `npm run attack -- [--requests N] [--connections N] [--kills N]

Attacks a service of its own, on a made-up data folder, with the limits that it has in production: hostile requests, slow
connections with few descriptors, pages, logins and keys by the hundred, forged forms, sessions, names and addresses, kill -9
of every kind of process while the clock jumps, a locked and a damaged inbox, two services on one data folder; then kill -9 of
releases and rollbacks, and releases and rollbacks under load on every surface, with an event called off among them. Prints a
line for each with its figures, and ends with 1 where one does not hold. Half an hour; npm test has it in a short form.
  --requests N      hostile requests (100000)
  --connections N   slow connections; pages are asked for over 400 (2000)
  --kills N         processes killed, and again as many releases and rollbacks (200)
  --switches N      releases under load, and a third as many rollbacks (30)
  --only-releases   leaves out what comes before the kills of releases
`;

const COUNTS = {
  requests: { default: '100000', most: 1_000_000 },
  connections: { default: '2000', most: 10_000 },
  kills: { default: '200', most: 1_000 },
  switches: { default: '30', most: 200 },
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
    switches: option('switches'),
    'only-releases': { type: 'boolean', default: false },
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

/** What is held of it, in a folder that goes. */
async function attackIn(folder: string): Promise<readonly Finding[]> {
  const plan = {
    requests: toCount('requests'),
    connections: toCount('connections'),
    pages: PAGES,
    logins: LOGINS,
    kills: toCount('kills'),
  };
  const switches = toCount('switches');
  const settings = {
    data_dir: join(folder, 'data'),
    content_dir: FIXTURE_DIR,
    env: { SITE_URL: 'http://127.0.0.1:4399' },
  };
  const findings: Finding[] = [];
  if (!values['only-releases']) {
    say('Building a small release, some 30 s');
    const { code, output } = await runCommand('release', [], settings);
    if (code !== 0) throw new Error(`The release was not built:\n${output}`);
    findings.push(...(await runAttack(settings, plan, say)));
  }
  return [...findings, ...(await attackReleases(folder, plan.kills, switches, say))];
}

async function attack(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hoy-attack-'));
  try {
    const findings = await attackIn(folder);
    const missed = findings.filter((finding) => !isGood(finding)).length;
    say(`${findings.length - missed} of ${findings.length} hold`);
    process.exitCode = missed > 0 ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (values.help) say(HELP.trimEnd());
else await attack();
