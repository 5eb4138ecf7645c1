// Forms, with a file and without, however they are cut and whatever is wrong with them.
import { describe, expect, test } from 'vitest';
import {
  isForm,
  isMultipart,
  MAX_ACCEPTED_FORM_BYTES,
  MAX_READ_FORM_BYTES,
  type MultipartLimits,
  parseForm,
  parsePartialForm,
  parseMultipart,
} from '../../src/http/form-body.ts';

test.each([
  ['application/x-www-form-urlencoded', 'form'],
  ['application/x-www-form-urlencodedx', 'neither'],
  ['multipart/form-data; boundary=x', 'with a file'],
  ['multipart/form-data', 'neither'],
  [undefined, 'neither'],
])('%s: %s', (type, kind) => {
  expect(isForm(type) ? 'form' : isMultipart(type) ? 'with a file' : 'neither').toBe(kind);
});

test('fields are decoded, repeated ones joined, and no name is special', () => {
  const fields = parseForm('a=1+2&b=%C3%B1&a=3&c&__proto__=x&%zz=%');
  expect(JSON.stringify(fields)).toBe('{"a":"1 2,3","b":"ñ","c":"","__proto__":"x","%zz":"%"}');
});

test('of a form that is too long, the fields that are whole are kept', () => {
  expect(parsePartialForm(Buffer.from('a=1&b=%C3%B1'))).toEqual({ a: '1', b: 'ñ' });
  const long = `a=1&b=${'x'.repeat(MAX_READ_FORM_BYTES)}&c=2`;
  expect(parsePartialForm(Buffer.from(long))).toEqual({ a: '1' });
});

const TYPE = 'multipart/form-data; boundary=frontera';
const SIZES = { file_bytes: 1000, body_bytes: 200_000 };
const LIMITS: MultipartLimits = { file: 'picture', ...SIZES, timeout_ms: 5_000 };

type Part = readonly [name: string, value: string | Buffer, file_name?: string];
const toPart = ([name, value, file_name]: Part): Buffer[] => [
  Buffer.from(
    `--frontera\r\nContent-Disposition: form-data; name="${name}"${file_name === undefined ? '' : `; filename="${file_name}"\r\nContent-Type: image/jpeg`}\r\n\r\n`,
  ),
  Buffer.from(value),
  Buffer.from('\r\n'),
];
const END = '--frontera--\r\n';
const toBody = (...parts: readonly Part[]): Buffer =>
  Buffer.concat([...parts.flatMap(toPart), Buffer.from(END)]);

async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}
const read = (body: Buffer, size = 65_536, type = TYPE) =>
  parseMultipart(type, inChunks(body, size), LIMITS);

const BYTES = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 31) % 256));
const WHOLE = toBody(
  ['title', 'Ñandú «jazz»'],
  ['languages', 'es'],
  ['languages', 'en'],
  ['picture', BYTES, 'fotó.jpg'],
  ['step', 'send'],
);

describe('a form with a file', () => {
  test.each([1, 64, 65_536])('is read in chunks of %i bytes', async (size) => {
    expect(await read(WHOLE, size)).toEqual({
      fields: { title: 'Ñandú «jazz»', languages: 'es,en', step: 'send' },
      file: { bytes: BYTES, is_too_large: false },
      is_whole: true,
      is_text_too_large: false,
    });
  });

  test.each<[string, readonly Part[], object, string | null]>([
    ['none, where none was chosen', [['picture', '', '']], {}, null],
    ['an empty one', [['picture', '', 'nada.jpg']], {}, ''],
    ['one of another control', [['other', 'secret', 'a.jpg']], {}, null],
    [
      'two: the first',
      [
        ['picture', 'first', 'a.jpg'],
        ['picture', 'second', 'b.jpg'],
      ],
      {},
      'first',
    ],
    ['the largest', [['picture', Buffer.alloc(1000, 65), 'a.jpg']], {}, 'A'.repeat(1000)],
    ['one past it', [['picture', Buffer.alloc(1001, 65), 'a.jpg']], { is_too_large: true }, ''],
  ])('has %s', async (_, parts, more, text) => {
    const { fields, file, is_whole } = await read(toBody(...parts, ['title', 'after']));
    expect([fields, is_whole]).toEqual([{ title: 'after' }, true]);
    expect(file?.bytes.toString() ?? null).toBe(text);
    if (file) expect(file).toMatchObject(more);
  });
});

describe('what is wrong with one', () => {
  test('cut off anywhere it is not whole, and what was typed before is there', async () => {
    for (let at = 0; at < WHOLE.length - 20; at += 40)
      expect((await read(WHOLE.subarray(0, at), 50)).is_whole, String(at)).toBe(false);
    const { fields } = await read(WHOLE.subarray(0, WHOLE.length - 300));
    expect(fields).toEqual({ title: 'Ñandú «jazz»', languages: 'es,en' });
  });

  test.each([
    ['no boundary', WHOLE, 'multipart/form-data; charset=utf-8'],
    ['no header', Buffer.from(`--frontera\r\nno header at all\r\n\r\nx\r\n${END}`), TYPE],
    ['many headers', Buffer.from(`--frontera\r\n${'a: b\r\n'.repeat(5000)}\r\nx\r\n${END}`), TYPE],
  ])('%s', async (_, body, type) => {
    expect((await read(body, 65_536, type)).fields).toEqual({});
  });

  test('too many parts', async () => {
    const parts = Array.from({ length: 700 }, (_, at): Part => [`a${at}`, 'x']);
    const form = await read(toBody(...parts));
    expect([form.is_whole, Object.keys(form.fields).length]).toEqual([false, 600]);
  });

  test('more text than a form may have', async () => {
    const half: Part = ['a', 'x'.repeat(MAX_ACCEPTED_FORM_BYTES / 2)];
    expect(await read(toBody(half, half, ['title', 'x']))).toMatchObject({
      ...{ fields: { title: 'x' }, is_text_too_large: true },
    });
    const most = await read(toBody(['a', 'x'.repeat(MAX_ACCEPTED_FORM_BYTES - 1)]));
    expect(most.is_text_too_large).toBe(false);
  });

  test('a body without end is given up, with what was typed before it', async () => {
    let asked = 0;
    const begun = toBody(['title', 'x'], ['picture', 'y', 'a.jpg']).subarray(0, -END.length - 2);
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield begun;
      for (; ; asked++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.alloc(10_000, 7);
      }
    }
    expect(await parseMultipart(TYPE, endless(), LIMITS)).toMatchObject({
      ...{ fields: { title: 'x' }, file: { is_too_large: true }, is_whole: false },
    });
    expect(asked).toBeLessThan(30);
  });

  test('one that stops is given up in time, and one that breaks gives nothing to act upon', async () => {
    async function* begin(goOn: () => Promise<void>): AsyncGenerator<Uint8Array> {
      yield WHOLE.subarray(0, 300);
      await goOn();
    }
    const stalled = begin(() => new Promise(() => {}));
    const given = await parseMultipart(TYPE, stalled, { ...LIMITS, timeout_ms: 100 });
    expect(given).toMatchObject({ is_whole: false, fields: { title: 'Ñandú «jazz»' } });
    const broken = begin(() => Promise.reject(new Error('ECONNRESET')));
    await expect(parseMultipart(TYPE, broken, LIMITS)).rejects.toThrow('ECONNRESET');
  });
});
