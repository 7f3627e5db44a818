import { type ProviderStatus } from '#contracts';
import { locale, t } from '../../i18n/translate.svelte.js';
import { span } from '../../text/time-words.js';

/** How a provider's client stands on a relay, in a sentence (P15). */
export function clientWords({ client }: ProviderStatus): string {
  switch (client.state) {
    case 'not-needed':
      return t('settings.clientNotNeeded');
    case 'ready':
      return t('settings.clientReady', { package: client.package, version: client.version });
    case 'missing':
      return t('settings.clientMissing', { package: client.package, version: client.version });
    case 'installing':
      return t('settings.clientInstalling', {
        package: client.package,
        version: client.version,
        phase: client.phase,
        time: span(client.elapsedMs, locale()),
      });
    case 'failed':
      return t('settings.clientFailed', { reason: client.reason });
  }
}

/** Whether it can reach its models, as far as is known. */
export function signInWords({ signedIn }: ProviderStatus): string {
  const words = {
    yes: 'settings.signedIn',
    no: 'settings.notSignedIn',
    unknown: 'settings.signInUnknown',
  } as const;
  return t(words[signedIn]);
}

/** What mends it, as markdown; undefined when nothing is to be mended. */
export function adviceOf({ client, advice }: ProviderStatus): string | undefined {
  const pieces = [client.state === 'failed' ? client.advice : '', advice ?? ''];
  const said = pieces.filter((piece) => piece !== '').join('\n\n');
  return said === '' ? undefined : said;
}
