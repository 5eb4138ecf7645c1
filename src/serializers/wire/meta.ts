// What stands beside the data of every response: language, age, attribution, where the docs are; and
// the body of an error (contract 3.1, 3.2, 3.3, 3.4, 9.1).
import type { DayRange } from '../../domain/cancun-time.ts';
import * as v from 'valibot';
import { ERROR_CODES } from '../../domain/app-error.ts';
import { AddressSchema, CountSchema, DaySchema, TimestampSchema } from '../../domain/fields.ts';
import type { NearFacts } from '../../domain/distance.ts';
import { type Lang, LANGS } from '../../domain/lang.ts';
import type { Spelling } from '../../domain/search.ts';
import type { Site } from '../../domain/site.ts';
import { toAbsolute, toPagePath } from '../../i18n/paths.ts';
import { t } from '../../i18n/translate.ts';
import { NothingSchema, type NothingWire } from './nothing.ts';

const metaFields = {
  lang: v.picklist(LANGS),
  generated_at: v.pipe(
    TimestampSchema,
    v.description('When the data was put together; the same for every answer of one release.'),
  ),
  attribution: v.pipe(v.string(), v.description('The sentence to show with the data.')),
  docs: AddressSchema,
} as const;

export const MetaSchema = v.strictObject(metaFields);
export type Meta = v.InferOutput<typeof MetaSchema>;

export const ListMetaSchema = v.strictObject({
  ...metaFields,
  count: v.pipe(CountSchema, v.description('Number of items in data.')),
  range: v.nullable(v.strictObject({ from: DaySchema, to: DaySchema })),
  spellings: v.exactOptional(
    v.pipe(
      v.array(v.strictObject({ word: v.string(), read_as: v.array(v.string()) })),
      v.description('Words of q that nothing has as they stand, and what they were read as.'),
    ),
  ),
  without_place: v.exactOptional(
    v.pipe(
      CountSchema,
      v.description(
        'Only with near: those that match all else and are left out, since neither their own point nor the middle of their zone is known.',
      ),
    ),
  ),
  measured_to_zone: v.exactOptional(
    v.pipe(
      v.strictObject({
        count: CountSchema,
        off_km: v.nullable(v.pipe(v.number(), v.integer())),
      }),
      v.description(
        'Only with near: how many are measured to the middle of their zone (`coordinates` is zone), and how far that is known to be off, in km.',
      ),
    ),
  ),
  total: v.exactOptional(
    v.pipe(CountSchema, v.description('How many match in all, on every page.')),
  ),
  nothing: v.exactOptional(NothingSchema),
});
export type ListMeta = v.InferOutput<typeof ListMetaSchema>;

export const PlacesMetaSchema = v.strictObject({
  ...metaFields,
  count: ListMetaSchema.entries.count,
  total: v.pipe(CountSchema, v.description('How many match in all, on every page.')),
  spellings: ListMetaSchema.entries.spellings,
  without_place: ListMetaSchema.entries.without_place,
  measured_to_zone: ListMetaSchema.entries.measured_to_zone,
});
export type PlacesMeta = v.InferOutput<typeof PlacesMetaSchema>;

export const NoticesMetaSchema = v.strictObject({
  ...metaFields,
  count: v.exactOptional(CountSchema),
  date: v.exactOptional(DaySchema),
});
export type NoticesMeta = v.InferOutput<typeof NoticesMetaSchema>;

export const ChangesMetaSchema = v.strictObject({
  ...metaFields,
  count: v.pipe(CountSchema, v.description('Number of items in data.')),
  since: v.pipe(TimestampSchema, v.description('What became of each thing is told from then on.')),
  cursor: v.pipe(
    v.string(),
    v.description('Keep it: ask with it for what comes after this answer, now or next week.'),
  ),
  has_more: v.pipe(v.boolean(), v.description('Whether there is more already.')),
});
export type ChangesMeta = v.InferOutput<typeof ChangesMetaSchema>;

/** The body of every response that is not a success. */
export const ErrorSchema = v.strictObject({
  error: v.strictObject({
    code: v.pipe(
      v.picklist(ERROR_CODES),
      v.description('What went wrong, for programs: decide by this, never by the message.'),
    ),
    message: v.string(),
    documentation_url: v.exactOptional(AddressSchema),
    help_url: v.pipe(
      v.exactOptional(AddressSchema),
      v.description('Where its code is explained to people.'),
    ),
  }),
});

/** The sentence to show with the data (contract 1.5). */
export const toAttribution = (lang: Lang, site: Site): string =>
  t(lang, 'meta.attribution', { name: site.name, url: site.url });

/**
 * `generated_at` is the snapshot's, so that the same request gives the same bytes (contract 11.4).
 */
export function toMeta(generated_at: string, lang: Lang, site: Site): Meta {
  return {
    lang,
    generated_at,
    attribution: toAttribution(lang, site),
    docs: toAbsolute(site.url, toPagePath('docs', lang)),
  };
}

interface ListFacts {
  readonly count: number;
  readonly total: number;
  readonly range: DayRange | null;
  readonly spellings?: readonly Spelling[];
  readonly near?: NearFacts | null;
  readonly nothing?: NothingWire | null;
}

/** Only what had to be forgiven, and what `near` leaves out or is not sure of. */
const toRemarks = ({ spellings = [], near = null }: Pick<ListFacts, 'spellings' | 'near'>) => ({
  ...(spellings.length > 0 && {
    spellings: spellings.map(({ word, read_as }) => ({ word, read_as: [...read_as] })),
  }),
  ...(near && {
    without_place: near.without_place,
    ...(near.measured_to_zone && { measured_to_zone: near.measured_to_zone }),
  }),
});

/** `range` null is upcoming from now. */
export const toListMeta = (
  meta: Meta,
  { count, total, range, nothing = null, ...remarks }: ListFacts,
): ListMeta => ({
  ...meta,
  count,
  total,
  range: range && { from: range.from.toString(), to: range.to.toString() },
  ...toRemarks(remarks),
  ...(nothing !== null && { nothing }),
});

export const toPlacesMeta = (
  meta: Meta,
  { count, total, ...remarks }: Omit<ListFacts, 'range' | 'nothing'>,
): PlacesMeta => ({ ...meta, count, total, ...toRemarks(remarks) });

export const toChangesMeta = (meta: Meta, own: Omit<ChangesMeta, keyof Meta>): ChangesMeta => ({
  ...meta,
  ...own,
});

/** `date` is the requested day, YYYY-MM-DD. */
export function toNoticesMeta(meta: Meta, count: number, date: string): NoticesMeta {
  return { ...meta, count, date };
}
