// What a filter is: its parameters and how they are read, when it is off, and its words.
import * as v from 'valibot';
import type { EventRecord } from '../event/event.ts';
import type { Lang } from '../lang.ts';
import type { Taxonomy } from '../taxon.ts';
import type { VenueRecord } from '../venue.ts';

/** JSON Schema 2020-12 of a parameter's text as sent. */
export type ParameterSchema = Readonly<Record<string, unknown>>;

/** A parameter for whoever describes it: OpenAPI, the docs page and the MCP tools. */
export interface ParameterDescription {
  readonly name: string;
  readonly description: string;
  readonly schema: ParameterSchema;
  readonly example: string | number | boolean;
}

/** A parameter without its words, which i18n has. */
export interface Parameter<Name extends string = string>
  extends Omit<ParameterDescription, 'description'> {
  readonly name: Name;
  /** Names that people write by habit, folded (contract 7.5, 7.6, 7.7, 7.9). */
  readonly other_names: readonly string[];
}

/** Known parameters as texts, each once, no empty values. */
export type ParameterTexts = Readonly<Record<string, string>>;

/** A venue or an organizer. */
export interface Thing {
  readonly id: string;
  readonly name: string;
}

/** What a query may name: categories and zones, venues and organizers by their id. */
export interface Town {
  readonly taxonomy: Taxonomy;
  readonly venues: ReadonlyMap<string, Thing>;
  readonly organizers: ReadonlyMap<string, Thing>;
  /** The id behind an id or any slug that one ever had; that of nothing, or null, where there is none. */
  readonly findId: (kind: 'venue' | 'organizer', id_or_slug: string) => string | null;
}

/** What the reading of a query needs to know, and where its issues go, as `param: sentence`. */
export interface QueryContext {
  readonly town: Town;
  /** The instant that decides which day is today, epoch ms of a whole minute. */
  readonly now_ms: number;
  readonly kind: 'list' | 'feed';
  readonly issues: {
    /** What is wrong with a text by itself; these are listed first. */
    readonly form: string[];
    /** What is wrong with what it says: a day, a category, a zone. */
    readonly meaning: string[];
  };
}

/** A part of a query: `Value` is its part of the values that the query asks for. */
export interface QueryPart<Name extends string, Value> {
  /** In the contract's order. */
  readonly parameters: readonly Parameter<Name>[];
  /** Never throws: what is wrong is pushed to the issues, and any value given. */
  readonly read: (params: ParameterTexts, context: QueryContext) => Value;
}

/** A text as it is, or the name of words (`ics.filter.<key>`) and what they are filled with. */
export type Phrase<WordKey extends string> =
  | string
  | { readonly key: WordKey; readonly parts: Readonly<Record<string, string | number>> };

/** The query as it was written, and whom its words are for. */
export interface PhraseContext {
  readonly params: ParameterTexts;
  readonly taxonomy: Taxonomy;
  readonly lang: Lang;
}

/** A part of a query that leaves some events out. */
export interface Filter<Name extends string, Value, WordKey extends string = never>
  extends QueryPart<Name, Value> {
  /** What it is called: its first parameter. */
  readonly name: Name;
  /** The value that leaves nothing out. */
  readonly off: Value;
  readonly isOn: (value: Value) => boolean;
  /** What it asks for in words, for the name of a feed; none where it is off. */
  readonly toPhrases: (value: Value, context: PhraseContext) => readonly Phrase<WordKey>[];
}

/** What the filters by taxon and by flag look at. */
export type FilteredEvent = Pick<EventRecord, 'category' | 'zone' | 'tags' | 'price' | 'indoor'>;

/** What the filters by flag look at where a place is open by itself. */
export type FilteredVenue = Pick<VenueRecord, 'admission' | 'family' | 'indoor'>;

/** The output of a schema for a text; `fallback` where there is none, or its issues are pushed. */
export function readText<T>(
  schema: v.GenericSchema<unknown, T>,
  text: string | undefined,
  fallback: T,
  issues: string[],
): T {
  if (text === undefined) return fallback;
  const result = v.safeParse(schema, text);
  if (result.success) return result.output;
  issues.push(...result.issues.map((issue) => issue.message));
  return fallback;
}

/** The one of some words that a parameter is; null where there is none, or its issue is pushed. */
export function readChoice<T extends string>(
  name: string,
  choices: readonly T[],
  { [name]: text }: ParameterTexts,
  issues: string[],
): T | null {
  const chosen = choices.find((choice) => choice === text) ?? null;
  if (text !== undefined && chosen === null)
    issues.push(`${name}: '${text}' is not accepted. Use ${choices.join(', ')}`);
  return chosen;
}
