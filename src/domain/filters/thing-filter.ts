// What the filters by venue and by organizer have in common: one of them, by its id or any slug that
// it ever had (contract 7.31).
import { fold } from '../folding.ts';
import type { Filter, Thing, Town } from './filter.ts';

/** What one of them says of itself. */
interface ThingForm<Name extends 'venue' | 'organizer', Value> {
  readonly name: Name;
  readonly other_names: readonly string[];
  readonly example: string;
  readonly thingsOf: (town: Town) => ReadonlyMap<string, Thing>;
  readonly toValue: (thing: Thing | null) => Value;
  readonly thingOf: (value: Value) => Thing | null;
}

/** A filter by one thing that an event belongs to. */
export const createThingFilter = <Name extends 'venue' | 'organizer', Value>({
  name,
  other_names,
  example,
  thingsOf,
  toValue,
  thingOf,
}: ThingForm<Name, Value>): Filter<Name, Value> => ({
  name,
  parameters: [{ name, other_names, schema: { type: 'string' }, example }],
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
