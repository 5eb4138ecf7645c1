// npm run sources: the sources that are followed, what one would bring, and reading them now.
import { type Desk, prepareRead, readSource } from '../src/desk/follow.ts';
import type { FEED_PROBLEMS } from '../src/domain/feed.ts';
import { getBatchById } from '../src/inbox/batches.ts';
import { getSource, listSources } from '../src/inbox/followed.ts';
import { formatTimestamp } from '../src/domain/cancun-time.ts';
import { tryLock } from '../src/releases/lock.ts';
import { findSnapshot, readCurrent, toLayout } from '../src/releases/snapshots.ts';
import { createAsker, isSourceDue, pullSources } from '../src/server/follow.ts';
import { closeSnapshot, openSnapshot } from '../src/snapshot/open.ts';
import { type FollowedSource, readSources, SOURCE_KINDS } from '../src/sources/followed.ts';
import { formatIssue } from '../src/sources/issues.ts';
import { type Desk as Terminal, runInboxCommand, say } from './commands.ts';

/** Runs with what serves. */
async function withDesk<T>({ config, inbox, actor }: Terminal, run: (desk: Desk) => Promise<T>) {
  const layout = toLayout(config.data_dir);
  const found = findSnapshot(layout, readCurrent(layout));
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
  const { sources, issues } = readSources(config.content_dir);
  for (const issue of issues) say(`  ${formatIssue(issue)}`);
  return sources;
}

const toGuess = (url: string, kind: string): FollowedSource => {
  const known = SOURCE_KINDS.find((one) => one === kind);
  if (known === undefined) throw new Error(`--kind: one of ${SOURCE_KINDS.join(', ')}`);
  const own = { key: 'try', name: URL.parse(url)?.host ?? url, url, kind: known, drop: [] };
  const how = {
    follow: false,
    trust: 'ask',
    every_hours: 6,
    lang: 'es',
    price: 'unknown',
  } as const;
  const where = { time_zone: 'America/Cancun', category: 'culture', zone: 'downtown' } as const;
  return { ...own, ...how, ...where, venue_id: null, organizer_id: null };
};

const toFile = ({ name, kind, url }: FollowedSource): string =>
  `name: ${name}\nkind: ${kind}\nurl: ${url}\nfollow: true\ntrust: ask\nlang: es\ncategory: culture\nzone: downtown`;

await runInboxCommand(
  'Sources are files in content/sources (content/README.md). With FOLLOW=1 those that say "follow: true" are read by the service.',
  {
    list: [
      'each source, how its reading stands, and what is wrong with the files',
      async (terminal) => {
        const stored = new Map((await listSources(terminal.inbox)).map((one) => [one.key, one]));
        const lines = read(terminal).map(({ key, kind, trust, follow, url }) => {
          const { read_ms = null, problem = null } = stored.get(key) ?? {};
          const at = read_ms === null ? 'never read' : `read ${formatTimestamp(read_ms)}`;
          return [key, kind, follow ? trust : 'not followed', at, problem, url]
            .filter(Boolean)
            .join('  ');
        });
        return (
          lines.join('\n') ||
          'There are no sources. npm run sources -- try ADDRESS shows what one would bring.'
        );
      },
    ],
    'try ADDRESS [--kind KIND]': [
      'what an address, or a source by its name, would bring; nothing is kept',
      (terminal, word) =>
        withDesk(terminal, async (desk) => {
          const named = read(terminal).find(({ key }) => key === word);
          const source = named ?? toGuess(word, terminal.options.kind ?? 'icalendar');
          say(`Asking ${source.url} …`);
          const outcome = await createAsker(terminal.config)(source, null, desk.now_ms);
          const found =
            'problem' in outcome
              ? outcome
              : readSource(source, outcome.bytes ?? Buffer.alloc(0), desk.now_ms);
          if ('problem' in found) throw new Error(explain(found.problem));
          const stored = named && (await getSource(desk.inbox, named.key));
          const batch = stored?.batch ? await getBatchById(desk.inbox, stored.batch) : null;
          const { rows, failures, over } = await prepareRead(desk, source, found.reading, batch);
          const lines = rows.map(({ row: { event, standing }, issues }) => {
            const faults = [
              ...issues.map(({ name }) => `${name} is missing`),
              ...event.doubts.map(({ rule }) => rule),
            ];
            const days = event.dates.length > 0 ? ` +${event.dates.length} days` : '';
            return [
              standing.padEnd(9),
              `${event.start}${days}`,
              event.title,
              event.location,
              faults.join(', '),
            ]
              .filter(Boolean)
              .join('  ');
          });
          const unread = failures.map(
            ({ line, rule, title }) => `unread     line ${line}  ${rule}  ${title}`,
          );
          const next = named
            ? `Next: npm run sources -- pull ${named.key}`
            : `Next: put this into content/sources/NAME.yml, see to each line, then npm run sources -- pull NAME\n\n${toFile(source)}`;
          return [
            ...lines,
            ...unread,
            `${rows.length} events, ${failures.length} unread, ${over} over`,
            '',
            next,
          ].join('\n');
        }),
    ],
    'pull [KEY] [--due] [--gone]': [
      'reads all that are followed, or one whether it is or not; --due: only those whose hour it is; --gone: what is not there any more may be asked about, however much it is',
      (terminal, word) =>
        withDesk(terminal, async (desk) => {
          const free = tryLock(toLayout(terminal.config.data_dir).sources_lock_file);
          if (free === null) return 'Sources are being read by another process just now.';
          try {
            const all = read(terminal);
            if (word !== undefined && !all.some(({ key }) => key === word))
              throw new Error(
                `There is no sound source '${word}'; npm run sources -- list shows them`,
              );
            const stored = new Map((await listSources(desk.inbox)).map((one) => [one.key, one]));
            const { due, gone } = terminal.options;
            const sources = all.filter(({ key, url, follow }) =>
              word === undefined
                ? follow && (!due || isSourceDue(stored.get(key), url, desk.now_ms))
                : key === word,
            );
            let failed = 0;
            await pullSources(desk, {
              sources,
              ask: createAsker(terminal.config),
              with_gone: gone !== undefined,
              say: ({ key }, { problem, brought, is_stopped }) => {
                if (problem !== null) failed += 1;
                const counts = Object.entries(brought).filter(([, count]) => count > 0);
                const told =
                  counts.map(([name, count]) => `${name} ${count}`).join(', ') || 'no events';
                say(`${key}: ${problem === null ? told : explain(problem)}`);
                if (is_stopped)
                  say(
                    `  So many are gone that nobody was asked. Look at its page, then npm run sources -- pull ${key} --gone`,
                  );
              },
            });
            return `${sources.length} read, ${failed} failed. What waits is at the desk; what was published is in the next release.`;
          } finally {
            free();
          }
        }),
    ],
  },
);

/** In English, as an operator reads it. */
function explain(problem: (typeof FEED_PROBLEMS)[number]): string {
  const words: Readonly<Partial<Record<typeof problem, string>>> = {
    emptied:
      'it is empty and was not; nothing was done. Look at its page, then pull it with --gone',
    not_allowed: 'its robots.txt asks us to stay away',
    is_page: 'it is a page without events, perhaps of a login',
    cut_off: 'it did not arrive whole',
  };
  return words[problem] ?? `it could not be read (${problem})`;
}
