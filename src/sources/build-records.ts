// Venue, organizer and notice records: builds them from content files (`f`: fields of a file), and
// the seasons from the notices that last weeks.
import type { Temporal } from 'temporal-polyfill';
import type { SeasonRecord } from '../domain/day/day-facts.ts';
import { expandDays, computeSpan } from '../domain/event/occurrences.ts';
import { computeNoticeStatus } from '../domain/notice.ts';
import type { TaxonRecord } from '../domain/taxon.ts';
import type { VenueRecord } from '../domain/venue.ts';
import {
  computeAdmissionFreshness,
  computeConfidence,
  limitOpeningToFresh,
  newestSourceDates,
} from './event-freshness.ts';
import type { NoticeFile, OrganizerFile, VenueFile } from './content-schema.ts';
import { getId, requireSlug } from './identity.ts';
import { createIssueAt } from '../yaml.ts';
import type { ParsedContentFile } from './load-content.ts';
import { type BuildContext, withRevision } from './revisions.ts';

/**
 * Returns whether the location of a venue is its own point or the center of its zone, with that
 * center. Null if it has neither.
 */
function selectCoordinates(
  { lat }: VenueFile,
  zone: TaxonRecord | undefined,
): Pick<VenueRecord, 'coordinates' | 'zone_lat' | 'zone_lng'> {
  const middle = lat === undefined ? (zone?.middle ?? null) : null;
  return {
    coordinates: lat === undefined ? middle && 'zone' : 'venue',
    zone_lat: middle?.lat ?? null,
    zone_lng: middle?.lng ?? null,
  };
}

/** Builds a venue, with the point of its zone. Pushes an issue for an unknown holiday. */
export function buildVenue(source: ParsedContentFile<VenueFile>, context: BuildContext) {
  const f = source.value;
  const { today, zones, issues } = context;
  const holiday_keys = context.holidays.map(({ key }) => key);
  for (const [index, key] of (f.hours?.closed_on ?? []).entries())
    if (!holiday_keys.includes(key)) {
      const message = `'${key}' is not a holiday: it must be one of ${holiday_keys.join(', ')}`;
      issues.push(createIssueAt(source, ['hours', 'closed_on', index], message));
    }
  const admission = computeAdmissionFreshness(f, today);
  const record = {
    id: getId('venue', source),
    slug: requireSlug(source, issues),
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
    ...limitOpeningToFresh(f, today),
    open_place: f.open_place,
    family: f.family ?? null,
    indoor: f.indoor ?? null,
    // Certain admission stays out of the digest, so that only a loss of certainty is a new
    // revision.
    ...(admission.admission_as_of === null ? {} : admission),
  };
  const zone = zones.find(({ key }) => key === f.zone);
  const coordinates = selectCoordinates(f, zone);
  const { record: revised, revision } = withRevision(record, context, [zone?.name, coordinates]);
  const confirm_email = f.confirm_email ?? null;
  return {
    record: { ...revised, ...admission, ...coordinates, ...newestSourceDates(f), confirm_email },
    revision,
  };
}

export function buildOrganizer(source: ParsedContentFile<OrganizerFile>, context: BuildContext) {
  const f = source.value;
  const record = {
    id: getId('organizer', source),
    slug: requireSlug(source, context.issues),
    name: f.name,
    type: f.type,
    verified: f.verified,
    description: f.description ?? null,
    website: f.website ?? null,
    social: f.social,
  };
  const { record: revised, revision } = withRevision(record, context);
  const { confirm_email = null } = f;
  return { record: { ...revised, ...newestSourceDates(f), confirm_email }, revision };
}

/** Builds the id of the notice that begins on a day: the id of its file and that day. */
const formatNoticeId = (source: ParsedContentFile<NoticeFile>, day: Temporal.PlainDate): string =>
  `${getId('notice', source)}-${day.toString().replaceAll('-', '')}`;

/** Builds the notices of a file up to the horizon; `open` ones have no end. */
export function buildNotices(source: ParsedContentFile<NoticeFile>, context: BuildContext) {
  const f = source.value;
  const published_days = f.sources.flatMap(({ published }) => published ?? []).sort();
  return f.when.flatMap((when) => {
    const evidence = {
      severity: f.severity,
      is_season: f.season === true,
      // A rule without `rrule` depends on Easter, so it is yearly too.
      is_yearly: when.dates === undefined && /^(?:FREQ=YEARLY.*)?$/.test(when.rrule ?? ''),
      bulletin: f.bulletin ?? null,
      published: published_days.at(-1) ?? null,
    };
    return expandDays(when, context.horizon).map((day) => {
      const span = computeSpan(when, day);
      const record = {
        id: formatNoticeId(source, day),
        type: f.type,
        ...computeNoticeStatus(evidence, day, context.today.year),
        season: f.season === true,
        title: f.title,
        body: f.body,
        written_in: f.title.es === f.title.en ? (f.written_in ?? null) : null,
        short: f.short ?? null,
        zone: f.zone ?? null,
        start_ms: span.start_ms,
        end_ms: f.open ? null : span.end_ms,
        source: f.source ?? null,
        source_url: f.source_url ?? null,
      };
      const { record: revised, revision } = withRevision(record, context);
      return { record: { ...revised, ...newestSourceDates(f) }, revision };
    });
  });
}

/**
 * Lists the seasons of a file up to the horizon (contract 4.15). Only those with high confidence
 * have fixed days.
 */
export function listSeasons(
  source: ParsedContentFile<NoticeFile>,
  context: BuildContext,
): readonly SeasonRecord[] {
  const { season, season_name, when, open } = source.value;
  if (season !== true || season_name === undefined || open) return [];
  const is_fixed = computeConfidence(source.value, context.today) === 'high';
  return when.flatMap((rule) =>
    expandDays(rule, context.horizon).map((first) => ({
      notice: formatNoticeId(source, first),
      name: season_name,
      first: first.toString(),
      last: first.add({ days: rule.days - 1 }).toString(),
      is_fixed,
    })),
  );
}
