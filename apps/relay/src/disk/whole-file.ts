import { randomUUID } from 'node:crypto';
import path from 'node:path';
import type { Disk } from './disk.js';

/**
 * Puts a small file in place whole or not at all, whenever the power is cut. Several calls at once don't disturb
 * each other: the last one stands. Rejects with the system's error, and leaves what stood there before.
 */
export async function writeWholeFile(disk: Disk, file: string, text: string): Promise<void> {
  const making = `${file}.${randomUUID()}.new`;
  try {
    const handle = await disk.open(making);
    try {
      await handle.append(Buffer.from(text));
      await handle.datasync();
    } finally {
      await handle.close();
    }
    await disk.rename(making, file);
  } catch (error) {
    await disk.remove(making).catch(() => undefined);
    throw error;
  }
  await disk.syncFolder(path.dirname(file));
}
