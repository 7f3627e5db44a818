export * from './driver.js';
