// How a form's page answers: with itself, or by leading on (RFC 9110, 15.4.4: 303 after a POST).

/** The page, with its status. */
export interface Shown<P> {
  readonly kind: 'page';
  readonly status: number;
  readonly page: P;
}
export interface Redirect {
  readonly kind: 'redirect';
  readonly location: string;
  /** For the session's cookie. */
  readonly cookie: string | null;
}

export const show = <P>(page: P, status = 200): Shown<P> => ({ kind: 'page', status, page });
export const redirect = (location: string, cookie: string | null = null): Redirect => ({
  kind: 'redirect',
  location,
  cookie,
});

export function toRedirectResponse({ location, cookie }: Redirect): Response {
  return new Response(null, {
    status: 303,
    headers: { location, ...(cookie === null ? {} : { 'set-cookie': cookie }) },
  });
}
