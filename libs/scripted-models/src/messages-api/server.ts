import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { CallLog } from '../call-log.js';
import { Holds } from '../holds.js';
import type { ModelCall } from '../model-call.js';
import { ScenarioPlayer, type Played } from '../player.js';
import type { ApiFailure, Scenario } from '../scenario.js';
import type { ScriptedModel } from '../scripted-model.js';
import { replyFrames, wholeReply, type Frame } from './reply.js';
import { conversationOf, readCall, wantsStream } from './wire.js';

const AT_ONCE = { charactersPerChunk: 400, msBetweenChunks: 0 };

/** Anthropic's Messages API on the loopback, played from a scenario. */
export class ScriptedMessagesApi implements ScriptedModel {
  readonly #server: Server;
  readonly #player: ScenarioPlayer;
  readonly #log = new CallLog();
  readonly #holds = new Holds();
  readonly #unknown: string[] = [];
  /** Ids must not come again when a server is started anew for conversations that go on. */
  readonly #start = randomBytes(4).toString('hex');
  #url = '';

  private constructor(private readonly scenario: Scenario) {
    this.#player = new ScenarioPlayer(scenario);
    this.#server = createServer((request, response) => {
      this.#serve(request, response).catch((cause: unknown) => {
        response.destroy(cause instanceof Error ? cause : new Error(String(cause)));
      });
    });
  }

  /** Starts on a free port of the loopback, or on `port`. */
  static async start(scenario: Scenario, port = 0): Promise<ScriptedMessagesApi> {
    const api = new ScriptedMessagesApi(scenario);
    await new Promise<void>((ready, failed) => {
      api.#server.once('error', failed);
      api.#server.listen(port, '127.0.0.1', ready);
    });
    api.#url = `http://127.0.0.1:${(api.#server.address() as AddressInfo).port}`;
    return api;
  }

  get url(): string {
    return this.#url;
  }

  get calls(): readonly ModelCall[] {
    return this.#log.all;
  }

  /** Requests for paths that this server does not know, as `METHOD path`. */
  get unknownRequests(): readonly string[] {
    return this.#unknown;
  }

  call(wanted: (call: ModelCall) => boolean): Promise<ModelCall> {
    return this.#log.find(wanted);
  }

  held(name: string): Promise<void> {
    return this.#holds.reached(name);
  }

  release(name: string): void {
    this.#holds.release(name);
  }

  async stop(): Promise<void> {
    this.#holds.releaseAll();
    const closed = new Promise<void>((done) => this.#server.close(() => done()));
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', this.#url).pathname;
    const route = `${request.method ?? ''} ${path}`;
    if (route === 'POST /v1/messages') return this.#messages(request, response);
    if (route === 'POST /v1/messages/count_tokens') {
      const body = await readBody(request);
      return sendJson(response, 200, { input_tokens: Math.ceil(JSON.stringify(body).length / 4) });
    }
    if (route === 'GET /v1/models') return sendJson(response, 200, this.#models());
    this.#unknown.push(route);
    return sendJson(response, 404, errorBody('not_found_error', `no such route: ${route}`));
  }

  async #messages(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request);
    const call = readCall(this.calls.length + 1, body, flatHeaders(request));
    const played = this.#player.play(call, conversationOf(body));
    this.#log.add(call);
    if (played.failure !== undefined) return sendFailure(response, played.failure);
    if (wantsStream(body)) return this.#stream(response, call, played);
    // A client falls back to a whole reply when its stream broke; the network is no better then.
    if (played.step.parts.some((part) => part.kind === 'break')) return void response.destroy();
    await this.#holdAll(played);
    return sendJson(response, 200, wholeReply(this.#reply(call, played)));
  }

  async #stream(response: ServerResponse, call: ModelCall, played: Played): Promise<void> {
    const pace = this.scenario.pace ?? AT_ONCE;
    response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
    for (const frame of replyFrames(this.#reply(call, played), pace.charactersPerChunk)) {
      if (response.destroyed) return;
      if (frame.kind === 'break') {
        await flush(response);
        return void response.destroy();
      }
      await this.#write(response, frame, pace.msBetweenChunks);
    }
    response.end();
  }

  async #write(response: ServerResponse, frame: Frame, msBetween: number): Promise<void> {
    if (frame.kind === 'break') return;
    if (frame.kind === 'hold') {
      await flush(response);
      return this.#holds.stand(frame.name);
    }
    // The client ignores frames without an event line.
    response.write(`event: ${frame.event.type}\ndata: ${JSON.stringify(frame.event)}\n\n`);
    if (frame.kind === 'piece' && msBetween > 0) await pause(msBetween);
  }

  async #holdAll(played: Played): Promise<void> {
    for (const part of played.step.parts) {
      if (part.kind === 'hold') await this.#holds.stand(part.name);
    }
  }

  #reply(call: ModelCall, played: Played): Parameters<typeof wholeReply>[0] {
    return {
      id: `${this.#start}_${call.n}`,
      model: call.model,
      step: played.step,
      place: played.place,
    };
  }

  #models(): Record<string, unknown> {
    const data = (this.scenario.models ?? []).map((model) => ({
      type: 'model',
      id: model.id,
      display_name: model.label,
      created_at: '2026-01-01T00:00:00Z',
    }));
    return {
      data,
      has_more: false,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
    };
  }
}

/** Resolves once all that was written is on its way: before a test is told so, or the connection is cut. */
const flush = (response: ServerResponse): Promise<void> =>
  new Promise((sent) => response.write(': so far\n\n', () => sent()));

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return undefined;
  }
}

function flatHeaders(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}

const errorBody = (type: string, message: string): Record<string, unknown> => ({
  type: 'error',
  error: { type, message },
});

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function sendFailure(response: ServerResponse, failure: ApiFailure): void {
  if (failure.retryAfter !== undefined)
    response.setHeader('retry-after', String(failure.retryAfter));
  sendJson(response, failure.status, errorBody(failure.type, failure.message));
}
