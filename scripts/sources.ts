// npm run sources: the sources that are followed, what one would bring, and reading them now.
import * as v from 'valibot';
import { previewImport, parseSource } from '../src/desk/import-source.ts';
import type { DeskContext } from '../src/desk/reference-data.ts';
import { evaluateAlerts } from '../src/desk/import-alerts.ts';
import { getNoticePeriod } from '../src/desk/desk-notices.ts';
import { formatTimestamp } from '../src/domain/local-time.ts';
import { IMPORT_PROBLEMS } from '../src/domain/imported-events.ts';
import { DEFAULT_LANG } from '../src/domain/lang.ts';
import { t } from '../src/i18n/translate.ts';
import { getImportById } from '../src/inbox/calendar-imports.ts';
import { getSourceState, listSourceStates } from '../src/inbox/followed-sources.ts';
import { acquireLock } from '../src/releases/shared-files.ts';
import { findSnapshot, getCurrentName, dataLayout } from '../src/releases/snapshots.ts';
import { createPoliteFetcher, isSourceDue, fetchDueSources } from '../src/server/fetch-sources.ts';
import { closeSnapshot, openSnapshot } from '../src/snapshot/open-snapshot.ts';
import {
  type FollowedSource,
  loadFollowedSources,
  SourceSchema,
} from '../src/sources/followed-sources.ts';
import { formatIssue } from '../src/yaml.ts';
import { TOWN } from '../src/town.ts';
import { type Desk as Terminal, runInboxCommand, say } from './commands.ts';

/** Runs with what serves. */
async function withDesk(
  { config, inbox, actor }: Terminal,
  run: (desk: DeskContext) => Promise<string>,
) {
  const layout = dataLayout(config.data_dir);
  const found = findSnapshot(layout, getCurrentName(layout));
  if (found === null)
    throw new Error('There is no release to compare with; npm run release makes one');
  const snapshot = openSnapshot(found.path);
  try {
    return await run({ inbox, snapshot, now_ms: actor.now_ms });
  } finally {
    closeSnapshot(snapshot);
  }
}

function read({ config }: Terminal): readonly FollowedSource[] {
  const { sources, issues } = loadFollowedSources(config.content_dir);
  for (const issue of issues) say(`  ${formatIssue(issue)}`);
  return sources;
}

const readStored = async ({ inbox }: Terminal) =>
  new Map((await listSourceStates(inbox)).map((one) => [one.key, one]));

/** In English, as an operator reads it. */
function explain(problem: string | null): string {
  const known = IMPORT_PROBLEMS.find((one) => one === problem);
  return known ? t('en', `batch.problem.${known}`, { when: '' }) : `${problem}`;
}
const toLine = (...words: readonly (string | null)[]): string => words.filter(Boolean).join('  ');

/** A file for an address of which nothing else is known. */
const toGuess = (url: string, kind: string) => ({
  ...{ name: URL.parse(url)?.host ?? url, kind, url, follow: true, trust: 'ask' },
  ...{ lang: DEFAULT_LANG, category: TOWN.category_keys[0], zone: TOWN.zone_keys[0] },
});

async function list(terminal: Terminal): Promise<string> {
  const stored = await readStored(terminal);
  const lines = read(terminal).map(({ key, kind, trust, follow, url }) => {
    const { read_ms = null, problem = null } = stored.get(key) ?? {};
    const at = read_ms === null ? 'never read' : `read ${formatTimestamp(read_ms)}`;
    return toLine(key, kind, follow ? trust : 'not followed', at, problem, url);
  });
  const none = 'There are no sources. npm run sources -- try ADDRESS shows what one would bring.';
  return lines.join('\n') || none;
}

function sayAlerts(judged: ReturnType<typeof evaluateAlerts>): void {
  if ('problem' in judged) throw new Error(explain(judged.problem));
  for (const { says, is_cancel, infos } of judged.alerts) {
    const why =
      typeof says === 'string' ? [says] : [says.severity, ...Object.values(getNoticePeriod(says))];
    say(toLine(...why, is_cancel ? 'Cancel' : '', infos[0]?.title ?? ''));
  }
  const { test, unread } = judged.ignored;
  say(`${judged.alerts.length} alerts, ${test} tests, ${unread} unread`);
}

