// Runs before the first paint, so that a chosen theme does not flash: a file of its own, since the page's
// Content Security Policy lets no inline script run.
try {
  const theme = localStorage.getItem('coxswain.theme');
  if (theme === 'light' || theme === 'dark')
    globalThis.document.documentElement.dataset.theme = theme;
} catch {
  // Storage may be forbidden; the system's theme stands then.
}
