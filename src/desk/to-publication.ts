// A submission and what a reviewer added to it, as a publication that passes the schemas of
// content/.
import * as v from 'valibot';
import { toCleanLine, toCleanText } from '../domain/clean-text.ts';
import { fold } from '../domain/folding.ts';
import type { LocalText } from '../domain/lang.ts';
import { toTown } from '../domain/place-line.ts';
import type { Submission } from '../domain/submission/submission.ts';
import {
  type Additions,
  NEEDED_ADDITIONS,
  type Publication,
  type PublicationIssue,
  PublicationSchema,
} from '../sources/inbox/publication.ts';
import { toWhen } from './to-when.ts';

/** Where it came from, and what is known of organizers. */
export interface Approval {
  readonly reference: string;
  readonly channel: 'form' | 'agent';
  /** YYYY-MM-DD. */
  readonly today: string;
  readonly organizers: readonly { readonly id: string; readonly name: string }[];
}

export type PublicationReading =
  | { readonly publication: Publication; readonly issues: readonly [] }
  | { readonly publication: null; readonly issues: readonly PublicationIssue[] };

/** The publication, or everything that keeps it from being one. Never throws. */
export function toPublication(
  submission: Submission,
  additions: Additions,
  approval: Approval,
): PublicationReading {
  const missing = NEEDED_ADDITIONS.filter((name) => textOf(additions, name) === undefined).map(
    (field) => ({ field, message: 'missing' }),
  );
  const result = v.safeParse(PublicationSchema, {
    event: toEventFile(submission, additions, approval),
    venue: toVenue(submission, additions, approval),
    organizer: toOrganizer(submission, approval),
  });
  const issues = (result.issues ?? []).flatMap(toIssues);
  if (result.success && missing.length === 0) return { publication: result.output, issues: [] };
  return { publication: null, issues: missing.length > 0 ? missing : issues };
}

/** A union's fault is that of the form which got furthest. */
function toIssues(issue: v.BaseIssue<unknown>): PublicationIssue[] {
  const deeper = (issue.issues ?? []).filter(
    (inner) => (inner.path?.length ?? 0) > (issue.path?.length ?? 0),
  );
  return deeper.length > 0
    ? deeper.flatMap(toIssues)
    : [{ field: v.getDotPath(issue) ?? '', message: issue.message }];
}

const textOf = (additions: Additions, name: keyof Additions): string | undefined => {
  const text = (name === 'other_description' ? toCleanText : toCleanLine)(additions[name] ?? '');
  return text === '' ? undefined : text;
};

function toEventFile(
  s: Submission,
  additions: Additions,
  { reference, channel, today }: Approval,
): object {
  const both = (
    own: string | undefined | null,
    other: string | undefined,
  ): LocalText | undefined => {
    const [first, second] = [own ?? other, other ?? own ?? undefined];
    if (first === undefined || first === null || second === undefined) return undefined;
    return s.lang === 'es' ? { es: first, en: second } : { es: second, en: first };
  };
  const note = both(s.price.note, textOf(additions, 'other_price_note'));
  return dropAbsent({
    title: both(s.title, textOf(additions, 'other_title')),
    summary: both(textOf(additions, 'summary'), textOf(additions, 'other_summary')),
    // Where the summary is all there is, it is not said twice.
    description:
      s.description === textOf(additions, 'summary')
        ? undefined
        : both(s.description, textOf(additions, 'other_description')),
    category: s.category,
    zone: s.zone ?? undefined,
    when: [toWhen(s)],
    price: toPrice(s, note),
    ticket_url: s.ticket_url ?? undefined,
    registration_url: s.registration_url ?? undefined,
    age_restriction: both(s.age_restriction, textOf(additions, 'other_age_restriction')),
    languages: s.languages,
    image:
      s.image === null
        ? undefined
        : {
            url: s.image.url,
            alt: both(
              s.image.alt ?? s.title,
              textOf(additions, 'other_image_alt') ??
                (s.image.alt === null ? textOf(additions, 'other_title') : undefined),
            ),
          },
    source: channel === 'agent' ? 'agent' : 'organizer',
    source_url: s.source_url ?? undefined,
    ...toProvenance(s.source_url, reference, today),
  });
}

function toPrice({ price }: Submission, note: LocalText | undefined): unknown {
  if (price.is_free && note === undefined) return 'free';
  if (price.is_free) return { min: 0, max: 0, note };
  if (price.min === null && price.max === null && note === undefined) return 'unknown';
  return dropAbsent({ min: price.min ?? undefined, max: price.max ?? undefined, note });
}

function toVenue(s: Submission, additions: Additions, { reference, today }: Approval): unknown {
  if (s.venue !== null) return { id: s.venue };
  if (s.venue_name === null) return null;
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

function toOrganizer(s: Submission, { reference, today, organizers }: Approval): unknown {
  const { name, url } = s.organizer;
  if (name === null) return null;
  const same = organizers.find((organizer) => fold(organizer.name) === fold(name));
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
