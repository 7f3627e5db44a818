import { PasskeyProblem } from '../auth/passkey-ceremony.js';
import { type Translate } from '../i18n/keys.js';
import { HubRefusal, HubUnreachable, HubUnreadable } from '../api/hub-refusal.js';

/** What went wrong, in the person's language: what happened and what is safe. */
export function problemWords(t: Translate, error: unknown): string {
  if (error instanceof HubRefusal) {
    const field = error.fields[0];
    const message = field === undefined ? error.message : `${field.field}: ${field.problem}`;
    return t(`errors.${error.code}`, { message });
  }
  if (error instanceof PasskeyProblem) return t(`passkeys.trouble.${error.trouble}`);
  if (error instanceof HubUnreachable) return t('errors.unreachable');
  if (error instanceof HubUnreadable) return t('errors.unreadable');
  return t('errors.page', { message: error instanceof Error ? error.message : String(error) });
}
