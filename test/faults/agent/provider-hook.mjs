// The relay's list of providers with the scripted ones in front; they import the product's own list by the same name.
const OURS = new URL('./providers.ts', import.meta.url).href;

/** @public Node calls it. */
export const resolve = (specifier, context, next) =>
  specifier === '#providers' && context.parentURL !== OURS
    ? next(OURS, context)
    : next(specifier, context);
