// Our own sentences with code and addresses in them, as CommonMark writes both: `code` and
// <https://address>.

export interface InlinePiece {
  readonly kind: 'text' | 'code' | 'link';
  readonly text: string;
}

/** The pieces of a sentence in their order; a bracket around anything but an address is text. */
export function toInlinePieces(sentence: string): readonly InlinePiece[] {
  return sentence
    .split(/(`[^`]+`|<[^<>\s]+>)/)
    .filter((part) => part !== '')
    .map((part): InlinePiece => {
      if (part.startsWith('`') && part.endsWith('`'))
        return { kind: 'code', text: part.slice(1, -1) };
      return /^<(https?:\/\/|[^@]+@)/.test(part)
        ? { kind: 'link', text: part.slice(1, -1) }
        : { kind: 'text', text: part };
    });
}

/** Where a piece of the kind `link` leads: an address stays, an e-mail becomes `mailto:`. */
export const toInlineHref = ({ text }: InlinePiece): string =>
  /^https?:\/\//.test(text) ? text : `mailto:${text}`;
