// What an event costs as schema.org has it (JSON-LD).
import type { EventRecord } from '../domain/event/event.ts';
import type { Lang } from '../domain/lang.ts';
import { toVisitorName } from '../i18n/opening.ts';
import type { Node } from './json-ld.ts';

/**
 * An offer for each kind of visitor, or the lowest price for all. Nothing of a price that is not
 * known, or only last known: search engines show it without our doubts. `url`: the event's page.
 */
export function toOffers(
  { price, ticket_url }: EventRecord,
  url: string,
  lang: Lang,
): Node | readonly Node[] | undefined {
  const amount = price.is_free ? 0 : price.min;
  if (amount === null || price.certainty === 'last_known') return undefined;
  const at = { '@type': 'Offer', url: ticket_url ?? url } as const;
  if (price.visitors.length === 0) return { ...at, price: amount, priceCurrency: price.currency };
  return price.visitors.map((each) => ({
    ...at,
    name: toVisitorName(each.visitor, lang),
    description: each.note?.[lang],
    price: each.amount,
    priceCurrency: each.currency,
  }));
}

/** Undefined where it is not known, and where some enter free and others pay. */
export function toFreeAccess({ price }: EventRecord): boolean | undefined {
  if (price.is_free) return true;
  const is_for_some = price.visitors.some(({ amount }) => amount === 0);
  return price.min !== null && price.min > 0 && !is_for_some ? false : undefined;
}
