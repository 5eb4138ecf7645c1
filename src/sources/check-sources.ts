// What may stand behind a fact: nothing from the future, and no repository behind a nightclub or the
// hours of a place (contract 6.5, 6.8).
import type { Temporal } from 'temporal-polyfill';
import { isNightclub } from '../domain/event/event.ts';
import type { EventFile, VenueFile } from './content-schema.ts';
import type { ContentIssue } from './issues.ts';
import type { ContentFile } from './read-content.ts';

/** Days that an editor's calendar may be ahead of the machine's. */
export const AHEAD_DAYS = 2;

/** Pushes an issue for each source that was published or looked at in the future. */
export function checkSourceDays(
  source: ContentFile<Pick<EventFile, 'sources'>>,
  today: Temporal.PlainDate,
  issues: ContentIssue[],
): void {
  const last = today.add({ days: AHEAD_DAYS }).toString();
  source.value.sources.forEach(({ published, checked }, position) => {
    for (const [name, day] of [
      ['published', published],
      ['checked', checked],
    ] as const) {
      if (day === undefined || day <= last) continue;
      issues.push({
        file: source.file,
        line: source.lineOf(['sources', position, name]),
        field: `sources[${position}].${name}`,
        message: `${day} is in the future. Write the day on which the source ${name === 'published' ? 'came out' : 'was looked at'}`,
      });
    }
  });
}

/** Hosts of code and data that anybody may have typed in, years ago: nobody there keeps a door. */
const REPOSITORIES = /(?:^|\.)(?:github|gitlab|githubusercontent|bitbucket|codeberg)\.(?:com|org)$/;
const isRepository = (url: string | undefined): boolean =>
  url !== undefined && REPOSITORIES.test(new URL(url).hostname);

const ADVICE = 'is a repository, which nobody can be sent to. Name the page of the place itself';

/** Pushes an issue for each repository that is to speak for a nightclub. */
export function checkNightclubSources(
  { file, value, lineOf }: ContentFile<EventFile>,
  issues: ContentIssue[],
): void {
  if (!isNightclub(value)) return;
  if (isRepository(value.source_url))
    issues.push({ file, line: lineOf(['source_url']), field: 'source_url', message: ADVICE });
  for (const [at, { url }] of value.sources.entries())
    if (isRepository(url))
      issues.push({
        file,
        line: lineOf(['sources', at, 'url']),
        field: `sources[${at}].url`,
        message: ADVICE,
      });
}

/** Pushes an issue where nothing but repositories speaks for the hours of a place. */
export function checkHoursSources(
  { file, value, lineOf }: ContentFile<VenueFile>,
  issues: ContentIssue[],
): void {
  if (value.hours === undefined || !value.sources.every(({ url }) => isRepository(url))) return;
  issues.push({
    file,
    line: lineOf(['hours']),
    field: 'hours',
    message: `speak from what ${ADVICE}`,
  });
}
