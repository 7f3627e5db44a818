import { CARD_WAITS_MS, ProviderId, type ProviderDescriptor } from '#contracts';

export const descriptor: ProviderDescriptor = {
  id: ProviderId.parse('claude'),
  label: 'Claude',
  icon: '<path d="M11 2h2v7.6l5.4-5.4 1.4 1.4-5.4 5.4H22v2h-7.6l5.4 5.4-1.4 1.4-5.4-5.4V22h-2v-7.6l-5.4 5.4-1.4-1.4 5.4-5.4H2v-2h7.6L4.2 5.6l1.4-1.4 5.4 5.4z"/>',
  engines: [],
  // The client's own names; each stands for the newest model of its line.
  models: [
    { id: 'default', label: 'The account’s default' },
    { id: 'opus', label: 'Opus' },
    { id: 'sonnet', label: 'Sonnet' },
    { id: 'haiku', label: 'Haiku' },
    { id: 'fable', label: 'Fable' },
  ],
  anyModel: true,
  settings: [
    {
      name: 'apiKey',
      label: 'API key',
      hint: 'Leave it empty to use the login that Claude Code has on this machine.',
      type: 'secret',
      required: false,
    },
    {
      name: 'baseUrl',
      label: 'API address',
      hint: 'Only for a gateway of your own; needs an API key of that gateway.',
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
    reportsCost: true,
    modes: { autopilot: true, ask: true, plan: true },
  },
  cardWaits: CARD_WAITS_MS,
};
