/** A copy of a map with some entries set. */
export function withEntries<K, V>(
  map: ReadonlyMap<K, V>,
  entries: Iterable<readonly [K, V]>,
): ReadonlyMap<K, V> {
  const copy = new Map(map);
  for (const [key, value] of entries) copy.set(key, value);
  return copy;
}

/** A copy of a map without some keys. */
export function withoutKeys<K, V>(map: ReadonlyMap<K, V>, keys: Iterable<K>): ReadonlyMap<K, V> {
  const copy = new Map(map);
  for (const key of keys) copy.delete(key);
  return copy;
}

/** A copy of a set with some members added and others taken out. */
export function withMembers<T>(
  set: ReadonlySet<T>,
  change: { readonly add?: Iterable<T>; readonly remove?: Iterable<T> },
): ReadonlySet<T> {
  const copy = new Set(set);
  for (const member of change.add ?? []) copy.add(member);
  for (const member of change.remove ?? []) copy.delete(member);
  return copy;
}
