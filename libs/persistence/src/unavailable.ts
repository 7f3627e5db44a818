import { StoreUnavailable } from '#domain';
import { classifyFault } from './writes/database-fault.js';

/** The port's own error where the database can't be reached, else the one that came. */
export function unavailableOr(error: unknown): unknown {
  return classifyFault(error).kind === 'unavailable'
    ? new StoreUnavailable({ cause: error })
    : error;
}

/** A store whose every method rejects with {@link StoreUnavailable} where the database can't be reached. */
export function withUnavailable<S extends object>(store: S): S {
  return new Proxy(store, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        const result: unknown = Reflect.apply(member, target, args);
        if (!(result instanceof Promise)) return result;
        return result.catch((error: unknown) => {
          throw unavailableOr(error);
        });
      };
    },
  });
}
