export const free = (mode: 'autopilot' | 'ask' | 'plan') => {
  switch (mode) {
    case 'autopilot':
      return true;
    case 'ask':
      return false;
  }
};
