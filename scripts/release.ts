// npm run release: builds, checks and switches to a new release.
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { startClock } from '../src/clock.ts';
import { type Config, readConfig } from '../src/config.ts';
import { forgetPictures } from '../src/desk/uploads.ts';
import { openInbox } from '../src/inbox/open.ts';
import { listVariantPaths } from '../src/site/prebuilt.ts';
import { buildRelease } from '../src/releases/build-release.ts';
import { digestCode, digestFolder, digestMakers } from '../src/releases/digests.ts';
import { formatDuration } from '../src/releases/progress.ts';
import type { Renderer } from '../src/releases/render-pages.ts';
import type { RunSmokeTests } from '../src/releases/smoke-tests.ts';
import { OTHER_CODE, standBy } from '../src/releases/stand-by.ts';
import { createBundleLoader } from '../src/server/http/site-bundle.ts';
import { checkOwner, waitForTurn } from '../src/releases/take-turns.ts';

const HELP = `npm run release -- [--allow-loss] [--strict] [--new-settings]

Builds a release from CONTENT_DIR and the inbox, checks it, asks it some hundred questions, and lets it serve. A running
server follows within a second. Where anything fails, what serves stays as it is, every fault is said, and the command ends with 1.
A file of content that is faulty says what it last said, and is left out where it never was good; each is named.
  --allow-loss   let it serve though more than a tenth of the events of the release before are not in it
  --new-settings  DATA_DIR was made with another SITE_URL, SITE_NAME, CONTACT_EMAIL or map, and the change is meant; the service
                 is stopped before, and started with the new ones then
  --strict       stop where a file of content is faulty, with every fault, as npm run snapshot does
`;

/** Days, from today on, whose pages must be among the files of a release. */
const REQUIRED_DAYS = 8;

/** What a build that stands by has tried is loaded when it asks. */
const loadBundle = createBundleLoader();
/** A whole server: it is loaded while threads render. */
const loadTests = () => import('../src/server/process/smoke-candidate.ts');

const { values } = parseArgs({
  options: {
    help: { type: 'boolean', short: 'h' },
    'allow-loss': { type: 'boolean', default: false },
    strict: { type: 'boolean', default: false },
    'new-settings': { type: 'boolean', default: false },
    // For a service that takes over from another one only: no command of a person's.
    'take-over': { type: 'boolean', default: false },
    // For a service that expects to be asked for one.
    'stand-by': { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(HELP);
} else {
  await run();
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function run(): Promise<void> {
  const config = readConfig();
  const now_ms = startClock(config.clock_start)();
  if (!values['stand-by']) return build(config, now_ms, digestCode(config), null);
  const ready = await standBy({ config, now_ms, say, smokeTest: createTest(config, now_ms) });
  try {
    if (ready.code === null) process.exitCode = OTHER_CODE;
    else await build(config, ready.now_ms ?? startClock(null)(), ready.code, ready.renderer);
  } finally {
    await ready.renderer?.stop();
  }
}

async function build(
  config: Config,
  now_ms: number,
  code: string,
  renderer: Renderer | null,
): Promise<void> {
  const made_with = digestMakers(config, code);
  const begun_ms = performance.now();
  if (!values['take-over']) checkOwner(config, made_with, values['new-settings']);
  say(`Building a release from ${config.content_dir}`);
  const { summary } = await buildRelease({
    config,
    now_ms,
    code,
    allow_loss: values['allow-loss'],
    is_strict: values.strict,
    beforePublish: () =>
      values['take-over'] ? waitForTurn(config, made_with, say) : Promise.resolve(),
    new_settings: values['new-settings'],
    renderer,
    required: listVariantPaths(now_ms, REQUIRED_DAYS),
    say,
    prepareTests: async (entry) => {
      await loadTests();
      await loadBundle(entry, digestFolder(dirname(entry)));
    },
    smokeTest: createTest(config, now_ms),
    testAmended: async (dir, amendments) =>
      (await loadTests()).smokeTestAmended(config, dir, amendments, now_ms),
  });
  forgetOld(config.data_dir, now_ms);
  say(`Done in ${formatDuration(performance.now() - begun_ms)}: ${summary}`);
}

function createTest(config: Config, now_ms: number): RunSmokeTests {
  return async (dir, asked, events = []) =>
    (await loadTests()).smokeTestCandidate(config, dir, now_ms, { asked, events, loadBundle });
}

/** Uploaded pictures that nothing needs any more. */
function forgetOld(data_dir: string, now_ms: number): void {
  const inbox = openInbox(join(data_dir, 'inbox.db'));
  try {
    forgetPictures(inbox, now_ms);
  } finally {
    inbox.close();
  }
}
