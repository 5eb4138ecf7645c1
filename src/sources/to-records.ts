// Venues, organizers and notices: files to records.
import type { Temporal } from 'temporal-polyfill';
import { toCancunDay } from '../domain/cancun-time.ts';
import type { HolidayRecord } from '../domain/day/holidays.ts';
import { toSpan } from '../domain/event/occurrences.ts';
import { byLang } from '../domain/lang.ts';
import { type Ledger, type Moment, type Revision, toDigest } from '../domain/ledger.ts';
import { type NoticeClaim, type NoticeRecord, toStanding } from '../domain/notice.ts';
import type { OrganizerRecord } from '../domain/organizer.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import { toSourceDays } from './certainty.ts';
import type { NoticeFile, OrganizerFile, VenueFile, When } from './content-schema.ts';
import { idOf, slugOf } from './identity.ts';
import type { ContentIssue } from './issues.ts';
import { reviseKnown, toOldDigest } from './old-digest.ts';
import { toAdmissionKnowledge, toKnownOpening } from './old-places.ts';
import type { ContentFile } from './read-content.ts';
import { toDays } from './rule-days.ts';

/** A record, the revision it got and the file it came from. */
export interface Revised<R, F> {
  readonly record: R;
  readonly revision: Revision;
  readonly source: ContentFile<F>;
}

/** Gives a record its `updated_at` from the ledger. `told`: what is said with it of other things. */
export function reviseRecord<R extends { readonly id: string }>(
  record: R,
  ledger: Ledger,
  moment: Moment,
  told: unknown = null,
): { record: R & { updated_at: string }; revision: Revision } {
  const toOld = (): string => toOldDigest(record);
  const digest = toDigest([record, told]);
  const revision = reviseKnown(ledger.revisions.get(record.id), digest, toOld, moment);
  return { record: { ...record, updated_at: revision.updated_at }, revision };
}

function checkHolidayKeys(
  source: ContentFile<VenueFile>,
  holidays: readonly HolidayRecord[],
  issues: ContentIssue[],
): void {
  const known = holidays.map(({ key }) => key);
  for (const [at, key] of (source.value.hours?.closed_on ?? []).entries())
    if (!known.includes(key))
      issues.push({
        file: source.file,
        line: source.lineOf(['hours', 'closed_on', at]),
        field: `hours.closed_on[${at}]`,
        message: `'${key}' is no holiday: it must be one of ${known.join(', ')}`,
      });
}

/** What is known of where a venue is: its own point or, for want of one, the middle of its zone. */
function toCoordinates(
  { lat }: VenueFile,
  zone: TaxonRecord | undefined,
): Pick<VenueRecord, 'coordinates' | 'zone_lat' | 'zone_lng'> {
  if (lat !== undefined) return { coordinates: 'venue', zone_lat: null, zone_lng: null };
  const middle = zone?.middle ?? null;
  return {
    coordinates: middle && 'zone',
    zone_lat: middle?.lat ?? null,
    zone_lng: middle?.lng ?? null,
  };
}

/** The record of a file, told with its zone of `zones`. Pushes an issue for an unknown holiday. */
export function toVenue(
  source: ContentFile<VenueFile>,
  zones: readonly TaxonRecord[],
  ledger: Ledger,
  moment: Moment,
  holidays: readonly HolidayRecord[],
  issues: ContentIssue[],
): Revised<VenueRecord, VenueFile> {
  const f = source.value;
  checkHolidayKeys(source, holidays, issues);
  const today = toCancunDay(moment.now_ms);
  const admission = toAdmissionKnowledge(f, today);
  const record = {
    id: idOf('venue', source),
    slug: slugOf(
      source,
      byLang(() => f.name),
      issues,
    ),
    name: f.name,
    description: f.description ?? null,
    address: f.address ?? null,
    locality: f.locality,
    postal_code: f.postal_code ?? null,
    zone: f.zone ?? null,
    lat: f.lat ?? null,
    lng: f.lng ?? null,
    website: f.website ?? null,
    phone: f.phone ?? null,
    social: f.social,
    capacity: f.capacity ?? null,
    accessibility: f.accessibility ?? null,
    ...toKnownOpening(f, today),
    open_place: f.open_place,
    family: f.family ?? null,
    indoor: f.indoor ?? null,
    // What falls in certainty has changed; what is sure says no more than before.
    ...(admission.admission_as_of === null ? {} : admission),
  };
  const zone = zones.find(({ key }) => key === f.zone);
  const place = toCoordinates(f, zone);
  const told = [zone?.name, place];
  const { record: revised, revision } = reviseRecord(record, ledger, moment, told);
  return {
    record: { ...revised, ...admission, ...place, ...toSourceDays(f) },
    revision,
    source,
  };
}

export function toOrganizer(
  source: ContentFile<OrganizerFile>,
  ledger: Ledger,
  moment: Moment,
  issues: ContentIssue[],
): Revised<OrganizerRecord, OrganizerFile> {
  const f = source.value;
  const record = {
    id: idOf('organizer', source),
    slug: slugOf(
      source,
      byLang(() => f.name),
      issues,
    ),
    name: f.name,
    type: f.type,
    verified: f.verified,
    description: f.description ?? null,
    website: f.website ?? null,
    social: f.social,
  };
  const { record: revised, revision } = reviseRecord(record, ledger, moment);
  return { record: { ...revised, ...toSourceDays(f) }, revision, source };
}

/** What a file says of how well a notice is known, for the days of one of its rules. */
const toClaim = (f: NoticeFile, when: When): NoticeClaim => ({
  severity: f.severity,
  is_season: f.season === true,
  is_yearly: when.dates === undefined && /^(?:FREQ=YEARLY.*)?$/.test(when.rrule ?? ''),
  bulletin: f.bulletin ?? null,
  published:
    f.sources
      .flatMap(({ published }) => published ?? [])
      .sort()
      .at(-1) ?? null,
});

/** The id of the notice that begins on a day: of its file and that day. */
export const toNoticeId = (source: ContentFile<NoticeFile>, first: Temporal.PlainDate): string =>
  `${idOf('notice', source)}-${first.toString().replaceAll('-', '')}`;

/** The notices of a file up to `horizon`; `open` ones have no end. */
export function toNotices(
  source: ContentFile<NoticeFile>,
  ledger: Ledger,
  moment: Moment,
  horizon: Temporal.PlainDate,
  issues: ContentIssue[],
): { record: NoticeRecord; revision: Revision }[] {
  const f = source.value;
  const { year } = toCancunDay(moment.now_ms);
  return f.when.flatMap((when, position) =>
    toDays(when, position, horizon, source, issues).map((day) => {
      const span = toSpan(when, day);
      const record = {
        id: toNoticeId(source, day),
        type: f.type,
        ...toStanding(toClaim(f, when), day, year),
        season: f.season === true,
        title: f.title,
        body: f.body,
        short: f.short ?? null,
        zone: f.zone ?? null,
        start_ms: span.start_ms,
        end_ms: f.open ? null : span.end_ms,
        source: f.source ?? null,
        source_url: f.source_url ?? null,
      };
      const { record: revised, revision } = reviseRecord(record, ledger, moment);
      return { record: { ...revised, ...toSourceDays(f) }, revision };
    }),
  );
}
