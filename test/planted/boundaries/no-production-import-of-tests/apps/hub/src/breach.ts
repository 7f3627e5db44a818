export * from './room.spec.js';
