// The attacker: many addresses that send as fast as they can, by the form and by the tool, each text
// made to look urgent.
import type { BuiltServer } from '../fixtures/built-server.ts';

export interface AttackPlan {
  readonly addresses: number;
  readonly submissions: number;
}

/** How often each answer came. */
export type Answers = Map<string, number>;

/** At once. */
const HANDS = 6;

/**
 * Half of them each in a network of its own, a third in one /24, the rest in one /48: what a botnet,
 * a data centre and a holder of IPv6 have.
 */
export const listAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, at) => {
    if (at % 6 === 0) return `2001:db8:bad:${at.toString(16)}::1`;
    return at % 3 === 0 || at % 3 === 1 ? `10.${at >> 8}.${at & 255}.7` : `203.0.113.${at % 256}`;
  });

/** The fields of an event that starts within hours. */
export const toFields = (title: string, day: string) => ({
  title,
  description: 'Un evento que empieza en unas horas y que hay que publicar ya mismo.',
  category: 'musica-en-vivo',
  venue_name: 'Patio de cualquiera',
  zone: 'centro',
  start_date: day,
  start_time: '23:00',
  price_kind: 'free',
  lang: 'es',
});

export const toToolFields = (title: string, day: string) => {
  const { start_date, start_time, price_kind: _, ...rest } = toFields(title, day);
  return { ...rest, start: `${start_date}T${start_time}`, free: true };
};

/** Sends number `at` from its address; gives what came back, in a word. */
async function sendOne(
  server: BuiltServer,
  stamp: string,
  address: string,
  at: number,
  day: string,
): Promise<string> {
  const title = `URGENTE cancelado número ${at}`;
  const headers = { 'x-forwarded-for': address };
  if (at % 2 === 0) {
    const fields = { ...toFields(title, day), stamp, step: 'send' };
    const answer = await server.post('/publicar', fields, headers);
    await answer.arrayBuffer();
    return `form ${answer.status}`;
  }
  const answer = await server.callTool('enviar_evento', toToolFields(title, day), headers);
  const text = await answer.text();
  if (answer.status !== 200) return `tool ${answer.status}`;
  return text.includes('"isError":true') ? 'tool refused' : 'tool taken in';
}

/** Sends numbers `from` to `to`, several at once. */
export async function attack(
  server: BuiltServer,
  stamp: string,
  addresses: readonly string[],
  [from, to]: readonly [number, number],
  day: string,
  answers: Answers,
): Promise<void> {
  let at = from;
  const work = async (): Promise<void> => {
    while (at < to) {
      const number = at++;
      const address = addresses[number % addresses.length] ?? '';
      const word = await sendOne(server, stamp, address, number, day);
      answers.set(word, (answers.get(word) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: HANDS }, work));
}
