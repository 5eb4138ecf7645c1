// The agendas that have a page of their own.

export const ALIAS_KINDS = ['today', 'tomorrow', 'weekend', 'week'] as const;
/** An agenda named by a word, which the clock resolves. */
export type AliasKind = (typeof ALIAS_KINDS)[number];
export type AgendaKind = 'day' | AliasKind;
