// The filters by what an event belongs to, a venue or an organizer: one of them, by its id or any slug
// that it ever had (contract 7.31).
import { fold } from '../folding.ts';
import type { Filter, Thing, Town } from './filter.ts';

/** What one of them says of itself. */
interface ThingForm<Name extends 'venue' | 'organizer', Value> {
  readonly name: Name;
  readonly other_names: readonly string[];
  readonly thingsOf: (town: Town) => ReadonlyMap<string, Thing>;
  readonly toValue: (thing: Thing | null) => Value;
  readonly thingOf: (value: Value) => Thing | null;
}

const createThingFilter = <Name extends 'venue' | 'organizer', Value>({
  name,
  other_names,
  thingsOf,
  toValue,
  thingOf,
}: ThingForm<Name, Value>): Filter<Name, Value> => ({
  name,
  // The example is one of the town's own, where the parameter is described.
  parameters: [{ name, other_names, schema: { type: 'string' }, example: '' }],
  off: toValue(null),
  read: (params, { town, issues }) => {
    const text = params[name];
    if (text === undefined) return toValue(null);
    const thing = thingsOf(town).get(town.findId(name, fold(text.trim())) ?? '');
    if (thing === undefined)
      issues.meaning.push(
        `${name}: '${text}' is not known. Use the id or slug of one in /api/v1/${name}s`,
      );
    return toValue(thing ?? null);
  },
  isOn: (value) => thingOf(value) !== null,
  toPhrases: (value) => {
    const thing = thingOf(value);
    return thing === null ? [] : [thing.name];
  },
});

/** `venue`. */
export const venue = createThingFilter({
  name: 'venue',
  other_names: ['lugar', 'recinto', 'place'],
  thingsOf: ({ venues }) => venues,
  toValue: (venue: Thing | null) => ({ venue }),
  thingOf: ({ venue }) => venue,
});

/** `organizer`. */
export const organizer = createThingFilter({
  name: 'organizer',
  other_names: ['organizador', 'organizadora', 'organizacion', 'organiser'],
  thingsOf: ({ organizers }) => organizers,
  toValue: (organizer: Thing | null) => ({ organizer }),
  thingOf: ({ organizer }) => organizer,
});
