/** What one part of what goes over the link may hold. */
export interface PartLimits {
  readonly bytes: number;
  readonly count?: number;
}

/**
 * Splits what goes over the link into parts, in its order. What is larger than a part by itself gets one of its own;
 * nothing gives no part.
 *
 * @param bytesOf how much room one takes, with what stands between it and the next
 */
export function inParts<T>(
  all: readonly T[],
  bytesOf: (one: T) => number,
  most: PartLimits,
): T[][] {
  const parts: T[][] = [];
  let room = 0;
  for (const one of all) {
    const bytes = bytesOf(one);
    const last = parts.at(-1);
    if (last === undefined || bytes > room || last.length === most.count) {
      parts.push([one]);
      room = most.bytes - bytes;
    } else {
      last.push(one);
      room -= bytes;
    }
  }
  return parts;
}
