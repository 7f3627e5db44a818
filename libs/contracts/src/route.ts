import type { z } from 'zod';

/** One route of the hub's HTTP API. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for each parameter. */
  readonly path: `/${string}`;
  /** Who may call it (S2); agents, relays and chat identities may call none of these. */
  readonly for: 'anyone' | 'device' | 'collector';
  readonly summary: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** What comes back with status 200; absent where 204 without a body. */
  readonly answer?: z.ZodType;
}
