/** The first item in sight in each conversation that was left above its end, by the item's key. */
const places = new Map<string, string>();

export function rememberPlace(conversation: string, key: string | undefined): void {
  if (key === undefined) places.delete(conversation);
  else places.set(conversation, key);
}

export const placeLeft = (conversation: string): string | undefined => places.get(conversation);
