import { LIMITS, type HubEnvelope } from '#contracts';

/**
 * Messages in their order, in frames of at most so many bytes (link.6), so that a long queue of long texts keeps no
 * answer and no heartbeat behind it. A message that is larger by itself goes alone: its own limit bounds it.
 */
export function inFrames(
  messages: readonly HubEnvelope[],
  mostBytes: number = LIMITS.linkFrameBytes,
): HubEnvelope[][] {
  if (messages.length < 2) return messages.length === 0 ? [] : [[...messages]];
  const frames: HubEnvelope[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = Buffer.byteLength(JSON.stringify(message)) + 1;
    const frame = frames.at(-1);
    if (frame === undefined || bytes > room) {
      frames.push([message]);
      room = mostBytes - bytes;
    } else {
      frame.push(message);
      room -= bytes;
    }
  }
  return frames;
}
