import { type Card, type Settlement } from '#contracts';
import { locale, t } from '../../i18n/translate.svelte.js';
import { hub } from '../../state/hub.svelte.js';
import { hubClock } from '../../state/hub-clock.svelte.js';
import { answerWords } from '../../text/answer-words.js';
import { verdictWords } from '../../text/asked-words.js';
import { timeAgo } from '../../text/time-words.js';

/** When a card was settled, beside now. */
export const settledTime = (settlement: Settlement): string =>
  timeAgo(settlement.at, hubClock.now, locale());

/** Who settled it: the name that the device, agent or hub had then; marked where it was this device. */
export function settledBy(settlement: Settlement): string {
  const { principal, name } = settlement.by;
  const own = principal.kind === 'device' && principal.deviceId === hub.deviceId;
  return own ? `${name} (${t('settings.thisDevice')})` : name;
}

/** What became of a card, in one line. */
export function outcomeWords(card: Card): string {
  if (card.status === 'answered') return decidedWords(card);
  return t(`outcomes.${card.status}`);
}

/** What was answered, or decided. */
export function decidedWords({ body, settlement }: Card): string {
  const { answer, verdict } = settlement ?? {};
  return verdict === undefined ? answerWords(body, answer) : verdictWords(t, verdict);
}
