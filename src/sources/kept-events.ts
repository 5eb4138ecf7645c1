// What events came to in the release before: one that is made of the same is not made again. The key has
// all that an event is made of but the ledger, which is laid beside what was published.
import { hash } from 'node:crypto';
import type { Temporal } from 'temporal-polyfill';
import type { MadeEvent } from '../domain/dataset.ts';
import type { Ledger } from '../domain/ledger.ts';
import type { EventFile } from './content-schema.ts';
import type { ContentFile } from './read-content.ts';
import type { Places } from './to-event.ts';

const toKey = (parts: unknown): string =>
  hash('sha256', JSON.stringify(parts), 'base64url').slice(0, 22);

/** The key of an event on a day, among places: its file as the desk leaves it, and what it refers to; empty of one that has none. */
export function createEventKey(
  { venues, organizers, town }: Places,
  today: Temporal.PlainDate,
): (source: ContentFile<EventFile>) => string {
  const toKeys = (places: ReadonlyMap<string, object>) =>
    new Map([...places].map(([stem, place]) => [stem, toKey(place)]));
  const keys = { venues: toKeys(venues), organizers: toKeys(organizers) };
  const around = toKey([today.toString(), town]);
  return ({ file, stem, value }) => {
    // Whether its picture is held is found out each time.
    if (value.image !== undefined) return '';
    const { venue = '', organizer = '' } = value;
    const refers_to = [keys.venues.get(venue), keys.organizers.get(organizer)];
    return toKey([around, file, stem, value, refers_to]);
  };
}

/** Whether the ledger remembers an event and its dates as they were published. */
export const isAsRemembered = (
  { record, occurrences }: MadeEvent,
  { revisions }: Pick<Ledger, 'revisions'>,
): boolean =>
  revisions.get(record.id)?.updated_at === record.updated_at &&
  occurrences.every(({ id, updated_at, sequence }) => {
    const revision = revisions.get(id);
    return revision?.updated_at === updated_at && revision.sequence === sequence;
  });
