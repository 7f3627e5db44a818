import type { ScriptedTurn } from '../scenario.js';
import type { ModelCall } from '../model-call.js';

/** One conversation of the demo: what is said first, the folder it is about, and what the agent does. */
export interface DemoConversation {
  readonly title: string;
  /** Name of the folder to make, and the files in it by their path. */
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
  readonly firstMessage: string;
  readonly turns: readonly ScriptedTurn[];
}

const FOLDER = /Primary working directory: (.+)/;

/** The client tells the model where it works; its file tools want whole paths. */
export function inFolder(call: ModelCall, file: string): string {
  const texts = call.messages.flatMap((message) =>
    message.pieces.map((piece) => (piece.kind === 'text' ? piece.text : '')),
  );
  const folder = [call.system, ...texts].map((text) => FOLDER.exec(text)?.[1]).find(Boolean);
  return `${folder?.trim() ?? '.'}/${file}`;
}
