import {
  mkdir,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  type FileHandle,
} from 'node:fs/promises';

/** A file that is open for writing at its end. Every call rejects with the system's error. */
export interface DiskFile {
  /** Appends all bytes; where it rejects, a part of them may have been written. */
  append(bytes: Buffer): Promise<void>;
  /** Makes the file `size` bytes long. */
  truncate(size: number): Promise<void>;
  /** Resolves when what was written survives a cut of power. After a failure what it was for can't be trusted. */
  datasync(): Promise<void>;
  close(): Promise<void>;
}

/**
 * What the relay uses of the file system where it matters that nothing is lost. Every call rejects with the
 * system's error (`ENOSPC`, `EIO`, `ENOENT`, …).
 */
export interface Disk {
  /** Opens for appending; makes the file (0600) where it is missing. */
  open(file: string): Promise<DiskFile>;
  /** Reads from the byte `from` on, `length` bytes or to the end. */
  read(file: string, part?: { readonly from: number; readonly length?: number }): Promise<Buffer>;
  /** Size in bytes, and the last change in milliseconds since 1970. */
  stat(file: string): Promise<{ readonly bytes: number; readonly changedAt: number }>;
  list(folder: string): Promise<string[]>;
  /** Makes the folder (0700) and those above it where they are missing. */
  makeFolder(folder: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  /** Removes a file, or a folder with all that is in it; what is missing is no error. */
  remove(file: string): Promise<void>;
  /** Makes new, renamed and removed entries of a folder durable. */
  syncFolder(folder: string): Promise<void>;
}

/** The file system of this machine. */
export const MACHINE_DISK: Disk = {
  open: async (file) => new MachineFile(await open(file, 'a+', 0o600)),
  read: async (file, part) => (part === undefined ? readFile(file) : readPart(file, part)),
  stat: async (file) => {
    const { size, mtimeMs } = await stat(file);
    return { bytes: size, changedAt: mtimeMs };
  },
  list: (folder) => readdir(folder),
  makeFolder: async (folder) => void (await mkdir(folder, { recursive: true, mode: 0o700 })),
  rename: (from, to) => rename(from, to),
  remove: (file) => rm(file, { recursive: true, force: true }),
  syncFolder: (folder) => withOpen(folder, (handle) => handle.sync()),
};

class MachineFile implements DiskFile {
  constructor(private readonly handle: FileHandle) {}

  append(bytes: Buffer): Promise<void> {
    return this.handle.appendFile(bytes);
  }
  truncate(size: number): Promise<void> {
    return this.handle.truncate(size);
  }
  datasync(): Promise<void> {
    return this.handle.datasync();
  }
  close(): Promise<void> {
    return this.handle.close();
  }
}

function readPart(
  file: string,
  { from, length }: { readonly from: number; readonly length?: number },
): Promise<Buffer> {
  return withOpen(file, async (handle) => {
    const wanted = length ?? Math.max((await handle.stat()).size - from, 0);
    const bytes = Buffer.alloc(wanted);
    let read = 0;
    while (read < wanted) {
      const { bytesRead } = await handle.read(bytes, read, wanted - read, from + read);
      if (bytesRead === 0) break;
      read += bytesRead;
    }
    return bytes.subarray(0, read);
  });
}

async function withOpen<T>(file: string, use: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(file, 'r');
  try {
    return await use(handle);
  } finally {
    await handle.close();
  }
}
