import type { HubConfig } from '#contracts';

/** What the hub runs with: from its supervisor, or from the environment when it runs alone. */
export class HubConfiguration {
  /** The hub's own folder, 0700. */
  readonly home!: string;
  readonly database!: HubConfig['database'];
  /** The port of the loopback; 0 lets the system choose one (tests). */
  readonly port!: number;
  readonly demo!: boolean;
  /** Folder of the built dashboard. */
  readonly dashboard!: string;
  /** PKCS#8 PEM of the hub's Ed25519 key. */
  readonly keyFile!: string;
  /** The relay beside the hub, known from the start. */
  readonly localRelay?: HubConfig['localRelay'];
  readonly signInLink!: HubConfig['signInLink'];
  /** How it is reached from beyond the loopback; absent where it is not. */
  readonly reach?: HubConfig['reach'];
  readonly version!: string;
  /** Where logs go below which nothing is written: pino's names, or `silent`. */
  readonly logLevel!: string;

  constructor(values: HubConfiguration) {
    Object.assign(this, values);
  }
}
