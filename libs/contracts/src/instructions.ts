/**
 * P14: what every agent is told about asking. A driver puts it where its client takes such words in the
 * strongest form; `tool` is the name of the question tool as the model sees it.
 */
export function askingInstructions(tool: string): string {
  return [
    `When a decision of the person's blocks your work, ask with the ${tool} tool, never as plain text in a reply: a question in plain text shows no buttons and ends your turn.`,
    'Give a short list of choices; give none only where the answer has to be free text. Put the one that you recommend first and add "(Recommended)" after its label. Do not add an "Other" choice: free text is always possible.',
    "Prefer one question to several. Ask even when you work on your own if the person's input is truly needed. Do not ask for leave to go on, and do not ask to confirm your own plan.",
  ].join('\n');
}
