// The sources that are followed: a file of content for each, in no snapshot; what a file may say, and all that is wrong
// with them at once (contract 14.36).
import { existsSync } from 'node:fs';
import * as v from 'valibot';
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

/** Each has one reader, never one for a site. */
export const SOURCE_KINDS = ['icalendar', 'json-ld', 'feed', 'cap'] as const;
/** What is done without asking: nothing, what changes of published events, all that is complete. */
export const TRUST_LEVELS = ['ask', 'changes', 'publish'] as const;

export const SourceSchema = v.strictObject({
  /** As the desk calls it. */
  name: contentLineSchema(120),
  kind: oneOf(SOURCE_KINDS),
  url: urlSchema,
  /** False: nothing is fetched of it by itself. */
  follow: booleanSchema,
  trust: v.optional(oneOf(TRUST_LEVELS), 'ask'),
  /** Of alerts, from which on they go out unasked; and the names and codes by which an area means us. */
  publish_from: v.optional(oneOf([...SEVERITIES, 'none']), 'alert'),
  areas: v.optional(listSchema(contentLineSchema(80)), [...TOWN.areas]),
  every_hours: v.optional(integerSchema(1, 168), 6),
  lang: oneOf(LANGS),
  /** Of times that name none. */
  time_zone: v.optional(
    v.pipe(
      contentLineSchema(60),
      v.check(isTimeZone, 'must be the name of a time zone, as Europe/Madrid'),
    ),
    TIME_ZONE,
  ),
  /** Where all of it takes place that names no other known place. */
  venue: v.optional(fileNameSchema),
  organizer: v.optional(fileNameSchema),
  category: oneOf(TOWN.category_keys),
  zone: oneOf(TOWN.zone_keys),
  price: v.optional(oneOf(['free', 'unknown']), 'unknown'),
  /** Said of what has no text of its own. */
  description: v.optional(v.pipe(paragraphsSchema, v.minLength(20, 'must have 20 characters'))),
  /** Words that are cut from titles and texts. */
  drop: optionalListSchema(contentLineSchema(120)),
  /** Whom to ask; for editors only. */
  contact: v.optional(contentLineSchema(160)),
});
export type FollowedSourceFile = v.InferOutput<typeof SourceSchema>;
export interface FollowedSource extends FollowedSourceFile {
  /** The name of its file. */
  readonly key: string;
  readonly venue_id: string | null;
  readonly organizer_id: string | null;
}

const FOLDER = 'sources';
const SCHEMAS = { venue: VenueSchema, organizer: OrganizerSchema } as const;

/** Those that are sound, and what is wrong with the others. None where a town follows nothing. */
export function loadFollowedSources(content_dir: string) {
  const issues: ContentIssue[] = [];
  const files = existsSync(`${content_dir}/${FOLDER}`)
    ? listFiles(content_dir, FOLDER, issues)
    : [];
  const sources = files.flatMap((file): FollowedSource[] => {
    const { parsed, issues: found } = loadContentFile(content_dir, file, SourceSchema);
    issues.push(...found);
    if (parsed === null) return [];
    const own = issues.length;
    const findId = (kind: 'venue' | 'organizer') => {
      const name = parsed.value[kind];
      if (name === undefined) return null;
      const thing = loadContentFile(content_dir, `${kind}s/${name}.yml`, SCHEMAS[kind]).parsed;
      if (thing !== null) return getId(kind, thing);
      const message = `names ${kind}s/${name}.yml, which is missing or faulty`;
      issues.push(createIssueAt(parsed, [kind], message));
      return null;
    };
    const ids = { venue_id: findId('venue'), organizer_id: findId('organizer') };
    return issues.length > own ? [] : [{ ...parsed.value, ...ids, key: parsed.stem }];
  });
  return { sources, issues };
}
