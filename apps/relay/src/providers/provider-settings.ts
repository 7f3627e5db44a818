import path from 'node:path';
import { z } from 'zod';
import type { ProviderDescriptor, ProviderSetting } from '#contracts';
import { MACHINE_DISK, type Disk } from '../disk/disk.js';
import { writeWholeFile } from '../disk/whole-file.js';

const Values = z.record(z.string(), z.string());

/** A setting that can't be taken, with the field, what was wrong, and what is allowed. */
export class SettingRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SettingRefused';
  }
}

/** A person's settings for one provider, secrets included: in the relay's folder, 0600, and nowhere else. */
export class ProviderSettings {
  readonly #file: string;
  /** The change before: each begins with what the one before it has made. */
  #before: Promise<unknown> = Promise.resolve();

  constructor(
    readonly folder: string,
    private readonly descriptor: ProviderDescriptor,
    private readonly disk: Disk = MACHINE_DISK,
  ) {
    this.#file = path.join(folder, 'settings.json');
  }

  /** What is set; nothing where the file is missing or damaged. */
  async read(): Promise<Record<string, string>> {
    try {
      return Values.parse(JSON.parse((await this.disk.read(this.#file)).toString('utf8')));
    } catch {
      return {};
    }
  }

  /** Takes values over what is set; an empty text removes one. Rejects with {@link SettingRefused}. */
  change(values: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const changed = this.#before.then(() => this.#change(values));
    this.#before = changed.catch(() => undefined);
    return changed;
  }

  async #change(values: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const settings = await this.#readToChange();
    for (const [name, value] of Object.entries(values)) {
      const problem = problemWith(this.descriptor.settings, name, value);
      if (problem !== undefined) throw new SettingRefused(problem);
      if (value === '') delete settings[name];
      else settings[name] = value;
    }
    await this.#write(settings);
    return settings;
  }

  /** What can't be read now may still be there: it is not written over. */
  async #readToChange(): Promise<Record<string, string>> {
    const isMissing = (error: unknown): boolean =>
      (error as NodeJS.ErrnoException).code === 'ENOENT';
    await this.disk.read(this.#file).catch((error: unknown) => {
      if (!isMissing(error)) throw error;
    });
    return this.read();
  }

  async #write(settings: Record<string, string>): Promise<void> {
    await this.disk.makeFolder(this.folder);
    await writeWholeFile(this.disk, this.#file, JSON.stringify(settings));
  }
}

/** Words never hold the value: it may be a secret typed into the wrong field. */
function problemWith(
  known: readonly ProviderSetting[],
  name: string,
  value: string,
): string | undefined {
  const setting = known.find((candidate) => candidate.name === name);
  if (setting === undefined) {
    const names = known.map((candidate) => candidate.name).join(', ') || 'none';
    return `values.${name}: this provider has no such setting; it has: ${names}.`;
  }
  if (value === '' || setting.type !== 'url' || URL.canParse(value)) return undefined;
  return `values.${name}: must be an address such as https://api.example.com.`;
}
