/**
 * The results of statements that were sent together. Where one fails, PostgreSQL refuses all that follow it in the
 * transaction: what is thrown is the first failure in the order of sending, which is the one that says why.
 */
export async function allInOrder<Results extends readonly unknown[]>(sent: {
  readonly [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  const settled = await Promise.allSettled(sent);
  const failed = settled.find((one): one is PromiseRejectedResult => one.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return settled.map((one) => (one as PromiseFulfilledResult<unknown>).value) as unknown as Results;
}
