// What is refused, told by kind.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createRefusalTally } from '../../src/server/http/refusals.ts';
import { startFake } from './fake-release.ts';

describe('refusals', () => {
  test('are told together, however many, and anew after a while', async () => {
    const told: Readonly<Record<string, number>>[] = [];
    const count = createRefusalTally((refused) => told.push(refused), 20);
    for (let i = 0; i < 1000; i++) count('too_many');
    count('foreign');
    await sleep(40);
    count('foreign');
    await sleep(40);
    expect(told).toEqual([{ too_many: 1000, foreign: 1 }, { foreign: 1 }]);
  });

  test('are of the kind that an answer says, and of no kind where nothing was refused', async () => {
    const fake = await startFake({ address: 1, key: 1 });
    await fake.ask('/hoy');
    await fake.ask('/api/v1/notices', { 'x-api-key': 'wrong' });
    await fake.ask('/api/v1/notices');
    await fake.sendRaw('nonsense\r\n\r\n');
    await fake.sendRaw(
      `GET /hoy?${'a'.repeat(9000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
    );
    expect(fake.refused).toEqual(['not_let_in', 'too_many', 'malformed', 'too_long']);
    await fake.stop();
  });
});
