/** A tap that was on its way to what stood here before is not one on a card that just appeared. */
const GUARD_MS = 400;

/** Whether a card has stood long enough to be decided on, counted anew with each version of it. */
export function settlingIn(version: () => number): { readonly isReady: boolean } {
  let ready = $state(false);
  $effect(() => {
    void version();
    ready = false;
    const timer = setTimeout(() => (ready = true), GUARD_MS);
    return () => clearTimeout(timer);
  });
  return {
    get isReady() {
      return ready;
    },
  };
}
