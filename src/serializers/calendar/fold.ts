// Content lines of iCalendar: at most 75 octets, no character cut, CRLF at the end of each (RFC
// 5545 section 3.1).

/** Octets in a line, without its CRLF; a continuation's leading space counts. */
const MAX_OCTETS = 75;

/** The line with its CRLF, folded where it is longer than 75 octets. */
export function foldLine(line: string): string {
  if (line.length * 3 <= MAX_OCTETS || Buffer.byteLength(line) <= MAX_OCTETS) return `${line}\r\n`;
  let folded = '';
  let start = 0;
  let octets = 0;
  for (let at = 0; at < line.length; ) {
    const code = line.codePointAt(at) ?? 0;
    const size = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (octets + size > MAX_OCTETS) {
      folded += `${line.slice(start, at)}\r\n `;
      start = at;
      octets = 1;
    }
    octets += size;
    at += code > 0xffff ? 2 : 1;
  }
  return `${folded}${line.slice(start)}\r\n`;
}
