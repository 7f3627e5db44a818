import { createConnection, createServer, type Server } from 'node:net';
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

/**
 * The way by which `npm start -- --sign-in` reaches the Coxswain that already runs on the same home: who connects gets
 * a sign-in link, nothing else can be asked. It lies in the hub's own folder (0700), beside the key that proves the hub:
 * who can open it could read that as well.
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
  static async open(
    folder: string,
    makeLink: () => Promise<SignInLink>,
  ): Promise<ControlSocket | undefined> {
    const file = fileIn(folder);
    if (Buffer.byteLength(file) > LONGEST_PATH) return undefined;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      makeLink().then(
        (link) => socket.end(JSON.stringify(link)),
        () => socket.destroy(),
      );
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

/** A new sign-in link of the Coxswain that runs; undefined where it does not answer. */
export async function askForSignInLink(folder: string): Promise<SignInLink | undefined> {
  const socket = createConnection(fileIn(folder));
  const said = await text(socket).catch(() => '');
  try {
    return SignInLink.parse(JSON.parse(said));
  } catch {
    return undefined;
  }
}

const fileIn = (folder: string): string => path.join(folder, 'control.sock');
