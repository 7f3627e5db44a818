import { type CardBody, type Decision, type Verdict } from '#contracts';
import { type Translate } from '../i18n/keys.js';
import { answerWords, brief } from './answer-words.js';
import { showUnseen } from './visible.js';

/** What a card asks, in one line. */
export function askedLine(t: Translate, body: CardBody, length = 120): string {
  switch (body.kind) {
    case 'question':
      return brief(body.question, length);
    case 'plan':
      return `${t('plan.label')}: ${brief(body.plan, length)}`;
    case 'approval': {
      const { kind, command, path, address, tool } = body.action;
      return `${t(`approval.kinds.${kind}`)}: ${brief(command ?? path ?? address ?? tool, length)}`;
    }
  }
}

/** What was decided about an action or a plan, in one line. */
export function verdictWords(t: Translate, verdict: Verdict): string {
  switch (verdict.kind) {
    case 'allow':
      return t(verdict.scope === 'once' ? 'verdict.allowOnce' : 'verdict.allowConversation');
    case 'deny':
      return verdict.word === undefined
        ? t('verdict.deny')
        : t('verdict.denyWord', { word: showUnseen(verdict.word) });
    case 'approve-plan':
      return t(`verdict.${verdict.then}`);
    case 'send-back':
      return t('verdict.sendBack', { comments: showUnseen(verdict.comments) });
  }
}

/** A decision on its way, in one line. */
export function decisionWords(t: Translate, body: CardBody, decision: Decision): string {
  switch (decision.kind) {
    case 'skip':
      return t('card.skip');
    case 'verdict':
      return verdictWords(t, decision.verdict);
    case 'answer':
      return answerWords(body, decision.answer);
  }
}
