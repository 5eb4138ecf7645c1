// Price words: finds the words of a text by which visitors pay, for forms, tools, imported
// calendars, flyers and the desk (contract 14.57).
import { foldText } from '../text-folding.ts';
import { FREE_ENTRY_PATTERN } from './flyer-patterns.ts';

/** Words of a contribution that visitors may leave out. */
export const VOLUNTARY_PATTERN =
  /voluntari|voluntary|sugerid|suggested|opcional|optional|lo que (?:guste|quiera|pueda)|what you (?:can|want|wish)/;
/** Words of a price for something other than admission. */
const SIDE_COST_PATTERN =
  /premio|bolsa de|consumo|estacionamiento|descuento|botella|cubeta|prize|parking|valet|discount|minimum spend|cerveza|beer|drink|bebida|comida|food|taco|rifa|raffle|renta\b|rental|material|propina|\btips?\b|transport|ferry|taxi|guardarropa|locker|souvenir|playera|shirt|wifi|degustacion|tasting/;
/** An amount above 0 with its currency, or a number after a word for admission. */
const COST_AMOUNT_PATTERN =
  /[$€£]\s?(?!0(?![\d.,]*[1-9]))\d[\d,]*|(?<![\d.,])[1-9][\d,]*\s?(?:[€£]|pesos|mxn|usd|dlls|dolares|euros?)(?!\p{L})|(?<=(?:cover|entrada|boletos?|costo|precio|preventa|taquilla|inscripcion|cuota|tickets?|entry|admission)(?: general| de|:){0,2} )[1-9]\d{1,4}(?!\d| ?(?:%|personas|people|anos|years|hrs|:))/gu;
/** Words that mean payment without an amount. */
const PAID_PATTERN = /\bde paga\b|\bcon costo\b|(?<!no )\btiene costo\b|\bpaid\b|preventa|presale/;
const COVER_PATTERN = /\bcover\b/;
const NO_COVER_PATTERN = /\b(?:sin|no)\b.*\bcover\b|\bcover (?:free|gratis)\b/;
const FREE_WORD_PATTERN = /\b(?:gratis|gratuit[oa]s?|libre|free)\b/;
/** Visitors or hours that free entry is limited to. */
const LIMITED_PATTERN =
  /nin[oa]s?\b|menores|kids|child|under \d|inapam|mujer|ladies|damas|antes de|before|cumplea|estudiante|student|residente|resident|socios|members/;
const EVERYONE_PATTERN =
  /adult|todo publico|toda la familia|todos|all ages|everyone|para grandes|familias/;
/** Words for a sale of tickets, which may be free. */
const TICKET_PATTERN = /\b(?:boletos?|tickets?|taquilla|mxn|pesos|euros?)\b/;

const CLAUSE_SEPARATOR = /[\n;·|]|[.,!?](?!\d)|\s(?:pero|but)\s/u;

/** The price of a text, from its clauses about admission. */
export interface PriceWords {
  /** Entry is free for all. */
  readonly is_free: boolean;
  /** Clauses by which at least some visitors pay: `Boletos $250`, `gratis para niños`. */
  readonly costs: readonly string[];
  /** The amounts of these clauses. */
  readonly amounts: readonly number[];
  readonly mentions_tickets: boolean;
}

/** Reads the words of a text about admission. Contributions by choice and side costs are ignored. */
export function readPriceWords(text: string): PriceWords {
  const costs: string[] = [];
  const amounts: number[] = [];
  let [is_free, mentions_tickets] = [false, false];
  for (const part of text.slice(0, MAX_TEXT_LENGTH).split(CLAUSE_SEPARATOR)) {
    const clause = part.trim();
    const folded = foldText(clause);
    if (VOLUNTARY_PATTERN.test(folded) || SIDE_COST_PATTERN.test(folded)) {
      is_free ||= matchesFreeEntry(clause);
      continue;
    }
    const cost_amounts = folded.match(COST_AMOUNT_PATTERN) ?? [];
    const is_limited =
      FREE_WORD_PATTERN.test(folded) &&
      LIMITED_PATTERN.test(folded) &&
      !EVERYONE_PATTERN.test(folded);
    const has_cover = COVER_PATTERN.test(folded) && !NO_COVER_PATTERN.test(folded);
    amounts.push(...cost_amounts.map((amount) => Number(amount.replace(/[^\d]/g, ''))));
    if (cost_amounts.length > 0 || is_limited || has_cover || PAID_PATTERN.test(folded))
      costs.push(clause);
    else if (matchesFreeEntry(clause)) is_free = true;
    else mentions_tickets ||= TICKET_PATTERN.test(folded);
  }
  return { is_free, costs, amounts, mentions_tickets };
}

/** The longest text of a submission. */
const MAX_TEXT_LENGTH = 4_500;
/** Characters of a quoted clause. */
const MAX_QUOTE_LENGTH = 80;

const matchesFreeEntry = (clause: string): boolean => clause.match(FREE_ENTRY_PATTERN) !== null;

/**
 * Finds the words that contradict a free price.
 * @returns null if there are none.
 */
export const findCostWords = (text: string): string | null =>
  readPriceWords(text).costs[0]?.slice(0, MAX_QUOTE_LENGTH) ?? null;
