import { LIMITS, type HubEnvelope } from '#contracts';
import { inParts } from '#domain';

/** What stands around the messages of a frame, and between two of them. */
const AROUND_BYTES = 1024;
const BETWEEN_BYTES = 1;

/**
 * Messages in their order, in frames of at most so many bytes (link.6), so that a long queue of long texts keeps no
 * answer and no heartbeat behind it. A message that is larger by itself goes alone: its own limit bounds it.
 */
export function inFrames(messages: readonly HubEnvelope[]): HubEnvelope[][] {
  // Most frames are one message, which need not be measured.
  if (messages.length === 1) return [[...messages]];
  return inParts(messages, bytesOf, { bytes: LIMITS.linkFrameBytes - AROUND_BYTES });
}

const bytesOf = (message: HubEnvelope): number =>
  Buffer.byteLength(JSON.stringify(message)) + BETWEEN_BYTES;
