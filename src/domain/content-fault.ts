// What is wrong with a file of content that a release has, and what stands in its place.

export interface ContentFault {
  /** Path from the content folder. */
  readonly file: string;
  /** From 1; null where the fault is not in one place. */
  readonly line: number | null;
  /** `when[0].start`; empty for the whole file. */
  readonly field: string;
  /** In English, as editors read it where they check. */
  readonly message: string;
  /** Whether the file is left out, for it never was good; else it says what it last said. */
  readonly is_left_out: boolean;
}
