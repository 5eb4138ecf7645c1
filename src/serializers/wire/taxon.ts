// A category or a zone by itself, in a list of all of them (contract 8.29).
import * as v from 'valibot';
import { about, AddressSchema, byUrlName, CountSchema, orNull } from '../../domain/fields.ts';
import { byLang, type Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import { TaxonSchema, type TaxonRecord } from '../../domain/taxon.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';

const listedFields = {
  ...TaxonSchema.entries,
  slug: about(v.string(), 'In the requested language; filters take it too.'),
  url: AddressSchema,
  ...byUrlName(() => AddressSchema),
  description: orNull(v.string()),
  upcoming_count: about(CountSchema, 'Events of it that are still to end.'),
};

export const ListedCategorySchema = v.strictObject(listedFields);

export const ListedZoneSchema = v.strictObject({
  ...listedFields,
  lat: about(orNull(v.number()), 'The middle of the zone, where a source gives one.'),
  lng: orNull(v.number()),
});

function toFields(
  section: 'category' | 'zone',
  { key, name, slug, description }: TaxonRecord,
  upcoming_count: number,
  lang: Lang,
  site: Site,
): v.InferOutput<typeof ListedCategorySchema> {
  const urls = byLang((each) => toAbsolute(site.url, toThingPath(section, slug, each)));
  return {
    key,
    name: name[lang],
    slug: slug[lang],
    url: urls[lang],
    ...byUrlName((each) => urls[each]),
    description: description?.[lang] ?? null,
    upcoming_count,
  };
}

export const toListedCategory = (
  taxon: TaxonRecord,
  upcoming_count: number,
  lang: Lang,
  site: Site,
): v.InferOutput<typeof ListedCategorySchema> =>
  toFields('category', taxon, upcoming_count, lang, site);

export const toListedZone = (
  taxon: TaxonRecord,
  upcoming_count: number,
  lang: Lang,
  site: Site,
): v.InferOutput<typeof ListedZoneSchema> => ({
  ...toFields('zone', taxon, upcoming_count, lang, site),
  lat: taxon.middle?.lat ?? null,
  lng: taxon.middle?.lng ?? null,
});
