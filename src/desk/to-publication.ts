// A submission and what a reviewer added to it, as a publication that passes the schemas of
// content/.
import * as v from 'valibot';
import { toCancunDay } from '../domain/cancun-time.ts';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { byLang, type LocalText } from '../domain/lang.ts';
import { FAMILY_TAG } from '../domain/event/event.ts';
import { isSentOnline, ONLINE } from '../domain/event/online.ts';
import { findByName } from '../domain/place-name.ts';
import { toTown } from '../domain/place-line.ts';
import {
  ADDITION_LIST,
  type AdditionName,
  type Additions,
  type PublicationIssue,
} from '../domain/submission/additions.ts';
import type { StoredSubmission, Submission } from '../domain/submission/submission.ts';
import { type Publication, PublicationSchema } from '../sources/inbox/publication.ts';
import type { Known } from './known.ts';
import { listWhens } from './to-when.ts';

/** Which submission it is of, and when. */
export interface Origin extends Pick<StoredSubmission, 'reference' | 'channel'> {
  readonly now_ms: number;
}

export type PublicationReading =
  | { readonly publication: Publication; readonly issues: readonly [] }
  | { readonly publication: null; readonly issues: readonly PublicationIssue[] };

/** The publication, or everything that keeps it from being one. Never throws. */
export function toPublication(
  submission: Submission,
  additions: Additions,
  { reference, channel, now_ms }: Origin,
  known: Pick<Known, 'listOrganizers'>,
): PublicationReading {
  // Under a title that nobody has written in it, a summary in the other language would name another event.
  const has_other = textOf(additions, 'other_summary') !== undefined;
  const missing = ADDITION_LIST.flatMap(([field, { is_needed }]): PublicationIssue[] =>
    (is_needed || (has_other && field === 'other_title')) && textOf(additions, field) === undefined
      ? [{ field, rule: 'missing', message: 'missing' }]
      : [],
  );
  const today = toCancunDay(now_ms).toString();
  const result = v.safeParse(PublicationSchema, {
    event: toEventFile(submission, additions, { reference, channel, today }),
    venue: toVenue(submission, additions, { reference, today }),
    organizer: toOrganizer(submission, { reference, today }, known),
  });
  const issues = (result.issues ?? []).flatMap(toIssues);
  if (result.success && missing.length === 0) return { publication: result.output, issues: [] };
  return { publication: null, issues: missing.length > 0 ? missing : issues };
}

/** The issue of a union is that of the form which got furthest. */
function toIssues(issue: v.BaseIssue<unknown>): PublicationIssue[] {
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  return deeper.length > 0
    ? deeper.flatMap(toIssues)
    : [{ field: v.getDotPath(issue) ?? '', rule: 'invalid', message: issue.message }];
}

const textOf = (additions: Additions, name: AdditionName): string | undefined => {
  const text = (name === 'other_description' ? toCleanText : toCleanLine)(additions[name] ?? '');
  return text === '' ? undefined : text;
};

interface Provenance {
  readonly reference: string;
  /** YYYY-MM-DD. */
  readonly today: string;
}

function toEventFile(
  s: Submission,
  additions: Additions,
  { reference, channel, today }: Provenance & Pick<Origin, 'channel'>,
): object {
  const both = (
    own: string | undefined | null,
    other: string | undefined,
  ): LocalText | undefined => {
    const [first, second] = [own ?? other, other ?? own ?? undefined];
    if (first === undefined || first === null || second === undefined) return undefined;
    return byLang((lang) => (lang === s.lang ? first : second));
  };
  const note = both(s.price.note, textOf(additions, 'other_price_note'));
  const summary = textOf(additions, 'summary');
  const [other_summary, other_description] = [
    textOf(additions, 'other_summary'),
    textOf(additions, 'other_description'),
  ];
  // Where the summary is all there is, it does not stand there twice.
  const has_description = s.description !== summary;
  const is_written =
    other_summary !== undefined && (!has_description || other_description !== undefined);
  return dropAbsent({
    title: both(s.title, textOf(additions, 'other_title')),
    summary: both(summary, other_summary),
    description: has_description ? both(s.description, other_description) : undefined,
    written_in: is_written ? undefined : s.lang,
    category: s.category,
    zone: s.zone ?? undefined,
    location_note: isSentOnline(s) ? ONLINE : undefined,
    when: listWhens(s),
    open_end: s.open_end,
    tags: s.family ? [FAMILY_TAG] : undefined,
    price: toPrice(s, note),
    ticket_url: s.ticket_url ?? undefined,
    registration_url: s.registration_url ?? undefined,
    age_restriction: both(s.age_restriction, textOf(additions, 'other_age_restriction')),
    languages: s.languages,
    image: s.image === null ? undefined : { ...s.image, alt: toAlt(s, additions, both) },
    source: channel === 'agent' ? 'agent' : 'organizer',
    source_url: s.source_url ?? undefined,
    ...toProvenance(s.source_url, reference, today),
  });
}

/** Where nobody says what a picture shows, the name of the event does. */
function toAlt(
  { image, title }: Submission,
  additions: Additions,
  both: (own: string, other: string | undefined) => LocalText | undefined,
): LocalText | undefined {
  const other = textOf(additions, 'other_image_alt');
  if (image?.alt) return both(image.alt, other);
  return both(title, other ?? textOf(additions, 'other_title'));
}

function toPrice({ price }: Submission, note: LocalText | undefined): unknown {
  if (price.is_free && note === undefined) return 'free';
  if (price.is_free) return { min: 0, max: 0, note };
  if (price.min === null && price.max === null && note === undefined) return 'unknown';
  return dropAbsent({ min: price.min ?? undefined, max: price.max ?? undefined, note });
}

function toVenue(s: Submission, additions: Additions, { reference, today }: Provenance): unknown {
  if (s.venue !== null) return { id: s.venue };
  if (s.venue_name === null || isSentOnline(s)) return null;
  const [lat, lng] = [textOf(additions, 'lat'), textOf(additions, 'lng')];
  return {
    file: dropAbsent({
      name: s.venue_name,
      address: s.venue_address ?? undefined,
      locality: textOf(additions, 'locality') ?? toTown(s.zone),
      zone: s.zone ?? undefined,
      lat: toNumber(lat),
      lng: toNumber(lng),
      coordinates_source:
        lat === undefined && lng === undefined ? undefined : `review desk, ${today}`,
      ...toProvenance(s.source_url, reference, today),
    }),
  };
}

/** What is no number stays text, so that the schema names it. */
const toNumber = (text: string | undefined): number | string | undefined =>
  text === undefined || !/^-?\d+(\.\d+)?$/.test(text) ? text : Number(text);

function toOrganizer(
  s: Submission,
  { reference, today }: Provenance,
  { listOrganizers }: Pick<Known, 'listOrganizers'>,
): unknown {
  const { name, url } = s.organizer;
  if (name === null) return null;
  const same = findByName(listOrganizers(), name);
  if (same) return { id: same.id };
  return {
    file: dropAbsent({
      name,
      type: 'promotor',
      website: url ?? undefined,
      ...toProvenance(url ?? s.source_url, reference, today),
    }),
  };
}

const toProvenance = (url: string | null, reference: string, today: string): object => ({
  sources: [dropAbsent({ name: reference, url: url ?? undefined, checked: today })],
  confidence: 'medium',
});

const dropAbsent = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
