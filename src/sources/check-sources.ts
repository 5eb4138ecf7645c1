// Source checks: reports source days in the future, and repositories as the source of a nightclub
// or of a venue's opening hours (contract 6.5).
import { Temporal } from 'temporal-polyfill';
import { systemNowMs } from '../clock.ts';
import { toLocalDay } from '../domain/local-time.ts';
import { isNightclub } from '../domain/event/event.ts';
import type { EventFile, NoticeFile, VenueFile } from './content-schema.ts';
import { type ContentIssue, createIssueAt, type FieldPath } from '../yaml.ts';
import type { ParsedContentFile } from './load-content.ts';

/** Tolerance, because an editor's clock may be ahead of the machine's. */
const CLOCK_TOLERANCE_DAYS = 2;

/** Computes the latest valid day, also by the machine's clock: CLOCK_START may be years back. */
function computeLastValidDay(today: Temporal.PlainDate): Temporal.PlainDate {
  const machine_day = toLocalDay(systemNowMs());
  const later_day = Temporal.PlainDate.compare(today, machine_day) < 0 ? machine_day : today;
  return later_day.add({ days: CLOCK_TOLERANCE_DAYS });
}

/** A field with a day; `event` completes the message `Use the day on which …`. */
type DatedField = readonly [path: FieldPath, day: string | undefined, event: string];

/** Pushes an issue for each field with a day in the future. */
function validateDays(
  source: ParsedContentFile<unknown>,
  fields: readonly DatedField[],
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void {
  const last_valid_day = computeLastValidDay(today).toString();
  for (const [path, day, event] of fields)
    if (day !== undefined && day > last_valid_day)
      issues.push(
        createIssueAt(source, path, `${day} is in the future. Use the day on which ${event}`),
      );
}

/** Pushes an issue for each source that was published or checked in the future. */
export const checkSourceDays = (
  source: ParsedContentFile<Pick<EventFile, 'sources'>>,
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void => {
  const fields = source.value.sources.flatMap(({ published, checked }, index): DatedField[] => [
    [['sources', index, 'published'], published, 'the source was published'],
    [['sources', index, 'checked'], checked, 'the source was checked'],
  ]);
  validateDays(source, fields, today, issues);
};

/** Pushes an issue if a notice was announced in the future. */
export const checkBulletin = (
  source: ParsedContentFile<NoticeFile>,
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void => {
  const { bulletin } = source.value;
  validateDays(source, [[['bulletin'], bulletin, 'it was announced']], today, issues);
};

/**
 * Hosts of code and data that anyone may have entered years ago: not evidence that a venue is open.
 */
const REPOSITORY_HOST_PATTERN =
  /(?:^|\.)(?:github|gitlab|githubusercontent|bitbucket|codeberg)\.(?:com|org)$/;
const isRepository = (url: string | undefined): boolean =>
  url !== undefined && REPOSITORY_HOST_PATTERN.test(new URL(url).hostname);

const REPOSITORY_MESSAGE =
  'is a repository, which is not a reliable source. Use the page of the venue itself';

/** Pushes an issue for each repository among the sources of a nightclub. */
export function checkNightclubSources(
  source: ParsedContentFile<EventFile>,
  issues: ContentIssue[],
) {
  const { value } = source;
  if (!isNightclub(value)) return;
  if (isRepository(value.source_url))
    issues.push(createIssueAt(source, ['source_url'], REPOSITORY_MESSAGE));
  for (const [index, { url }] of value.sources.entries())
    if (isRepository(url))
      issues.push(createIssueAt(source, ['sources', index, 'url'], REPOSITORY_MESSAGE));
}

/** Pushes an issue if a venue has opening hours and all its sources are repositories. */
export function checkHoursSources(source: ParsedContentFile<VenueFile>, issues: ContentIssue[]) {
  const { hours, sources } = source.value;
  if (hours === undefined || !sources.every(({ url }) => isRepository(url))) return;
  issues.push(createIssueAt(source, ['hours'], `the only source ${REPOSITORY_MESSAGE}`));
}
