const left = 1;
export const right = 2;
