// What may stand behind a fact: nothing from the future, and no repository behind a nightclub or the
// hours of a place (contract 6.5).
import { Temporal } from 'temporal-polyfill';
import { systemNowMs } from '../clock.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { isNightclub } from '../domain/event/event.ts';
import type { EventFile, NoticeFile, VenueFile } from './content-schema.ts';
import { type ContentIssue, createIssueAt, type FieldPath } from '../yaml.ts';
import type { ParsedContentFile } from './load-content.ts';

/** An editor's calendar may be so far ahead of the machine's. */
const AHEAD_DAYS = 2;

/** The last day that can have come, by the service's clock or the machine's: CLOCK_START may lie years back. */
function toLastDay(today: Temporal.PlainDate): Temporal.PlainDate {
  const machine = toLocalDay(systemNowMs());
  const later = Temporal.PlainDate.compare(today, machine) < 0 ? machine : today;
  return later.add({ days: AHEAD_DAYS });
}

type DatedField = readonly [path: FieldPath, day: string | undefined, what: string];

/** Pushes an issue for each of the days of a file that is in the future. */
function checkDays(
  source: ParsedContentFile<unknown>,
  told: readonly DatedField[],
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void {
  const last = toLastDay(today).toString();
  for (const [path, day, what] of told)
    if (day !== undefined && day > last)
      issues.push(
        createIssueAt(source, path, `${day} is in the future. Write the day on which ${what}`),
      );
}

/** When its sources were published and looked at. */
export const checkSourceDays = (
  source: ParsedContentFile<Pick<EventFile, 'sources'>>,
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void => {
  const told = source.value.sources.flatMap(({ published, checked }, at): DatedField[] => [
    [['sources', at, 'published'], published, 'the source came out'],
    [['sources', at, 'checked'], checked, 'the source was looked at'],
  ]);
  checkDays(source, told, today, issues);
};

/** Nobody has announced anything on a day to come. */
export const checkBulletin = (
  source: ParsedContentFile<NoticeFile>,
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void => {
  const { bulletin } = source.value;
  checkDays(source, [[['bulletin'], bulletin, 'it was announced']], today, issues);
};

/** Hosts of code and data that anybody may have typed in, years ago: nobody there keeps a door. */
const REPOSITORIES = /(?:^|\.)(?:github|gitlab|githubusercontent|bitbucket|codeberg)\.(?:com|org)$/;
const isRepository = (url: string | undefined): boolean =>
  url !== undefined && REPOSITORIES.test(new URL(url).hostname);

const ADVICE = 'is a repository, which nobody can be sent to. Name the page of the place itself';

/** Pushes an issue for each repository that is to speak for a nightclub. */
export function checkNightclubSources(
  source: ParsedContentFile<EventFile>,
  issues: ContentIssue[],
) {
  const { value } = source;
  if (!isNightclub(value)) return;
  if (isRepository(value.source_url)) issues.push(createIssueAt(source, ['source_url'], ADVICE));
  for (const [at, { url }] of value.sources.entries())
    if (isRepository(url)) issues.push(createIssueAt(source, ['sources', at, 'url'], ADVICE));
}

/** Pushes an issue where nothing but repositories speaks for the hours of a place. */
export function checkHoursSources(source: ParsedContentFile<VenueFile>, issues: ContentIssue[]) {
  const { hours, sources } = source.value;
  if (hours === undefined || !sources.every(({ url }) => isRepository(url))) return;
  issues.push(createIssueAt(source, ['hours'], `speak from what ${ADVICE}`));
}
