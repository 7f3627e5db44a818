import type { CardBody } from '#contracts';

/** The same text for the same questions, whatever the order of keys or the notes on them (C12). */
export function canonicalQuestions(questions: readonly CardBody[]): string {
  return JSON.stringify(questions.map(canonicalBody));
}

function canonicalBody(body: CardBody): unknown {
  switch (body.kind) {
    case 'question':
      return [
        body.header ?? null,
        body.question,
        body.allowsSeveral,
        body.options.map(({ label, description, preview }) => [
          label,
          description ?? null,
          preview ?? null,
        ]),
      ];
    case 'approval': {
      const { tool, arguments: given, folder, path, fileHash } = body.action;
      return ['approval', tool, given, folder, path ?? null, fileHash ?? null];
    }
    case 'plan':
      return ['plan', body.plan];
  }
}
