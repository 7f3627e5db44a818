import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import type { ProviderDescriptor, ProviderSetting } from '#contracts';

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

  constructor(
    readonly folder: string,
    private readonly descriptor: ProviderDescriptor,
  ) {
    this.#file = path.join(folder, 'settings.json');
  }

  /** What is set; nothing where the file is missing or damaged. */
  async read(): Promise<Record<string, string>> {
    try {
      return Values.parse(JSON.parse(await readFile(this.#file, 'utf8')));
    } catch {
      return {};
    }
  }

  /** Takes values over what is set; an empty text removes one. Rejects with {@link SettingRefused}. */
  async change(values: Readonly<Record<string, string>>): Promise<Record<string, string>> {
    const settings = await this.read();
    for (const [name, value] of Object.entries(values)) {
      const problem = problemWith(this.descriptor.settings, name, value);
      if (problem !== undefined) throw new SettingRefused(problem);
      if (value === '') delete settings[name];
      else settings[name] = value;
    }
    await this.#write(settings);
    return settings;
  }

  async #write(settings: Record<string, string>): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const making = `${this.#file}.new`;
    await rm(making, { force: true });
    await writeFile(making, JSON.stringify(settings), { mode: 0o600 });
    await rename(making, this.#file);
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
