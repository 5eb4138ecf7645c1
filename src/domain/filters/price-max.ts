// The filter by what an event costs at least (contract 7.30).
import * as v from 'valibot';
import type { Price } from '../event/event.ts';
import { type Filter, readText } from './filter.ts';

/** The highest amount that may be asked for, in pesos. */
export const MAX_PRICE = 100_000;

const AmountSchema = v.pipe(
  v.string(),
  v.check(
    (text) => /^\d+(\.\d+)?$/.test(text) && Number(text) <= MAX_PRICE,
    ({ input }) =>
      `price_max: '${input}' is not accepted. Use an amount in pesos from 0 to ${MAX_PRICE}`,
  ),
  v.transform(Number),
);

/** `price_max`. */
export const priceMax: Filter<'price_max', { readonly price_max: number | null }, 'price_max'> = {
  name: 'price_max',
  parameters: [
    {
      name: 'price_max',
      other_names: ['max_price', 'precio_max', 'precio_maximo'],
      schema: { type: 'number', minimum: 0, maximum: MAX_PRICE },
      example: 200,
    },
  ],
  off: { price_max: null },
  read: (params, { issues }) => ({
    price_max: readText<number | null>(AmountSchema, params.price_max, null, issues.form),
  }),
  isOn: ({ price_max }) => price_max !== null,
  toPhrases: ({ price_max }) =>
    price_max === null ? [] : [{ key: 'price_max', parts: { price: price_max } }],
};

/** Whether somebody gets in for so many pesos; never where the price is unknown or in other money. */
export const isWithinPrice = ({ is_free, min, max, currency }: Price, price_max: number): boolean =>
  is_free || (currency === 'MXN' && (min ?? max ?? Number.POSITIVE_INFINITY) <= price_max);
