export * from './nowhere.js';
