// Two services on one data folder, one of which may write no file beyond a size: what either acknowledges is
// there, and what the disk does not take is refused while readers read on.
import type { Inbox } from '../../src/inbox/open.ts';
import { getSubmission } from '../../src/inbox/submissions.ts';
import { type BuiltServer, toToolCall } from '../fixtures/built-server.ts';
import { countOne, type Finding, inHands, toCounts } from './finding.ts';
import { askOnce } from './reader.ts';

const DAY = '2026-12-05T20:00';
const EACH = 40;
/** Beyond which a description fills the journal. */
const WORDS = 'Una noche inventada, con música y comida. '.repeat(40);

/** Sends an event to a service; its reference, or null. */
async function sendTo(port: number, title: string, address: string): Promise<string | null> {
  const call = toToolCall('enviar_evento', {
    title,
    description: WORDS,
    category: 'musica-en-vivo',
    venue_name: 'Patio Inventado',
    zone: 'centro',
    start: DAY,
    free: true,
    lang: 'es',
  });
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, {
    ...call,
    headers: { ...call.headers, 'x-forwarded-for': address },
  });
  return /"reference\\?":\s*\\?"([\w-]+)/.exec(await answer.text())?.[1] ?? null;
}

/** Sends to both at once. */
export async function trySecond(
  rich: BuiltServer,
  poor: { readonly port: number; readonly output: () => string },
  inbox: Inbox,
): Promise<Finding> {
  const said: string[] = [];
  const counts = new Map<string, number>();
  await inHands(EACH * 2, 4, async (at) => {
    const [name, port] =
      at % 2 === 0 ? (['rich', rich.port] as const) : (['poor', poor.port] as const);
    const reference = await sendTo(port, `Dos servicios ${at}`, `10.7.${at}.1`);
    countOne(counts, `${name} ${reference === null ? 'refused' : 'stored'}`);
    if (reference !== null) said.push(reference);
  });
  const missing = said.filter((one) => getSubmission(inbox, one) === null);
  const reads = [await askOnce(rich.port, '/hoy'), await askOnce(poor.port, '/hoy')];
  return {
    what: `two services on one data folder, ${EACH * 2} events sent in, files of 2 MB at most in one`,
    figures: `${toCounts(counts)}; ${said.length} acknowledged, ${missing.length} lost; pages ${reads.join(', ')}`,
    is_held: missing.length === 0 && said.length > 0 && reads.join() === '200,200',
  };
}
