export { chromium } from 'playwright-core';
