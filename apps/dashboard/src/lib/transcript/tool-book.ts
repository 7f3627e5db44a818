import { type Delta, type EventBodyOf, type Json, type TurnId } from '#contracts';
import { toolKey, UNSTORED, type ItemStore } from './item-store.js';
import { TextParts } from './text-parts.js';
import { type ItemOf } from './transcript-item.js';
import { type TurnBook } from './turn-book.js';

interface Where {
  readonly n: number;
  readonly at: number;
}
interface Known {
  readonly id: string;
  readonly turnId: TurnId;
  readonly written: TextParts;
  readonly output: TextParts;
  parent: string | undefined;
  call: { tool: string; title: string; input: Json; inputCut: boolean } | undefined;
  returned: { failed: boolean; outputCut: boolean } | undefined;
  n: number;
  at: number;
}

const UNSAID = { tool: '', title: '', input: undefined, inputCut: false };

/** Tool calls with what they were given and gave back. */
export class ToolBook {
  readonly #known = new Map<string, Known>();
  readonly #open = new Set<string>();

  constructor(
    private readonly store: ItemStore,
    private readonly turns: TurnBook,
  ) {}

  called(body: EventBodyOf<'tool-called'>, where: Where): void {
    const tool = this.#find(body.toolCallId, body.turnId, where);
    this.#forgetUnnamed(body.turnId, body.parentToolCallId, tool);
    tool.call = body;
    tool.parent = body.parentToolCallId;
    tool.n = Math.min(tool.n, where.n);
    tool.at = where.at;
    this.#show(tool);
  }

  returned(body: EventBodyOf<'tool-returned'>, where: Where): void {
    const tool = this.#find(body.toolCallId, body.turnId, where);
    tool.output.addWhole(body.output, body.part);
    tool.returned = body;
    this.#show(tool);
  }

  /** The arguments as the agent writes them; the driver names the block after the tool call. */
  addInput(delta: Delta, at: number): void {
    if (this.turns.isOver(delta.turnId)) return;
    const tool = this.#find(delta.blockId, delta.turnId, { n: UNSTORED, at });
    tool.parent ??= delta.parentToolCallId;
    if (tool.call !== undefined || !tool.written.addDelta(delta.offset, delta.text)) return;
    this.#show(tool);
  }

  /** A card stands in the place of the tool call that asked. */
  replaceByCard(toolCallId: string): void {
    this.store.hide(toolKey(toolCallId));
  }

  turnEnded(turnId: TurnId): void {
    for (const id of this.#open) {
      const tool = this.#known.get(id);
      if (tool?.turnId !== turnId) continue;
      if (tool.call === undefined && tool.returned === undefined) this.#drop(tool);
      else this.#show(tool);
    }
  }

  /** Arguments whose block had a name of its own give way to the call that they became. */
  #forgetUnnamed(turnId: TurnId, parent: string | undefined, except: Known): void {
    for (const id of this.#open) {
      const tool = this.#known.get(id);
      if (tool === undefined || tool === except || tool.turnId !== turnId) continue;
      if (tool.call === undefined && tool.returned === undefined && tool.parent === parent) {
        this.#drop(tool);
      }
    }
  }

  #drop(tool: Known): void {
    this.#known.delete(tool.id);
    this.#open.delete(tool.id);
    this.store.remove(toolKey(tool.id));
  }

  #find(id: string, turnId: TurnId, where: Where): Known {
    const held = this.#known.get(id);
    if (held !== undefined) return held;
    const made: Known = {
      id,
      turnId,
      written: new TextParts(),
      output: new TextParts(),
      parent: undefined,
      call: undefined,
      returned: undefined,
      n: where.n,
      at: where.at,
    };
    this.#known.set(id, made);
    return made;
  }

  #stateOf(tool: Known): ItemOf<'tool'>['state'] {
    if (tool.returned !== undefined && !tool.output.open) {
      return tool.returned.failed ? 'failed' : 'done';
    }
    if (this.turns.isOver(tool.turnId)) return 'ended';
    return tool.call === undefined ? 'writing' : 'running';
  }

  #show(known: Known): void {
    const key = toolKey(known.id);
    const state = this.#stateOf(known);
    if (state === 'running' || state === 'writing') this.#open.add(known.id);
    else this.#open.delete(known.id);
    const { tool, title, input, inputCut } = known.call ?? UNSAID;
    const item: ItemOf<'tool'> = {
      kind: 'tool',
      key,
      n: known.n,
      at: known.at,
      toolCallId: known.id,
      tool,
      title,
      input,
      inputCut,
      inputText: known.written.text,
      output: known.output.text,
      outputCut: known.returned?.outputCut ?? false,
      state,
      parent: known.parent,
      children: [],
    };
    this.store.put(item, known.parent);
  }
}
