export const icon = (provider: string) => {
  switch (provider) {
    case 'claude':
      return 'sun';
  }
  return 'dot';
};
