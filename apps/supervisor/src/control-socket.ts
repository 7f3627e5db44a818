import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { chmod, rm } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

/** A one-time link that signs a device in, good for `expiresIn` milliseconds. */
const SignInLink = z.object({
  url: z.url(),
  publicUrl: z.url().optional(),
  expiresIn: z.number(),
});
export type SignInLink = z.infer<typeof SignInLink>;

/** A Unix socket's path may have 107 bytes (unix(7)). */
const LONGEST_PATH = 107;

const PasskeysForgotten = z.object({ count: z.number() });

/** What can be asked, and what does it. */
export interface AtTheMachine {
  signInLink(): Promise<SignInLink>;
  forgetPasskeys(): Promise<number>;
}

const QUESTIONS: { readonly [word: string]: (asked: AtTheMachine) => Promise<object> } = {
  'sign-in': (asked) => asked.signInLink(),
  'forget-passkeys': async (asked) => ({ count: await asked.forgetPasskeys() }),
};
/** The longest of these words, and some room. */
const LONGEST_QUESTION = 40;

/**
 * The way by which `npm start -- --sign-in` and `-- --forget-passkeys` reach the Coxswain that already runs on the same
 * home; nothing else can be asked. It lies in the hub's own folder (0700), beside the key that proves the hub: who can
 * open it could read that as well.
 */
export class ControlSocket {
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  /**
   * @param folder the hub's own
   * @returns undefined where this system or the length of the path does not allow it; nothing else depends on it
   */
  static async open(folder: string, asked: AtTheMachine): Promise<ControlSocket | undefined> {
    const file = fileIn(folder);
    if (Buffer.byteLength(file) > LONGEST_PATH) return undefined;
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      answer(socket, asked).catch(() => socket.destroy());
    });
    // The home's lock is held, so one that is there was left behind.
    await rm(file, { force: true });
    const listens = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(file, () => resolve(true));
    });
    if (!listens) return undefined;
    await chmod(file, 0o600);
    return new ControlSocket(server);
  }

  close(): void {
    this.#server.close();
  }
}

async function answer(socket: Socket, asked: AtTheMachine): Promise<void> {
  let word = '';
  // Not destroyed at its end: the answer goes the other way.
  for await (const chunk of socket.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    word += String(chunk);
    if (word.length > LONGEST_QUESTION) break;
  }
  const work = Object.hasOwn(QUESTIONS, word) ? QUESTIONS[word] : undefined;
  if (work === undefined) socket.destroy();
  else socket.end(JSON.stringify(await work(asked)));
}

/** A new sign-in link of the Coxswain that runs; undefined where it does not answer. */
export async function askForSignInLink(folder: string): Promise<SignInLink | undefined> {
  return ask(folder, 'sign-in', SignInLink);
}

/** Takes the passkeys of the Coxswain that runs away, and gives how many there were; undefined where it does not answer. */
export async function askToForgetPasskeys(folder: string): Promise<number | undefined> {
  return (await ask(folder, 'forget-passkeys', PasskeysForgotten))?.count;
}

async function ask<T>(folder: string, word: string, schema: z.ZodType<T>): Promise<T | undefined> {
  const socket = createConnection({ path: fileIn(folder), allowHalfOpen: true });
  socket.end(word);
  const said = await text(socket).catch(() => '');
  try {
    return schema.parse(JSON.parse(said));
  } catch {
    return undefined;
  }
}

const fileIn = (folder: string): string => path.join(folder, 'control.sock');
