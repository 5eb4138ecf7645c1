// Forms: what is one and what stands in it; one with a file, however it is cut, and everything that may be
// wrong with it.
import { describe, expect, test } from 'vitest';
import {
  isForm,
  isMultipart,
  MAX_FORM_BYTES,
  MAX_READ_BYTES,
  type MultipartLimits,
  parseForm,
  parseFormStart,
  readMultipart,
} from '../../src/http/form-body.ts';

test.each([
  ['application/x-www-form-urlencoded', true],
  ['Application/X-WWW-Form-Urlencoded; charset=UTF-8', true],
  ['application/x-www-form-urlencodedx', false],
  ['multipart/form-data; boundary=x', false],
  ['application/json', false],
  [undefined, false],
])('%s is a form: %s', (type, expected) => expect(isForm(type)).toBe(expected));

test('fields are decoded, repeated ones joined, and no name is special', () => {
  expect(parseForm('a=1+2&b=%C3%B1&a=3&c&__proto__=x&%zz=%')).toEqual(
    Object.fromEntries([
      ['a', '1 2,3'],
      ['b', 'ñ'],
      ['c', ''],
      ['__proto__', 'x'],
      ['%zz', '%'],
    ]),
  );
});

test('of a form that is too long, the fields that are whole are kept', () => {
  expect(parseFormStart(Buffer.from('a=1&b=%C3%B1'))).toEqual({ a: '1', b: 'ñ' });
  const long = `a=1&b=${'x'.repeat(MAX_READ_BYTES)}&c=2`;
  expect(parseFormStart(Buffer.from(long))).toEqual({ a: '1' });
});

const TYPE = 'multipart/form-data; boundary=frontera';
const LIMITS: MultipartLimits = {
  file: 'picture',
  file_bytes: 1000,
  body_bytes: 200_000,
  timeout_ms: 5_000,
};

type Part = readonly [name: string, value: string | Buffer, file_name?: string];
const toPart = ([name, value, file_name]: Part): Buffer[] => [
  Buffer.from(
    `--frontera\r\nContent-Disposition: form-data; name="${name}"${file_name === undefined ? '' : `; filename="${file_name}"\r\nContent-Type: image/jpeg`}\r\n\r\n`,
  ),
  Buffer.from(value),
  Buffer.from('\r\n'),
];
const toBody = (parts: readonly Part[], end = '--frontera--\r\n'): Buffer =>
  Buffer.concat([...parts.flatMap(toPart), Buffer.from(end)]);

async function* inChunks(body: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}
const read = (body: Buffer, limits: Partial<MultipartLimits> = {}, size = 65_536, type = TYPE) =>
  readMultipart(type, inChunks(body, size), { ...LIMITS, ...limits });

const BYTES = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 31) % 256));
const WHOLE = toBody([
  ['title', 'Ñandú «jazz»'],
  ['languages', 'es'],
  ['languages', 'en'],
  ['picture', BYTES, 'fotó.jpg'],
  ['step', 'send'],
]);
const FIELDS = { title: 'Ñandú «jazz»', languages: 'es,en', step: 'send' };

describe('a form with a file', () => {
  test.each([1, 7, 64, 65_536])('is read in chunks of %i bytes', async (size) => {
    const form = await read(WHOLE, {}, size);
    expect(form).toMatchObject({ fields: FIELDS, is_whole: true, is_text_too_large: false });
    expect(form.file).toEqual({ bytes: BYTES, is_too_large: false });
  });

  test('has none where none was chosen, and an empty one where an empty one was', async () => {
    const none = await read(
      toBody([
        ['title', 'a'],
        ['picture', '', ''],
      ]),
    );
    expect(none).toMatchObject({ file: null, is_whole: true });
    const empty = await read(toBody([['picture', '', 'nada.jpg']]));
    expect(empty.file?.bytes.length).toBe(0);
  });

  test('is told from others by its type', () => {
    expect(
      [TYPE, 'Multipart/Form-Data;boundary=x', 'multipart/form-data', 'text/plain', undefined].map(
        isMultipart,
      ),
    ).toEqual([true, true, false, false, false]);
  });

  test('at the limit and one byte past it', async () => {
    const send = (size: number) =>
      read(
        toBody([
          ['picture', Buffer.alloc(size, 1), 'a.jpg'],
          ['title', 'after'],
        ]),
      );
    expect((await send(1000)).file).toMatchObject({ is_too_large: false });
    const past = await send(1001);
    expect(past).toMatchObject({
      fields: { title: 'after' },
      file: { is_too_large: true },
      is_whole: true,
    });
    expect(past.file?.bytes.length).toBe(0);
  });

  test('of another control is passed over, and so is a second one', async () => {
    const form = await read(
      toBody([
        ['other', 'secret', 'a.jpg'],
        ['picture', 'first', 'a.jpg'],
        ['picture', 'second', 'b.jpg'],
        ['title', 'x'],
      ]),
    );
    expect([form.fields, form.file?.bytes.toString()]).toEqual([{ title: 'x' }, 'first']);
  });
});

