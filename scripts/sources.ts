// npm run sources: lists followed sources, previews the import of one, and fetches them now.
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
import {
  getSourceState,
  listSourceStates,
  listTakenSenders,
} from '../src/inbox/followed-sources.ts';
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
import { type InboxCommandContext, runInboxCommand, printLine } from './commands.ts';

/** Runs a function with the current snapshot. */
async function withDesk(
  { config, inbox, actor }: InboxCommandContext,
  run: (desk: DeskContext) => Promise<string>,
) {
  const layout = dataLayout(config.data_dir);
  const file = findSnapshot(layout, getCurrentName(layout));
  if (file === null)
    throw new Error('There is no release to compare with. npm run release builds one');
  const snapshot = openSnapshot(file.path);
  try {
    return await run({ inbox, snapshot, now_ms: actor.now_ms });
  } finally {
    closeSnapshot(snapshot);
  }
}

/** Loads the valid source files and prints the issues of the others. */
function loadSources({ config }: InboxCommandContext): readonly FollowedSource[] {
  const { sources, issues } = loadFollowedSources(config.content_dir);
  for (const issue of issues) printLine(`  ${formatIssue(issue)}`);
  return sources;
}

const loadStates = async ({ inbox }: InboxCommandContext) =>
  new Map((await listSourceStates(inbox)).map((state) => [state.key, state]));

/** Formats the stored code of a fetching or parsing problem in English. */
function formatProblem(problem: string | null): string {
  const known_problem = IMPORT_PROBLEMS.find((code) => code === problem);
  return known_problem ? t('en', `batch.problem.${known_problem}`, { when: '' }) : `${problem}`;
}
/** Joins the columns of an output line; omits empty ones. */
const formatLine = (...columns: readonly (string | null)[]): string =>
  columns.filter(Boolean).join('  ');

/** Builds a draft of the source file for a new address; an editor decides on its events (`ask`). */
const draftSource = (url: string, kind: string) => ({
  ...{ name: URL.parse(url)?.host ?? url, kind, url, follow: true, trust: 'ask' },
  ...{ lang: DEFAULT_LANG, category: TOWN.category_keys[0], zone: TOWN.zone_keys[0] },
});

async function list(context: InboxCommandContext): Promise<string> {
  const states = await loadStates(context);
  const lines = loadSources(context).map(({ key, kind, trust, follow, url }) => {
    const { read_ms = null, problem = null } = states.get(key) ?? {};
    const last_fetch = read_ms === null ? 'never fetched' : `fetched ${formatTimestamp(read_ms)}`;
    return formatLine(key, kind, follow ? trust : 'not followed', last_fetch, problem, url);
  });
  const empty = 'There are no sources. npm run sources -- try ADDRESS previews one.';
  return lines.join('\n') || empty;
}

/** Prints the alerts of a CAP feed: severity and period, or the reason why one is ignored. */
function printAlerts(evaluated: Awaited<ReturnType<typeof evaluateAlerts>>): void {
  if ('problem' in evaluated) throw new Error(formatProblem(evaluated.problem));
  for (const { notice, is_cancel, infos } of evaluated.alerts) {
    const result =
      typeof notice === 'string'
        ? [notice]
        : [notice.severity, ...Object.values(getNoticePeriod(notice))];
    printLine(formatLine(...result, is_cancel ? 'Cancel' : '', infos[0]?.title ?? ''));
  }
  const { test, unread } = evaluated.ignored;
  printLine(`${evaluated.alerts.length} alerts, ${test} tests, ${unread} unreadable`);
}

/**
 * Prints the events that a source would import, without storing anything.
 * @param url_or_key Address of a new source, or key (file name) of an existing one.
 */
