import { CARD_WAITS_MS, ProviderId, type ProviderDescriptor } from '#contracts';
import { ADDRESS, MODEL, SMALL_MODEL } from './profile.js';

export const descriptor: ProviderDescriptor = {
  id: ProviderId.parse('deepseek'),
  label: 'DeepSeek',
  icon: '<path d="M3 13c0-4 3.4-7 7.6-7 2.6 0 4.6 1 6 2.6 1-.2 2-.9 2.4-2.1.9.5 1.6 1.4 1.6 2.5 0 1.2-.7 2.2-1.8 2.7.1.4.2.9.2 1.3 0 3.9-3.6 7-8 7s-8-3.1-8-7zm5.5-1.5a1.2 1.2 0 1 0 0-2.4 1.2 1.2 0 0 0 0 2.4z" fill-rule="evenodd"/>',
  engines: [],
  models: [
    { id: MODEL, label: 'DeepSeek Chat' },
    { id: 'deepseek-reasoner', label: 'DeepSeek Reasoner' },
  ],
  anyModel: true,
  settings: [
    { name: 'apiKey', label: 'API key', type: 'secret', required: true },
    {
      name: 'model',
      label: 'Model',
      hint: `Used where a conversation names none. Empty: ${MODEL}.`,
      type: 'text',
      required: false,
    },
    {
      name: 'smallModel',
      label: 'Model for small tasks and sub-agents',
      hint: `Empty: ${SMALL_MODEL}.`,
      type: 'text',
      required: false,
    },
    {
      name: 'baseUrl',
      label: 'API address',
      hint: `Empty: ${ADDRESS}.`,
      type: 'url',
      required: false,
    },
  ],
  capabilities: {
    questions: true,
    severalAnswers: true,
    severalQuestions: true,
    thoughts: true,
    interrupt: true,
    resume: true,
    evidence: 'tool-result',
    questionSurvivesRestart: false,
    // The client reckons with Claude's prices, which are wrong here.
    reportsCost: false,
    modes: { autopilot: true, ask: true, plan: true },
  },
  cardWaits: CARD_WAITS_MS,
};
