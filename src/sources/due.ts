// What of the content is due to be looked at again: each fact that has a shelf life, with its sources
// (contract 6.5).
import type { Temporal } from 'temporal-polyfill';
import { hasDayFrom, isRule } from '../domain/event/occurrences.ts';
import {
  type Certainty,
  type ShelfLife,
  toDueDay,
  toEvidenceDay,
} from '../domain/knowledge/certainty.ts';
import { DUE_DAYS, type DueFact, type DueSplit, splitDue } from '../domain/knowledge/due.ts';
import { byLang } from '../domain/lang.ts';
import { toConfidence, toEvidence, toShelfLife } from './certainty.ts';
import type { EventFile, NoticeFile, VenueFile, When } from './content-schema.ts';
import { idOf } from './identity.ts';
import { type ContentIssue, toContentError } from './issues.ts';
import { type Content, type ContentFile, readContent } from './read-content.ts';

type Sourced = ContentFile<Pick<EventFile, 'sources'>>;

/** What is not the same for every fact of a file. */
type Part = Pick<DueFact, 'id' | 'name' | 'kind' | 'shelf'> & { readonly stated?: Certainty };

function toFact({ file, value: { sources } }: Sourced, part: Part): DueFact {
  const evidence = toEvidenceDay(toEvidence({ sources }));
  return {
    stated: 'confirmed',
    ...part,
    file,
    evidence_day: evidence.toString(),
    day: toDueDay(part.shelf, evidence).toString(),
    sources: sources.map(({ url, name, published, checked }) => ({
      url: url ?? null,
      name: name ?? null,
      published: published ?? null,
      checked,
    })),
  };
}

/** Whether a rule gives a day from today on, within a year. */
function isAhead(rules: readonly When[], today: Temporal.PlainDate): boolean {
  const horizon = today.add({ years: 1 });
  return rules
    .filter(({ rrule }) => rrule === undefined || isRule(rrule))
    .some((when) => hasDayFrom(when, today, horizon));
}

/** The dates of an event with something ahead, and its price where it has amounts. */
export function listDueOfEvent(
  source: ContentFile<EventFile>,
  today: Temporal.PlainDate,
): DueFact[] {
  const { value } = source;
  if (value.status === 'cancelled' || value.withdrawn !== undefined) return [];
  if (!isAhead(value.when, today)) return [];
  const thing = { id: idOf('event', source), name: value.title };
  const is_rule = value.when.at(-1)?.dates === undefined;
  const stated = is_rule || toConfidence(value, today) === 'low' ? 'usual' : 'confirmed';
  const dates = toFact(source, { ...thing, kind: 'dates', shelf: toShelfLife(value), stated });
  if (typeof value.price === 'string') return [dates];
  return [dates, toFact(source, { ...thing, kind: 'price', shelf: 'price' })];
}

function listOfVenue(source: ContentFile<VenueFile>): DueFact[] {
  const { name, hours, admission } = source.value;
  const thing = { id: idOf('venue', source), name: byLang(() => name) };
  return [
    ...(hours ? [toFact(source, { ...thing, kind: 'hours', shelf: 'weekly' })] : []),
    ...(admission.length > 0
      ? [toFact(source, { ...thing, kind: 'admission', shelf: 'price' })]
      : []),
  ];
}

/** A notice of certain days is due as an event of certain days is; one that stays open, as a habit is. */
function listOfNotice(source: ContentFile<NoticeFile>, today: Temporal.PlainDate): DueFact[] {
  const { open, when, title } = source.value;
  if (!open && !isAhead(when, today)) return [];
  const shelf: ShelfLife = open ? 'weekly' : toShelfLife({ when });
  return [toFact(source, { id: idOf('notice', source), name: title, kind: 'notice', shelf })];
}

/** Those of venues and notices, in no order. */
export const listDueOfOthers = (
  { venues, notices }: Pick<Content, 'venues' | 'notices'>,
  today: Temporal.PlainDate,
): DueFact[] => [
  ...venues.flatMap((file) => listOfVenue(file)),
  ...notices.flatMap((file) => listOfNotice(file, today)),
];

/**
 * What of a content folder is due by `days` days after `today`. Throws one Error with every issue of
 * the content.
 */
export function readDue(folder: string, today: Temporal.PlainDate, days = DUE_DAYS): DueSplit {
  const issues: ContentIssue[] = [];
  const content = readContent(folder, issues);
  if (issues.length > 0) throw toContentError(issues);
  const due = content.events.flatMap((file) => listDueOfEvent(file, today));
  return splitDue([...due, ...listDueOfOthers(content, today)], today, days);
}

/** `12 facts are due, 5 of them overdue: npm run due`; null where nothing is. */
export function toDueLine({ overdue, soon }: DueSplit): string | null {
  const count = overdue.length + soon.length;
  if (count === 0) return null;
  const facts = count === 1 ? 'fact is' : 'facts are';
  return `${count} ${facts} due to be looked at again, ${overdue.length} of them overdue: npm run due`;
}
