interface Gate {
  reached: PromiseWithResolvers<void>;
  released: PromiseWithResolvers<void>;
}

/** Named places where a reply stands still until it is released; tests wait for receipts, not for time. */
export class Holds {
  readonly #gates = new Map<string, Gate>();

  /** Called by a reply that has come to the place. Resolves once released. */
  async stand(name: string): Promise<void> {
    const gate = this.#gate(name);
    gate.reached.resolve();
    await gate.released.promise;
  }

  /** Resolves once a reply stands there, or has stood there. */
  reached(name: string): Promise<void> {
    return this.#gate(name).reached.promise;
  }

  /** Lets the reply that stands there, and all that come later, go on. */
  release(name: string): void {
    this.#gate(name).released.resolve();
  }

  releaseAll(): void {
    for (const gate of this.#gates.values()) gate.released.resolve();
  }

  #gate(name: string): Gate {
    const known = this.#gates.get(name);
    if (known !== undefined) return known;
    const gate = { reached: deferred(), released: deferred() };
    this.#gates.set(name, gate);
    return gate;
  }
}

// Promise.withResolvers is not in Node 20.
interface PromiseWithResolvers<T> {
  promise: Promise<T>;
  resolve: (value: T) => void;
}

function deferred(): PromiseWithResolvers<void> {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