const preview = (context: InboxCommandContext, url_or_key: string): Promise<string> =>
  withDesk(context, async (desk) => {
    const draft = draftSource(url_or_key, context.options.kind ?? 'icalendar');
    const existing = loadSources(context).find(({ key }) => key === url_or_key);
    const links = { key: 'try', venue_id: null, organizer_id: null };
    const source = existing ?? { ...v.parse(SourceSchema, draft), ...links };
    printLine(`Fetching ${source.url} …`);
    const outcome = await createPoliteFetcher(context.config)(source, null, desk.now_ms);
    const bytes = 'problem' in outcome ? null : outcome.bytes;
    if ('problem' in outcome) throw new Error(formatProblem(outcome.problem));
    if (source.kind === 'cap')
      printAlerts(await evaluateAlerts(desk, source, bytes ?? Buffer.alloc(0)));
    const parsed = await parseSource(source, bytes ?? Buffer.alloc(0), desk.now_ms);
    if ('problem' in parsed) throw new Error(formatProblem(parsed.problem));
    const { batch = null } = (existing && (await getSourceState(desk.inbox, existing.key))) ?? {};
    const stored = batch === null ? null : await getImportById(desk.inbox, batch);
    const { rows, failures, over } = await previewImport(desk, source, parsed.reading, stored);
    for (const { row, issues } of rows) {
      const { start, dates, title, location, doubts } = row.event;
      const missing = issues.map(({ name }) => `${name} is missing`);
      const row_issues = [...missing, ...doubts.map(({ rule }) => rule)].join(', ');
      const days = dates.length > 0 ? ` +${dates.length} days` : '';
      printLine(formatLine(row.standing.padEnd(9), `${start}${days}`, title, location, row_issues));
    }
    for (const { line, rule, title } of failures)
      printLine(formatLine('unreadable', `${line}`, rule, title));
    printLine(`${rows.length} events, ${failures.length} unreadable, ${over} past\n`);
    if (existing) return `Next: npm run sources -- pull ${existing.key}`;
    const file = Object.entries(draft).map(([name, value]) => `${name}: ${value}`);
    return `Next: save this as content/sources/NAME.yml, review each line, then npm run sources -- pull NAME\n\n${file.join('\n')}`;
  });

/**
 * Fetches all followed sources, or one, and imports their events. Options: `due` skips the sources
 * that are not due; `gone` accepts any number of vanished events.
 */
const pull = (context: InboxCommandContext, source_key?: string): Promise<string> =>
  withDesk(context, async (desk) => {
    const releaseLock = await acquireLock(context.config, 'sources');
    if (releaseLock === null) return 'Another process is fetching sources. Retry later.';
    try {
      const { due, gone } = context.options;
      const states = await loadStates(context);
      const sources = loadSources(context).filter(({ key, url, follow }) =>
        source_key === undefined
          ? follow && (!due || isSourceDue(states.get(key), url, desk.now_ms))
          : key === source_key,
      );
      if (source_key !== undefined && sources.length === 0)
        throw new Error(
          `There is no valid source '${source_key}'. npm run sources -- list shows all`,
        );
      await fetchDueSources(desk, {
        ...{
          sources,
          fetchSource: createPoliteFetcher(context.config),
          with_gone: gone !== undefined,
        },
        onSourceRead: (state) => {
          const { key, problem, failing_ms, brought } = state;
          const counts = Object.entries(brought).filter(([, count]) => count > 0);
          const summary = counts.map(([name, count]) => `${name} ${count}`).join(', ');
          printLine(
            `${key}: ${failing_ms === null ? summary || 'no events' : formatProblem(problem)}`,
          );
          if (problem === 'stopped' || problem === 'emptied')
            printLine(
              `  Vanished events were not sent to review. Check its page, then npm run sources -- pull ${key} --gone`,
            );
          for (const [sender, source] of listTakenSenders(state))
            printLine(`  ${t('en', 'desk.sources.sender', { sender, source })}`);
        },
      });
      return `Fetched ${sources.length} sources. Pending changes are at the desk; published ones go into the next release.`;
    } finally {
      releaseLock();
    }
  });

await runInboxCommand(
  'Sources are files in content/sources (content/README.md). With FOLLOW=1 the service fetches the ones with "follow: true".',
  {
    list: ['lists all sources with their fetch state, and the issues of invalid files', list],
    'try ADDRESS [--kind KIND]': [
      'previews the events of an address, or of a source by its name; stores nothing',
      preview,
    ],
    'pull [KEY] [--due] [--gone]': [
      'fetches all followed sources, or one even if it is not followed; --due: only the ones that are due; --gone: sends vanished events to review, however many',
      pull,
    ],
  },
);
