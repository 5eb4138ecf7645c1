// What a list says where it has nothing, in its wire form (contract 7.25).
import * as v from 'valibot';
import type { OccurrenceRecord } from '../../domain/event/event.ts';
import { about, AddressSchema, CountSchema, DaySchema, orNull } from '../../domain/fields.ts';
import type { Lang } from '../../domain/lang.ts';
import type { Site } from '../../domain/site.ts';
import type { ToldNothing } from '../../i18n/query-words.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';

const toldFields = { id: v.string(), title: v.string(), url: AddressSchema, date: DaySchema };
export const ToldSchema = v.strictObject(toldFields);

export const NothingSchema = v.pipe(
  v.strictObject({
    without: about(
      v.array(v.strictObject({ parameter: v.string(), count: CountSchema })),
      'How many there are with one filter left out, where there are some.',
    ),
    next: about(
      orNull(ToldSchema),
      'The first that matches on another day, where days were asked for.',
    ),
    nearly: about(
      v.array(v.strictObject({ ...toldFields, missing: v.array(v.string()) })),
      'Upcoming events with some of the words of q; missing are those that they lack.',
    ),
    past: about(
      v.array(ToldSchema),
      'Only where none is upcoming: events that are over, each with the last date on which it took place.',
    ),
  }),
  v.description('Only on the first page of a list that has nothing: what there is instead.'),
);
export type NothingWire = v.InferOutput<typeof NothingSchema>;

/** Everything that there is to say, as a list's `meta` holds it. */
interface Nothing extends ToldNothing {
  readonly without: readonly { readonly parameter: string; readonly count: number }[];
  readonly next: Told | null;
  readonly nearly: readonly (Told & { readonly missing: readonly string[] })[];
  readonly past: readonly Told[];
}
interface Told {
  readonly card: {
    readonly event: ToldNothing['past'][number]['card']['event'] & { readonly id: string };
  };
  readonly occurrence: OccurrenceRecord;
}

export function toNothing(
  { without, next, nearly, past }: Nothing,
  lang: Lang,
  site: Site,
): NothingWire {
  const toTold = ({ card: { event }, occurrence }: Told) => ({
    id: event.id,
    title: event.title[lang],
    url: toAbsolute(site.url, toThingPath('event', event.slug, lang)),
    date: occurrence.start.slice(0, 10),
  });
  return {
    without: without.map((one) => ({ ...one })),
    next: next && toTold(next),
    nearly: nearly.map((one) => ({ ...toTold(one), missing: [...one.missing] })),
    past: past.map(toTold),
  };
}
