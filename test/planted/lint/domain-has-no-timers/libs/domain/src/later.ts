export const later = (act: () => void) => setTimeout(act, 1);
