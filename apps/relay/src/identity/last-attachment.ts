import path from 'node:path';
import { z } from 'zod';
import { HubRun, Incarnation, RelayToken } from '#contracts';
import { MACHINE_DISK, type Disk } from '../disk/disk.js';
import { writeWholeFile } from '../disk/whole-file.js';

/** What the hub gave this relay with its last attach. */
export const Attachment = z.object({
  /** To be shown at the next attach (link rule 7). */
  token: RelayToken.optional(),
  /** Which state of the hub's database this relay knows (link rule 10). */
  incarnation: Incarnation.optional(),
  /** The lives of the hub that it was attached to, the newest first. */
  runs: z.array(HubRun).optional(),
});
export type Attachment = z.infer<typeof Attachment>;

/**
 * The one file in which a relay keeps what makes it the holder of its key. Written whole or not at all: a relay that dies
 * in between has the one before, which the hub takes as well until the new one was confirmed.
 */
export class LastAttachment {
  readonly #file: string;
  #writing: Promise<void> = Promise.resolve();

  constructor(
    home: string,
    private readonly disk: Disk = MACHINE_DISK,
  ) {
    this.#file = path.join(home, 'attachment.json');
  }

  /** What is on the disk, after what is being written. Nothing where the file is missing or can't be read. */
  async read(): Promise<Attachment> {
    await this.#writing.catch(() => undefined);
    const bytes = await this.disk.read(this.#file).catch(() => Buffer.from('{}'));
    return Attachment.safeParse(parsed(bytes.toString('utf8'))).data ?? {};
  }

  /** Resolves when it survives a cut of power. Rejects where it can't be written, such as on a full disk. */
  keep(attachment: Attachment): Promise<void> {
    const text = `${JSON.stringify(attachment)}\n`;
    this.#writing = this.#writing
      .catch(() => undefined)
      .then(() => writeWholeFile(this.disk, this.#file, text));
    return this.#writing;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
