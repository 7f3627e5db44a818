import { ErrorBody } from '#contracts';
import { type z } from 'zod';
import { HubRefusal, HubUnreachable, HubUnreadable } from './hub-refusal.js';

/** One call of the hub's HTTP API. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  /** The access token, where the route wants one. */
  readonly token?: string;
}

/** How a call leaves the page; tests put their own in. */
export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

const defaultFetch: Fetch = (path, init) => fetch(path, init);

/**
 * Makes a call and parses the answer.
 * @throws HubRefusal with the hub's code, HubUnreachable, or HubUnreadable
 */
export async function httpCall<S extends z.ZodType>(
  schema: S,
  call: HttpCall,
  send: Fetch = defaultFetch,
): Promise<z.infer<S>> {
  const response = await sent(call, send);
  const body = await bodyOf(response);
  const what = `${call.method} ${call.path}`;
  if (!response.ok) {
    const refusal = ErrorBody.safeParse(body);
    if (refusal.success) throw new HubRefusal(refusal.data);
    // A proxy or a hub that is starting answers without our body.
    if (response.status >= 502 && response.status <= 504) {
      throw new HubUnreachable(new Error(`status ${response.status}`));
    }
    throw new HubUnreadable(what, refusal.error);
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new HubUnreadable(what, parsed.error);
  return parsed.data;
}

async function sent(call: HttpCall, send: Fetch): Promise<Response> {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (call.body !== undefined) headers['content-type'] = 'application/json';
  if (call.token !== undefined) headers['authorization'] = `Bearer ${call.token}`;
  const init: RequestInit = {
    method: call.method,
    headers,
    credentials: 'omit',
    cache: 'no-store',
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  };
  try {
    return await send(call.path, init);
  } catch (error) {
    throw new HubUnreachable(error);
  }
}

async function bodyOf(response: Response): Promise<unknown> {
  const text = await response.text().catch((error: unknown) => {
    throw new HubUnreachable(error);
  });
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
