import { z } from 'zod';
import { CARD_WAITS_MS } from './limits.js';
import { Duration, ProviderId } from './ids.js';
import { RelayMode } from './modes.js';

/** How a setting of a provider is entered; rendered by the page from this alone. */
export const ProviderSetting = z.object({
  name: z
    .string()
    .regex(/^[a-zA-Z][a-zA-Z0-9]*$/)
    .max(60),
  label: z.string().max(120),
  hint: z.string().max(400).optional(),
  /** `secret` is written and never read back. */
  type: z.enum(['text', 'secret', 'url']),
  required: z.boolean().default(false),
});
export type ProviderSetting = z.infer<typeof ProviderSetting>;

export const ProviderModel = z.object({ id: z.string().max(200), label: z.string().max(200) });
export type ProviderModel = z.infer<typeof ProviderModel>;

/** What a provider's agent can do, declared by its driver and held to by the conformance suite. */
export const ProviderCapabilities = z.object({
  /** Whether it has a question tool of its own or of ours; without one its turns wait for a reply (P13). */
  questions: z.boolean(),
  severalAnswers: z.boolean(),
  severalQuestions: z.boolean(),
  thoughts: z.boolean(),
  interrupt: z.boolean(),
  resume: z.boolean(),
  /** What proves that the client took an answer (C11); `none`: the card ends as *sent*. */
  evidence: z.enum(['tool-result', 'execution-event', 'none']),
  /** Whether a pending question survives the death of the client's process. */
  questionSurvivesRestart: z.boolean(),
  reportsCost: z.boolean(),
  /** Modes that are really enforced; the others carry the reason why not (M7). */
  modes: z.record(
    RelayMode,
    z.union([z.literal(true), z.object({ refused: z.string().max(400) })]),
  ),
});
export type ProviderCapabilities = z.infer<typeof ProviderCapabilities>;

/** Static data of a driver. The hub and the page render it and never name a provider. */
export const ProviderDescriptor = z.object({
  id: ProviderId,
  label: z.string().max(80),
  /** The body of an SVG of 24 by 24, drawn with `currentColor`; only `<path>` elements. */
  icon: z
    .string()
    .max(4_000)
    .regex(/^(<path d="[-0-9a-zA-Z., ]+"( fill-rule="evenodd")?\/>)+$/),
  engines: z.array(z.object({ id: z.string().max(40), label: z.string().max(80) })).default([]),
  models: z.array(ProviderModel),
  /** Whether a model that is not in the list may be typed in. */
  anyModel: z.boolean(),
  settings: z.array(ProviderSetting),
  capabilities: ProviderCapabilities,
  /** How long its cards wait (C7). */
  cardWaits: Duration.default(CARD_WAITS_MS),
});
export type ProviderDescriptor = z.infer<typeof ProviderDescriptor>;

/** How a provider stands on one relay (P15). */
export const ProviderStatus = z.object({
  id: ProviderId,
  client: z.discriminatedUnion('state', [
    z.object({ state: z.literal('not-needed') }),
    z.object({ state: z.literal('missing'), package: z.string(), version: z.string() }),
    z.object({
      state: z.literal('installing'),
      package: z.string(),
      version: z.string(),
      phase: z.string().max(200),
      elapsedMs: Duration,
    }),
    z.object({ state: z.literal('ready'), package: z.string(), version: z.string() }),
    z.object({
      state: z.literal('failed'),
      package: z.string(),
      version: z.string(),
      reason: z.string(),
      advice: z.string(),
    }),
  ]),
  /** Whether it can reach its models, as far as can be told without asking them. */
  signedIn: z.enum(['yes', 'no', 'unknown']),
  /** What mends it, in words with the command to run. */
  advice: z.string().max(2_000).optional(),
  /** Names of the settings that have a value; the values of secrets never leave the relay. */
  configured: z.array(z.string()),
});
export type ProviderStatus = z.infer<typeof ProviderStatus>;

export const ProviderOnRelay = z.object({ descriptor: ProviderDescriptor, status: ProviderStatus });
export type ProviderOnRelay = z.infer<typeof ProviderOnRelay>;
