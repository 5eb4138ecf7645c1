// What a field of a thing takes, for the form that edits it: read from its schema, so that there is
// no list of fields beside the schemas of content/.

/** How a text is typed: on a line, in a box, as a day, an hour, a name without spaces, or a picture's link. */
export const TEXT_CONTROLS = ['line', 'area', 'date', 'time', 'word', 'picture'] as const;
type TextControl = (typeof TEXT_CONTROLS)[number];
export const PLACE_CONTROLS = ['venue', 'organizer'] as const;

export type FieldShape =
  | { readonly is: 'text'; readonly control: TextControl }
  | { readonly is: 'number' }
  | { readonly is: 'flag' }
  | { readonly is: 'rule' }
  | { readonly is: 'choice'; readonly options: readonly string[] }
  | { readonly is: 'place'; readonly of: (typeof PLACE_CONTROLS)[number] }
  | { readonly is: 'texts'; readonly control: TextControl }
  | { readonly is: 'choices'; readonly options: readonly string[] }
  | GroupShape
  | { readonly is: 'rows'; readonly row: FieldShape }
  /** One of a few words, or else a group. */
  | { readonly is: 'word'; readonly words: readonly string[]; readonly group: FieldShape };

export type Fields = Readonly<Record<string, string>>;

export interface GroupShape {
  readonly is: 'group';
  readonly fields: readonly (readonly [name: string, shape: FieldShape])[];
}

interface Option {
  readonly value: string;
  readonly label: string;
}
/** What a control needs to know of the agenda: places and taxa with their names. */
export interface FieldChoices {
  readonly venue: readonly Option[];
  readonly organizer: readonly Option[];
  readonly category: readonly Option[];
  readonly zone: readonly Option[];
}
