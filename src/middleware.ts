// Gives every page its state where the front server has not: in a build and in the dev server.
import { defineMiddleware } from 'astro:middleware';
import { readState } from './site/state.ts';

export const onRequest = defineMiddleware((context, next) => {
  context.locals.state ??= readState();
  context.locals.visit ??= null;
  return next();
});
