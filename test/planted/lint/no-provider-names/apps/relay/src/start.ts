export const isCheap = (conversation: { provider: string }) => conversation.provider === 'deepseek';