describe('what is wrong with one', () => {
  test.each(Array.from({ length: 24 }, (_, at) => Math.floor((WHOLE.length * at) / 24)))(
    'cut off after %i bytes it is not whole, and nothing is thrown',
    async (at) => {
      const form = await read(WHOLE.subarray(0, at), {}, 50);
      expect(form.is_whole).toBe(false);
    },
  );

  test('cut off in the file, what was typed before is there', async () => {
    const form = await read(WHOLE.subarray(0, WHOLE.length - 300));
    expect(form.fields).toEqual({ title: 'Ñandú «jazz»', languages: 'es,en' });
  });

  test.each([
    ['no boundary', 'multipart/form-data; charset=utf-8'],
    ['another boundary', 'multipart/form-data; boundary=otra'],
  ])('%s', async (_, type) => {
    expect(await read(WHOLE, {}, 65_536, type)).toMatchObject({ fields: {}, is_whole: false });
  });

  test('headers that are none, or too many, and the name of a prototype', async () => {
    for (const body of [
      '--frontera\r\nno header at all\r\n\r\nx\r\n--frontera--\r\n',
      '--frontera\r\n: \r\n\r\n--frontera--',
      `--frontera\r\n${'x-a: b\r\n'.repeat(5000)}\r\nx\r\n--frontera--\r\n`,
    ])
      expect((await read(Buffer.from(body))).fields).toEqual({});
    const { fields } = await read(
      toBody([
        ['__proto__', 'x'],
        ['constructor', 'y'],
      ]),
    );
    expect(Object.getPrototypeOf(fields)).toBe(Object.prototype);
  });

  test('too many parts', async () => {
    const many = Array.from({ length: 700 }, (_, at): Part => [`a${at}`, 'x']);
    const form = await read(toBody(many));
    expect([form.is_whole, Object.keys(form.fields).length]).toEqual([false, 600]);
  });

  test('more text than a form may have', async () => {
    const half: Part = ['a', 'x'.repeat(MAX_FORM_BYTES / 2)];
    expect(await read(toBody([half, half, ['title', 'x']]))).toMatchObject({
      fields: { title: 'x' },
      is_text_too_large: true,
    });
    expect(await read(toBody([['a', 'x'.repeat(MAX_FORM_BYTES - 1)]]))).toMatchObject({
      is_text_too_large: false,
    });
  });

  test('a body without end is given up, with what was typed before it', async () => {
    let asked = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield toBody(
        [
          ['title', 'x'],
          ['picture', 'y', 'a.jpg'],
        ],
        '',
      ).subarray(0, -2);
      for (;;) {
        asked++;
        await new Promise((resolve) => setImmediate(resolve));
        yield Buffer.alloc(10_000, 7);
      }
    }
    const form = await readMultipart(TYPE, endless(), LIMITS);
    expect(form).toMatchObject({
      fields: { title: 'x' },
      file: { is_too_large: true },
      is_whole: false,
    });
    expect(asked).toBeLessThan(30);
  });

  test('a body that stops is given up in time', async () => {
    async function* stalled(): AsyncGenerator<Uint8Array> {
      yield WHOLE.subarray(0, 300);
      await new Promise(() => {});
    }
    const form = await readMultipart(TYPE, stalled(), { ...LIMITS, timeout_ms: 100 });
    expect([form.is_whole, form.fields.title]).toEqual([false, 'Ñandú «jazz»']);
  });

  test('a connection that breaks gives nothing that could be acted upon', async () => {
    async function* broken(): AsyncGenerator<Uint8Array> {
      yield WHOLE.subarray(0, 300);
      throw new Error('ECONNRESET');
    }
    await expect(readMultipart(TYPE, broken(), LIMITS)).rejects.toThrow('ECONNRESET');
  });
});
