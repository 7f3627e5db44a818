export const free = (mode: 'autopilot' | 'ask') => {
  switch (mode) {
    case 'autopilot':
      return true;
    default:
      return false;
  }
};
