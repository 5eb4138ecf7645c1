// A venue's hours, and those of one day, in their wire form (contract 4.10, 4.13, 4.14).
import * as v from 'valibot';
import { formatTimestamp } from '../../domain/cancun-time.ts';
import { type Lang, pick } from '../../domain/lang.ts';
import { AddressSchema } from '../../domain/fields.ts';
import {
  AdmissionSchema,
  type Hours,
  type Today,
  TodaySchema,
} from '../../domain/opening-fields.ts';
import { CERTAINTIES } from '../../domain/knowledge/certainty.ts';
import type { Admission } from '../../domain/opening-hours.ts';
import type { Site } from '../../domain/site.ts';
import { TaxonSchema, toTaxon } from '../../domain/taxon.ts';
import type { OpenPlace, VenueDay } from '../../domain/venue-day.ts';
import type { VenueRecord } from '../../domain/venue.ts';
import { toAdmissionConfirm, toDayNote } from '../../i18n/opening.ts';
import { toAbsolute, toThingPath } from '../../i18n/paths.ts';

export function toPublicHours({ hours }: VenueRecord, lang: Lang): Hours | null {
  if (hours === null) return null;
  return {
    rules: hours.rules.map((rule) => ({ ...rule, days: [...rule.days] })),
    exceptions: hours.exceptions.map((each) => ({ ...each, note: pick(each.note, lang) })),
    closed_on: [...hours.closed_on],
    ...(hours.quiet_days && { quiet_days: hours.quiet_days }),
    free: hours.free.map(({ days, visitors }) => ({ days: [...days], visitors: [...visitors] })),
    note: pick(hours.note, lang),
  };
}

const toMoment = (ms: number | null): string | null => (ms === null ? null : formatTimestamp(ms));

/** A place where simply being is a plan, with its hours on a day. */
export const PublicOpenPlaceSchema = v.strictObject({
  id: v.string(),
  name: v.string(),
  url: AddressSchema,
  zone: v.nullable(TaxonSchema),
  today: TodaySchema,
  admission: v.array(AdmissionSchema),
  admission_certainty: v.nullable(v.picklist(CERTAINTIES)),
  admission_confirm: v.nullable(v.string()),
});
export type PublicOpenPlace = v.InferOutput<typeof PublicOpenPlaceSchema>;

/** Closed ones too: each says whether it is open. */
export const toPublicOpenPlaces = (
  places: readonly OpenPlace[],
  lang: Lang,
  site: Site,
): PublicOpenPlace[] =>
  places.map(({ venue, zone, on_day }) => ({
    id: venue.id,
    name: venue.name,
    url: toAbsolute(site.url, toThingPath('venue', venue.slug, lang)),
    zone: zone && toTaxon([zone], zone.key, lang),
    today: toPublicToday(on_day, lang),
    admission: toPublicAdmission(venue.admission, lang),
    admission_certainty: venue.admission_certainty,
    admission_confirm: toAdmissionConfirm(venue, lang),
  }));

export const toPublicAdmission = (admission: readonly Admission[], lang: Lang) =>
  admission.map((price) => ({ ...price, note: pick(price.note, lang) }));

/** `note`: why it is not like its weekday, or that nobody has confirmed its hours for a holiday. */
export function toPublicToday(on_day: VenueDay, lang: Lang): Today {
  const { day, opening } = on_day;
  return {
    date: day.toString(),
    open: opening.is_open,
    spans: opening.spans.map(({ open_ms, close_ms, last_entry_ms }) => ({
      opens: formatTimestamp(open_ms),
      closes: toMoment(close_ms),
      last_entry: toMoment(last_entry_ms),
    })),
    note: toDayNote(on_day, lang),
    free_for: [...opening.free_for],
  };
}
