// What a field of a submission is: how it is read, stored, asked for on the form and described.
import * as v from 'valibot';
import type { ParameterDescription } from '../filters/filter.ts';
import type { ControlForm } from './control-form.ts';

/** An entry of the table of fields. */
export interface Field extends Omit<ParameterDescription, 'name'> {
  /** Reads the text as sent; what is empty is left out before. */
  readonly rule: v.GenericSchema;
  /** Only the form has it: no tool and no description of the fields. */
  readonly is_of_form?: true;
  /** How it is stored, under its name or under `stored_as`; fields without it are part of another. */
  readonly stored?: v.GenericSchema;
  readonly stored_as?: string;
  /** The control of the same name. */
  readonly control?: ControlForm;
  /** Controls of other names. */
  readonly controls?: Readonly<Record<string, ControlForm>>;
}

/** Null where nothing was given, and in what was stored before there was the field. */
export const TEXT = v.optional(v.nullable(v.string()), null);
