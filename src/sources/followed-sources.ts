// Followed sources: defines and loads the content files of the calendars, pages and feeds we poll.
// They are not part of a snapshot (contract 14.36).
import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { replaceWebcal } from '../domain/imported-events.ts';
import { TIME_ZONE } from '../domain/local-time.ts';
import { LANGS } from '../domain/lang.ts';
import { SEVERITIES } from '../domain/notice.ts';
import { TOWN } from '../town.ts';
import { OrganizerSchema, VenueSchema } from './content-schema.ts';
import { isTimeZone } from './external/ics-time.ts';
import { getId } from './identity.ts';
import { type ContentIssue, createIssueAt, oneOf } from '../yaml.ts';
import { listFiles, loadContentFile } from './load-content.ts';
import {
  fileNameSchema,
  booleanSchema,
  contentLineSchema,
  listSchema,
  optionalListSchema,
  paragraphsSchema,
  urlSchema,
  integerSchema,
} from './content-field-schemas.ts';

/** Formats of followed sources. There is one parser per format, and none for a particular site. */
export const SOURCE_KINDS = ['icalendar', 'json-ld', 'feed', 'cap'] as const;
/**
 * Changes that need no review: none (`ask`), updates of published events (`changes`), or all that
 * are complete (`publish`).
 */
export const TRUST_LEVELS = ['ask', 'changes', 'publish'] as const;

export const SourceSchema = v.strictObject({
  /** Display name at the desk. */
  name: contentLineSchema(120),
  kind: oneOf(SOURCE_KINDS),
  url: v.pipe(v.string(), v.transform(replaceWebcal), urlSchema),
  /** If false, the source is not polled. */
  follow: booleanSchema,
  trust: v.optional(oneOf(TRUST_LEVELS), 'ask'),
  /** For alerts: the lowest severity that is published without review. */
  publish_from: v.optional(oneOf([...SEVERITIES, 'none']), 'alert'),
  /** For alerts: names and codes of areas that include the town. */
  areas: v.optional(listSchema(contentLineSchema(80)), [...TOWN.areas]),
  /** Interval of polls. */
  every_hours: v.optional(integerSchema(1, 168), 6),
  lang: oneOf(LANGS),
  /** Time zone of times without one. */
  time_zone: v.optional(
    v.pipe(
      contentLineSchema(60),
      v.check(isTimeZone, 'must be the name of a time zone, as Europe/Madrid'),
    ),
    TIME_ZONE,
  ),
  /** Venue of events that do not name another known venue. */
  venue: v.optional(fileNameSchema),
  // Facts of its events that the source does not state.
  organizer: v.optional(fileNameSchema),
  category: oneOf(TOWN.category_keys),
  zone: oneOf(TOWN.zone_keys),
  price: v.optional(oneOf(['free', 'unknown']), 'unknown'),
  /** Description of events without one. */
  description: v.optional(v.pipe(paragraphsSchema, v.minLength(20, 'must have 20 characters'))),
  /** Words to remove from titles and texts. */
  drop: optionalListSchema(contentLineSchema(120)),
  /** Contact person; for editors only. */
  contact: v.optional(contentLineSchema(160)),
});
export type FollowedSourceFile = v.InferOutput<typeof SourceSchema>;
export interface FollowedSource extends FollowedSourceFile {
  /** File name without its extension. */
  readonly key: string;
  /** Ids of its `venue` and `organizer`; null if the file names none. */
  readonly venue_id: string | null;
  readonly organizer_id: string | null;
}

const FOLDER = 'sources';
const SCHEMAS = { venue: VenueSchema, organizer: OrganizerSchema } as const;

/**
 * Loads the valid source files, and the issues of the others. Empty if the town follows no sources.
 */
export function loadFollowedSources(content_dir: string) {
  const issues: ContentIssue[] = [];
  const files = existsSync(`${content_dir}/${FOLDER}`)
    ? listFiles(content_dir, FOLDER, issues)
    : [];
  const sources = files.flatMap((file): FollowedSource[] => {
    const { parsed, issues: file_issues } = loadContentFile(content_dir, file, SourceSchema);
    issues.push(...file_issues);
    if (parsed === null) return [];
    const count_before = issues.length;
    const findId = (kind: 'venue' | 'organizer') => {
      const name = parsed.value[kind];
      if (name === undefined) return null;
      const record = loadContentFile(content_dir, `${kind}s/${name}.yml`, SCHEMAS[kind]).parsed;
      if (record !== null) return getId(kind, record);
      const message = `refers to ${kind}s/${name}.yml, which is missing or invalid`;
      issues.push(createIssueAt(parsed, [kind], message));
      return null;
    };
    const ids = { venue_id: findId('venue'), organizer_id: findId('organizer') };
    return issues.length > count_before ? [] : [{ ...parsed.value, ...ids, key: parsed.stem }];
  });
  return { sources, issues };
}