const tryOne = (terminal: Terminal, word: string): Promise<string> =>
  withDesk(terminal, async (desk) => {
    const guess = toGuess(word, terminal.options.kind ?? 'icalendar');
    const named = read(terminal).find(({ key }) => key === word);
    const own = { key: 'try', venue_id: null, organizer_id: null };
    const source = named ?? { ...v.parse(SourceSchema, guess), ...own };
    say(`Asking ${source.url} …`);
    const outcome = await createPoliteFetcher(terminal.config)(source, null, desk.now_ms);
    const bytes = 'problem' in outcome ? null : outcome.bytes;
    if ('problem' in outcome) throw new Error(explain(outcome.problem));
    if (source.kind === 'cap') sayAlerts(evaluateAlerts(desk, source, bytes ?? Buffer.alloc(0)));
    const found = parseSource(source, bytes ?? Buffer.alloc(0), desk.now_ms);
    if ('problem' in found) throw new Error(explain(found.problem));
    const { batch = null } = (named && (await getSourceState(desk.inbox, named.key))) ?? {};
    const stored = batch === null ? null : await getImportById(desk.inbox, batch);
    const { rows, failures, over } = await previewImport(desk, source, found.reading, stored);
    for (const { row, issues } of rows) {
      const { start, dates, title, location, doubts } = row.event;
      const missing = issues.map(({ name }) => `${name} is missing`);
      const faults = [...missing, ...doubts.map(({ rule }) => rule)].join(', ');
      const days = dates.length > 0 ? ` +${dates.length} days` : '';
      say(toLine(row.standing.padEnd(9), `${start}${days}`, title, location, faults));
    }
    for (const { line, rule, title } of failures) say(toLine('unread   ', `${line}`, rule, title));
    say(`${rows.length} events, ${failures.length} unread, ${over} over\n`);
    if (named) return `Next: npm run sources -- pull ${named.key}`;
    const file = Object.entries(guess).map(([name, value]) => `${name}: ${value}`);
    return `Next: put this into content/sources/NAME.yml, see to each line, then npm run sources -- pull NAME\n\n${file.join('\n')}`;
  });

const pull = (terminal: Terminal, word?: string): Promise<string> =>
  withDesk(terminal, async (desk) => {
    const free = await acquireLock(terminal.config, 'sources');
    if (free === null) return 'Sources are being read by another process just now.';
    try {
      const { due, gone } = terminal.options;
      const stored = await readStored(terminal);
      const sources = read(terminal).filter(({ key, url, follow }) =>
        word === undefined
          ? follow && (!due || isSourceDue(stored.get(key), url, desk.now_ms))
          : key === word,
      );
      if (word !== undefined && sources.length === 0)
        throw new Error(`There is no sound source '${word}'; npm run sources -- list shows them`);
      await fetchDueSources(desk, {
        ...{ sources, ask: createPoliteFetcher(terminal.config), with_gone: gone !== undefined },
        say: ({ key, problem, failing_ms, brought }) => {
          const counts = Object.entries(brought).filter(([, count]) => count > 0);
          const told = counts.map(([name, count]) => `${name} ${count}`).join(', ');
          say(`${key}: ${failing_ms === null ? told || 'no events' : explain(problem)}`);
          if (problem === 'stopped' || problem === 'emptied')
            say(`  Nobody was asked. Look at its page, then npm run sources -- pull ${key} --gone`);
        },
      });
      return `${sources.length} asked. What waits is at the desk; what was published is in the next release.`;
    } finally {
      free();
    }
  });

await runInboxCommand(
  'Sources are files in content/sources (content/README.md). With FOLLOW=1 those that say "follow: true" are read by the service.',
  {
    list: ['each source, how its reading stands, and what is wrong with the files', list],
    'try ADDRESS [--kind KIND]': [
      'what an address, or a source by its name, would bring; nothing is kept',
      tryOne,
    ],
    'pull [KEY] [--due] [--gone]': [
      'reads all that are followed, or one whether it is or not; --due: only those whose hour it is; --gone: what is not there any more may be asked about, however much it is',
      pull,
    ],
  },
);
