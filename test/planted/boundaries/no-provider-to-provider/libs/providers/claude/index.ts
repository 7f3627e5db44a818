export const claude = 1;
