import type { Certificate, CertificateTrouble } from '#contracts';
import { CertificateError, readCertificate, type SoundCertificate } from './certificate-files.js';
import { inWords } from './plain-words.js';
import type { CertificatePaths } from './reach-settings.js';

/** How often the files are looked at. Read each time: links that are moved and mounts tell no watcher of it. */
const LOOK_EVERY_MS = 10_000;
/** A certificate is about to end in the last tenth of its life, and at most so long before. */
const ENDS_SOON_MS = 14 * 86_400_000;

/** What is to be told of a certificate; also what is wrong in words for the terminal. */
export interface CertificateChange {
  /** The new one; absent where the one in use stays. */
  readonly certificate: Certificate | undefined;
  readonly trouble: CertificateTrouble | undefined;
  readonly words: string;
}

interface Options {
  readonly paths: CertificatePaths;
  readonly origins: readonly string[];
  readonly changed: (change: CertificateChange) => void;
  /** Epoch milliseconds; given by tests. */
  readonly now?: () => number;
}

/**
 * Keeps the certificate that is shown as new as its files. Files that are broken, expired or for another name change
 * nothing: the one in use stays, and what is wrong is told once.
 */
export class CertificateWatch {
  readonly #options: Options;
  readonly #now: () => number;
  #inUse: SoundCertificate;
  #trouble: CertificateTrouble | undefined;
  /** What the last look found wrong: told once a second look finds it too, as two files are never replaced at once. */
  #suspected: CertificateTrouble['kind'] | undefined;
  #looking: NodeJS.Timeout | undefined;

  private constructor(options: Options, inUse: SoundCertificate) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
    this.#inUse = inUse;
    this.#trouble = this.#ofInUse();
  }

  /** @throws CertificateError where the files can't be used to begin with */
  static async start(options: Options): Promise<CertificateWatch> {
    const { paths, origins, now = Date.now } = options;
    const watch = new CertificateWatch(options, await readCertificate(paths, origins, now()));
    watch.#looking = setInterval(() => void watch.look(), LOOK_EVERY_MS);
    watch.#looking.unref();
    return watch;
  }

  /** For new connections. */
  get certificate(): Certificate {
    return this.#inUse.pem;
  }

  get trouble(): CertificateTrouble | undefined {
    return this.#trouble;
  }

  stop(): void {
    clearInterval(this.#looking);
  }

  /** Looks at the files now. */
  async look(): Promise<void> {
    const { paths, origins } = this.#options;
    try {
      const found = await readCertificate(paths, origins, this.#now());
      this.#suspected = undefined;
      this.#take(found);
    } catch (error) {
      const kind = error instanceof CertificateError ? error.kind : 'unreadable';
      if (kind === this.#suspected) this.#tell(this.#troubleOf(kind), inWords(error));
      this.#suspected = kind;
    }
  }

  #take(found: SoundCertificate): void {
    const { cert, key } = this.#inUse.pem;
    const isNew = found.pem.cert !== cert || found.pem.key !== key;
    if (isNew) this.#inUse = found;
    const trouble = this.#ofInUse();
    const until = new Date(found.endsAt).toISOString();
    if (isNew) {
      this.#trouble = trouble;
      const words = `The certificate was replaced; the new one ends on ${until}.`;
      this.#options.changed({ certificate: found.pem, trouble, words });
    } else {
      const well = `The certificate's files are in order; it ends on ${until}.`;
      this.#tell(
        trouble,
        trouble === undefined ? well : `The certificate ends soon: ${until}. Renew it.`,
      );
    }
  }

  #tell(trouble: CertificateTrouble | undefined, problem: string): void {
    if (trouble?.kind === this.#trouble?.kind) return;
    this.#trouble = trouble;
    const stays =
      trouble === undefined || trouble.kind === 'ends-soon' ? '' : ' The one in use stays.';
    this.#options.changed({ certificate: undefined, trouble, words: `${problem}${stays}` });
  }

  #ofInUse(): CertificateTrouble | undefined {
    const { from, endsAt } = this.#inUse;
    const soon = Math.min(ENDS_SOON_MS, (endsAt - from) / 10);
    return endsAt - this.#now() < soon ? this.#troubleOf('ends-soon') : undefined;
  }

  #troubleOf(kind: CertificateTrouble['kind']): CertificateTrouble {
    return { kind, file: this.#options.paths.cert, endsAt: this.#inUse.endsAt };
  }
}
