export const tangle = (n: number) => {
  let sum = 0;
  if (n > 1) sum += 1;
  if (n > 2) sum += 1;
  if (n > 3) sum += 1;
  if (n > 4) sum += 1;
  if (n > 5) sum += 1;
  if (n > 6) sum += 1;
  if (n > 7) sum += 1;
  if (n > 8) sum += 1;
  if (n > 9) sum += 1;
  if (n > 10) sum += 1;
  return sum;
};
