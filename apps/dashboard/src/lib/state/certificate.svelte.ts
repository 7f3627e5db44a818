import type { CertificateTrouble } from '#contracts';

/** S5: what is wrong with the certificate under which the hub is reached, as the hub last told. */
class CertificateNews {
  #trouble = $state.raw<CertificateTrouble | undefined>(undefined);

  get trouble(): CertificateTrouble | undefined {
    return this.#trouble;
  }

  take(trouble: CertificateTrouble | undefined): void {
    this.#trouble = trouble;
  }
}

export const certificate = new CertificateNews();
