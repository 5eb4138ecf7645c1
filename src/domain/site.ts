// What the service is called and where it lives; from config, passed down to everything that writes
// a link.

export interface Site {
  /** `{base_url}`, without a slash at its end. */
  readonly url: string;
  readonly name: string;
  readonly contact_email: string | null;
}
