/** The mark with the count of open cards, as an address that a browser takes for its tab (D1). */
export function faviconWith(count: number): string {
  if (count === 0) return '/favicon.svg';
  const shown = count > 9 ? '9+' : String(count);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6577"/><path d="M6 26C7.500 15 15 7.500 26 6 24.500 17 17 24.500 6 26Z" fill="none" stroke="#fff" stroke-width="2.400" stroke-linejoin="round"/><circle cx="21" cy="21" r="11" fill="#f3b34c"/><text x="21" y="26" font-family="sans-serif" font-weight="700" font-size="${shown.length > 1 ? 12 : 15}" text-anchor="middle" fill="#2a1a00">${shown}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
