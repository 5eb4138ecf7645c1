// What the filters that are on or off have in common: `1`, `true`, `0` or `false`.
import * as v from 'valibot';
import { type Filter, type FilteredEvent, type FilteredVenue, readText } from './filter.ts';

const WORDS = ['1', 'true', '0', 'false'] as const;

/** What one of them says of itself. */
interface FlagForm<Name extends string, Value> {
  readonly name: Name;
  readonly other_names: readonly string[];
  /** Whether an event passes where the filter is on. */
  readonly has: (event: FilteredEvent) => boolean;
  /** The same of a place that is open by itself. */
  readonly hasPlace: (venue: FilteredVenue) => boolean;
  readonly toValue: (is_on: boolean) => Value;
  readonly isOn: (value: Value) => boolean;
}

export interface FlagFilter<Name extends string, Value>
  extends Filter<Name, Value, Name>,
    Pick<FlagForm<Name, Value>, 'has' | 'hasPlace'> {
  /** The parameter again; null where it is off. */
  readonly toText: (value: Value) => string | null;
}

/** A filter that is on or off; its words are `ics.filter.<name>`. */
export function createFlagFilter<Name extends string, Value>({
  name,
  other_names,
  has,
  hasPlace,
  toValue,
  isOn,
}: FlagForm<Name, Value>): FlagFilter<Name, Value> {
  const schema = v.pipe(
    v.picklist(WORDS, (i) => `${name}: '${i.input}' is not accepted. Use 1, true, 0 or false`),
    v.transform((word) => word === '1' || word === 'true'),
  );
  return {
    name,
    has,
    hasPlace,
    isOn,
    parameters: [{ name, other_names, schema: { type: 'string', enum: WORDS }, example: '1' }],
    off: toValue(false),
    read: (params, { issues }) => toValue(readText(schema, params[name], false, issues.form)),
    toPhrases: (value) => (isOn(value) ? [{ key: name, parts: {} }] : []),
    toText: (value) => (isOn(value) ? '1' : null),
  };
}
