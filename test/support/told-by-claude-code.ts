import type { ConformanceSubject } from '#provider-kit/conformance';

/** What Claude Code 2.1.332 makes of each outcome, to the letter, as the model reads it. */
export const TOLD_BY_CLAUDE_CODE: ConformanceSubject['told'] = {
  oneLabel:
    'Your questions have been answered: "Which database should the service use?"="PostgreSQL (Recommended)". You can now continue with these answers in mind.',
  severalLabels:
    'Your questions have been answered: "Which checks should run?"="Lint, Unit tests". You can now continue with these answers in mind.',
  severalQuestions:
    'Your questions have been answered: "Which database should the service use?"="SQLite", "Which checks should run?"="Lint, Types", "Where should it run?"="There". You can now continue with these answers in mind.',
  freeText:
    'The user answered: "Which database should the service use?"="Use what we have". Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.',
  ticksAndText:
    'The user answered: "Which checks should run?"="Lint, Types" notes: but not on Fridays. Read the answers carefully — they may request clarification, changes, or that you not proceed — and follow what they actually say.',
  skipped:
    'The person read this question and skipped it: they neither answered nor declined anything. Do not ask it again. Go on without it, and say which assumption you made.',
  expired:
    'Nobody answered: no one was there while the question waited. Nobody declined, skipped or agreed to anything. Decide by your best judgement, say which assumption you made, and go on.',
  partly:
    '"Which database should the service use?" was answered: "SQLite".\n"Where should it run?": Nobody answered: no one was there while the question waited. Nobody declined, skipped or agreed to anything. Decide by your best judgement, say which assumption you made, and go on.',
};
