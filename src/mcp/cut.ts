// Texts cut where an answer would be too long: in the records, so that both halves say the same.
import type { EventCard } from '../domain/agenda.ts';
import type { Lang } from '../domain/lang.ts';
import { t } from '../i18n/translate.ts';
import type { McpContext } from './context.ts';

type Allowed = Pick<McpContext, 'characters'>;

/** An address is whole or of no use; ids, slugs and days are shorter than any text that is cut. */
const ADDRESS = /^https?:\/\/\S+$/;

/** At the end of a word, with an ellipsis. */
export function cutText(text: string, { characters }: Allowed): string {
  if (characters === undefined || text.length <= characters || ADDRESS.test(text)) return text;
  const kept = text.slice(0, characters - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.replace(/\s+\S*$/, '')}…`;
}

function cutIn(value: unknown, allowed: Allowed): unknown {
  if (typeof value === 'string') return cutText(value, allowed);
  if (typeof value !== 'object' || value === null) return value;
  for (const [name, inner] of Object.entries(value))
    Object.assign(value, { [name]: cutIn(inner, allowed) });
  return value;
}

/** A record of plain values with every text cut. */
export function cutTexts<T extends object>(record: T, allowed: Allowed): T {
  if (allowed.characters === undefined) return record;
  const copy = structuredClone(record);
  cutIn(copy, allowed);
  return copy;
}

/** Where texts are cut, as many entries of a list as characters of a text hold. */
const CHARACTERS_AN_ENTRY = 50;

/** The first of them, where texts are cut. */
export const fewer = <T>(list: readonly T[], { characters }: Allowed): readonly T[] =>
  characters === undefined ? list : list.slice(0, Math.ceil(characters / CHARACTERS_AN_ENTRY));

/** An event with what stands beside it, also with fewer tags, rules and prices by visitor. */
export function cutCard<T extends EventCard>(card: T, allowed: Allowed): T {
  if (allowed.characters === undefined) return card;
  const { event, venue, organizer, next } = card;
  const short = {
    ...event,
    tags: [...fewer(event.tags, allowed)],
    habit: [...fewer(event.habit, allowed)],
    price: { ...event.price, visitors: [...fewer(event.price.visitors, allowed)] },
  };
  return { ...card, ...cutTexts({ event: short, venue, organizer, next }, allowed) };
}

/** Where the rest of what is cut stands; nothing where all is told. */
export const toCutHints = (url: string, lang: Lang, { characters }: Allowed): readonly string[] =>
  characters === undefined ? [] : [t(lang, 'mcp.cut', { url })];
